public import Belfry
import BelfryTerminal

/// Shows one notice now, without a center: for programs that only report that something is done.
///
/// ```swift
/// let app = AppIdentity(id: "org.example.Backup", name: "Backup")
/// try await Notice.show("Backup done", "42 GB in 3 minutes", app: app)
/// ```
///
/// Notices that are scheduled, updated or need a response require a ``Belfry/NoticeCenter``.
public enum Notice {
    /// Shows a notice. Returns when it is on the screen; it stays there when the program ends.
    ///
    /// It uses the backends that suit the desktop, as `.auto(for:)` does. A notice that has been sent can't be taken
    /// back, so a canceled task waits for the outcome too: at most as long as a delivery may take, 30 seconds.
    ///
    /// - Throws: An error in the content (permanent), or no way to show the notice now (transient). See
    ///   ``Belfry/NoticeError/isTransient``.
    @discardableResult
    public static func show(
        _ title: String,
        _ body: String = "",
        app: AppIdentity
    ) async throws(NoticeError) -> DeliveredNotice {
        try await show(NoticeContent(title: title, body: body), app: app)
    }

    /// Shows a notice with any content. Throws the errors of ``show(_:_:app:)``: an invalid content is permanent.
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
            // `run` declares no type of error; it throws its own and those of the closure.
            throw NoticeError(
                .centerStopped,
                "The center ended before it showed '\(content.title)'.",
                cause: "\(error)"
            )
        }
    }
}
