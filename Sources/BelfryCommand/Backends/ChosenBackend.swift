import Belfry
import BelfryConsole
import BelfryDBus
import BelfryDesktop
import BelfryPluginHost
import BelfryPortal
import BelfryTerminal

/// The backend that a command shows its notices through, and what the command has to know of whoever delivers.
struct ChosenBackend: Sendable {
    let backend: any DeliveryBackend
    /// The console is there because nothing else was, which is reported.
    var isConsoleUnwanted = false
    /// A user sits at the console and can respond.
    var consoleIsAnswered = false
    /// The terminal, where it may be the one that shows.
    var terminal: TerminalBackend?

    /// The console has shown it: its line, or its object, stands there already.
    func isConsole(_ receipt: DeliveryReceipt) -> Bool { receipt.backend == Self.console }

    /// Whether the user can respond to what was shown.
    func canBeAnswered(_ receipt: DeliveryReceipt) -> Bool {
        receipt.backend != Self.console || consoleIsAnswered
    }

    /// Whether the end of the notice on the screen is reported. Asked after a delivery: then it is known who shows it.
    func reportsClosing(_ receipt: DeliveryReceipt) -> Bool {
        switch receipt.backend {
        case Self.console: consoleIsAnswered
        case Self.portal: false
        case terminal?.name: terminal?.willReportClosing == true
        default: true
        }
    }

    private static let console = "console"
    private static let portal = "portal"

    /// What to report when the console has shown something that was meant for the desktop.
    func note(on receipt: DeliveryReceipt) -> String? {
        guard isConsoleUnwanted, receipt.backend == Self.console else { return nil }
        let reasons = (backend as? BackendChain)?.passedOver ?? []
        let first = reasons.first { $0.error.code == .noBus } ?? reasons.first
        let reason = first.map { $0.error.code == .noBus ? "no session bus" : "no notification server" } ?? "no desktop"
        return "\(reason): writing to the console. See belfry doctor."
    }
}

extension ChosenBackend {
    /// What a command itself writes to standard output, where the console must not write into it.
    enum Results: Sendable {
        /// Nothing that a script would take apart from the notices.
        case none
        /// A number, or the name of an action.
        case text
        /// Objects that describe the notice themselves.
        case objects
    }

    /// The one place where a name becomes a backend. Throws what is wrong with a plug-in's file.
    ///
    /// - Parameters:
    ///   - needsDesktop: What is asked for only a desktop can give: `auto` fails where there is none, instead of taking
    ///     the console.
    ///   - listens: Somebody waits for what the user does with a notice. Without it, a terminal's outlives the command.
    init(
        _ name: BackendName,
        for app: AppIdentity,
        _ output: CommandOutput,
        results: Results = .none,
        needsDesktop: Bool = false,
        listens: Bool = true
    ) throws(NoticeError) {
        switch name {
        case .dbus: self.init(backend: DBusBackend())
        case .portal: self.init(backend: PortalBackend(for: app))
        case .libnotify: self.init(backend: try Self.libnotify(for: app))
        case .plugin(let path, let settings):
            self.init(backend: try PluginBackend(loading: path, for: app, settings: settings))
        case .console:
            let console = Self.console(output, results, isAskedFor: true)
            self.init(backend: console, consoleIsAnswered: console.takesKeys)
        case .terminal(let sequence):
            let terminal = TerminalBackend(sequence: sequence, listens: listens)
            self.init(backend: terminal, terminal: terminal)
        case .auto where needsDesktop:
            let terminal = TerminalBackend(listens: listens)
            self.init(backend: .auto(for: app, terminal: terminal, console: nil), terminal: terminal)
        case .auto:
            let console = Self.console(output, results, isAskedFor: false)
            let terminal = TerminalBackend(listens: listens)
            self.init(
                backend: .auto(for: app, terminal: terminal, console: console),
                isConsoleUnwanted: true,
                consoleIsAnswered: console.takesKeys,
                terminal: terminal
            )
        }
    }

    /// The plug-in's file: linked in, libnotify and what it needs would be loaded by every command.
    private static func libnotify(for app: AppIdentity) throws(NoticeError) -> PluginBackend {
        do throws(NoticeError) { return try PluginBackend(loading: "libbelfry-libnotify", for: app) } catch {
            guard error.code == .notFound else { throw error }
            throw NoticeError(
                .notFound,
                "\(error.message) 'make install' and the Debian package bring it; --backend dbus needs no plug-in."
            )
        }
    }

    private static func console(_ output: CommandOutput, _ results: Results, isAskedFor: Bool) -> ConsoleBackend {
        guard !output.json else {
            return ConsoleBackend(format: .json, output: results == .objects ? .writer { _ in } : .standard)
        }
        let isResult = isAskedFor && results == .none
        let usesOutput = isResult || OpenFile.standardOutput.isTerminal
        return ConsoleBackend(output: usesOutput ? .standard : .descriptor(OpenFile.standardError.descriptor))
    }
}
