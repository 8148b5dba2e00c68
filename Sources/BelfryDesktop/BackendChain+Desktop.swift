public import Belfry
public import BelfryConsole
import BelfryDBus
import BelfryPortal
public import BelfryTerminal

extension DeliveryBackend where Self == BackendChain {
    /// The backends that suit the current desktop: in a sandbox the portal first; then D-Bus; then the terminal, if it
    /// can show notices; then the console, if the output is a terminal. Elsewhere a due notice waits for a server: at a
    /// login it may only be about to start. ``Belfry/BackendChain`` documents the selection; receipts and the history
    /// name the backend that delivered.
    ///
    /// ```swift
    /// let center = NoticeCenter(app: app, backend: .auto(for: app))
    /// ```
    ///
    /// An app that needs other backends creates its own list: `BackendChain([DBusBackend(), ConsoleBackend()])`.
    ///
    /// - Parameters:
    ///   - app: The app that the desktop shows as the sender.
    ///   - sandbox: The program's sandbox, or nil for none.
    ///   - terminal: The backend without a server, for example over SSH; nil leaves it out.
    ///   - console: The backend without any desktop; nil leaves it out. It reads keys from standard input, so a program
    ///     that reads lines from a terminal passes `ConsoleBackend(input: nil, onlyOnTerminal: true)`.
    public static func auto(
        for app: AppIdentity,
        sandbox: Sandbox? = .current(),
        terminal: TerminalBackend? = TerminalBackend(),
        console: ConsoleBackend? = ConsoleBackend(onlyOnTerminal: true)
    ) -> BackendChain {
        var backends: [any DeliveryBackend] = []
        if sandbox != nil { backends.append(PortalBackend(for: app)) }
        backends.append(DBusBackend())
        if let terminal { backends.append(terminal) }
        if let console { backends.append(console) }
        return BackendChain(backends, name: "auto")
    }
}
