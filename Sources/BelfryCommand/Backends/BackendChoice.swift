import Belfry
import BelfryConsole
import BelfryDBus
import BelfryDesktop
import BelfryLibnotify
import BelfryPluginHost
import BelfryPortal
import Foundation

/// The backend that a command shows its notices through, and what the command has to know of whoever delivers.
struct ChosenBackend: Sendable {
    let backend: any DeliveryBackend
    /// The console is there because nothing else was: a person is told.
    var isConsoleUnwanted = false
    /// Somebody sits at the console and can answer.
    var consoleIsAnswered = false

    /// The console has shown it: its line, or its object, stands there already.
    func isConsole(_ receipt: DeliveryReceipt) -> Bool { receipt.backend == Self.console }

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
    /// What a command itself writes to standard output, where the console must not write into it.
    enum Results: Sendable {
        /// Nothing that a script would take apart from the notices.
        case none
        /// A number, or the name of an action.
        case text
        /// Objects that tell of the notice themselves.
        case objects
    }

    let app: AppIdentity
    let output: CommandOutput
    var results = Results.none
    /// What is asked for only a desktop can give: `auto` fails where there is none, instead of taking the console.
    var needsDesktop = false

    /// Throws what is wrong with a plug-in's file.
    func choose(_ name: BackendName) throws(NoticeError) -> ChosenBackend {
        switch name {
        case .dbus: return ChosenBackend(backend: DBusBackend())
        case .portal: return ChosenBackend(backend: PortalBackend(for: app))
        case .libnotify: return ChosenBackend(backend: .libnotify(for: app))
        case .plugin(let path, let settings):
            return ChosenBackend(backend: try PluginBackend(loading: path, for: app, settings: settings))
        case .console:
            let console = console(isAskedFor: true)
            return ChosenBackend(backend: console, consoleIsAnswered: console.takesKeys)
        case .auto where needsDesktop: return ChosenBackend(backend: .auto(for: app, console: nil))
        case .auto:
            let console = console(isAskedFor: false)
            return ChosenBackend(
                backend: .auto(for: app, console: console),
                isConsoleUnwanted: true,
                consoleIsAnswered: console.takesKeys
            )
        }
    }

    private func console(isAskedFor: Bool) -> ConsoleBackend {
        guard !output.json else {
            return ConsoleBackend(format: .json, output: results == .objects ? .writer { _ in } : .standard)
        }
        let isResult = isAskedFor && results == .none
        return ConsoleBackend(output: isResult || FileOutput.standard.isTerminal ? .standard : .complaints)
    }
}

extension ConsoleOutput {
    fileprivate static let complaints = ConsoleOutput.descriptor(STDERR_FILENO)
}
