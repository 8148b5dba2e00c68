public import Belfry
public import BelfryConsole
import BelfryDBus
import BelfryPortal
public import BelfryTerminal

extension DeliveryBackend where Self == BackendChain {
    /// What suits the desktop that the program runs on: in a sandbox the portal first; then D-Bus, then the terminal, where
    /// it is one that shows notices, then the console. ``Belfry/BackendChain`` has the rules of choosing; receipts and the
    /// history say who delivered.
    ///
    /// ```swift
    /// let center = NoticeCenter(app: app, backend: .auto(for: app))
    /// ```
    ///
    /// An app with another taste writes its own list: `BackendChain([DBusBackend(), ConsoleBackend()])`.
    ///
    /// - Parameters:
    ///   - app: The app that the desktop shows as the sender.
    ///   - sandbox: What the program is confined by; nil is nothing.
    ///   - terminal: What shows notices where there is no server, as over SSH; nil leaves it out.
    ///   - console: What shows notices where there is no desktop at all; without one, delivering fails there.
    public static func auto(
        for app: AppIdentity,
        sandbox: Sandbox? = .current(),
        terminal: TerminalBackend? = TerminalBackend(),
        console: ConsoleBackend? = ConsoleBackend()
    ) -> BackendChain {
        var backends: [any DeliveryBackend] = []
        if sandbox != nil { backends.append(PortalBackend(for: app)) }
        backends.append(DBusBackend())
        if let terminal { backends.append(terminal) }
        if let console { backends.append(console) }
        return BackendChain(backends, name: "auto")
    }
}
