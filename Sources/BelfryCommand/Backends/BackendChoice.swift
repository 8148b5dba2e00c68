import Belfry
import BelfryConsole
import BelfryDBus
import BelfryDesktop
import BelfryLibnotify
import BelfryPlugins
import BelfryPortal
import Foundation

/// The backend that a command shows its notices through, and what the command has to know of whoever delivers.
struct ChosenBackend: Sendable {
    let backend: any DeliveryBackend
    /// The console is there because nothing else was: a person is told.
    var isConsoleUnwanted = false
    /// Somebody sits at the console and can answer.
    var consoleIsAnswered = false

    /// The delivery stands on standard output already, written by the backend.
    func prints(_ receipt: DeliveryReceipt) -> Bool { receipt.backend == Self.console }

    /// Somebody can answer what was shown.
    func canBeAnswered(_ receipt: DeliveryReceipt) -> Bool {
        receipt.backend != Self.console || consoleIsAnswered
    }

    /// Whoever shows it tells when it was closed. Asked after a delivery: then it is known who shows it.
    func reportsClosing(_ receipt: DeliveryReceipt) -> Bool {
        receipt.backend == Self.console ? consoleIsAnswered : receipt.backend != Self.portal
    }

    private static let console = "console"
    private static let portal = "portal"

    /// What to say when the console has shown something that was meant for the desktop.
    func remark(on receipt: DeliveryReceipt) -> String? {
        guard isConsoleUnwanted, receipt.backend == Self.console else { return nil }
        let reasons = (backend as? BackendChain)?.passedOver ?? []
        let first = reasons.first { $0.error.code == .noBus } ?? reasons.first
        let reason = first.map { $0.error.code == .noBus ? "no session bus" : "no notification server" } ?? "no desktop"
        return "\(reason): writing to the console. See belfry doctor."
    }
}

/// The one place where a name becomes a backend.
struct BackendChoice {
    let app: AppIdentity
    let output: CommandOutput

    /// Throws what is wrong with a plug-in's file.
    func choose(_ name: BackendName) throws(NoticeError) -> ChosenBackend {
        switch name {
        case .dbus: ChosenBackend(backend: DBusBackend())
        case .portal: ChosenBackend(backend: PortalBackend(for: app))
        case .libnotify: ChosenBackend(backend: .libnotify(for: app))
        case .plugin(let path, let settings):
            ChosenBackend(backend: try PluginBackend(loading: path, for: app, settings: settings))
        case .console: ChosenBackend(backend: console, consoleIsAnswered: consoleIsAnswered)
        case .auto:
            ChosenBackend(
                backend: .auto(for: app, console: console),
                isConsoleUnwanted: true,
                consoleIsAnswered: consoleIsAnswered
            )
        }
    }

    private var console: ConsoleBackend { ConsoleBackend(format: output.json ? .json : .lines) }

    private var consoleIsAnswered: Bool { isatty(STDIN_FILENO) == 1 && !output.json }
}
