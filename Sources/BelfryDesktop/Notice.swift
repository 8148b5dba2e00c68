public import Belfry
import BelfryTerminal

/// One notice now, without a center: for programs that only tell that something is done.
///
/// ```swift
/// try await Notice.show("Backup done", "42 GB in 3 minutes", app: AppIdentity(id: "org.example.Backup", name: "Backup"))
/// ```
///
/// What is scheduled, answered or updated needs a ``Belfry/NoticeCenter``.
public enum Notice {
    /// Returns when the notice is on the screen; it stays there when the program ends.
    ///
    /// It is shown by what suits the desktop, as by `.auto(for:)`. Throws why it can't be shown: what is wrong with the
    /// content (permanent), or why nothing shows it now (transient).
    @discardableResult
    public static func show(
        _ title: String,
        _ body: String = "",
        app: AppIdentity
    ) async throws(NoticeError) -> DeliveredNotice {
        try await show(NoticeContent(title: title, body: body), app: app)
    }

    /// The same with everything that a content can say.
    @discardableResult
    public static func show(
        _ content: NoticeContent,
        app: AppIdentity
    ) async throws(NoticeError) -> DeliveredNotice {
        try await show(content, app: app, backend: .auto(for: app, terminal: TerminalBackend(listens: false)))
    }

    static func show(
        _ content: NoticeContent,
        app: AppIdentity,
        backend: any DeliveryBackend
    ) async throws(NoticeError) -> DeliveredNotice {
        let center = NoticeCenter(app: app, backend: backend)
        do {
            return try await center.run { center in try await center.show(content) }
        } catch let error as NoticeError {
            throw error
        } catch {
            throw NoticeError(.centerStopped, "The notice '\(content.title)' was cancelled before it was shown.")
        }
    }
}
