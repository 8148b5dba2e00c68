import Belfry
import BelfryConsole
import BelfryDBus
import BelfryDesktop
import BelfryPluginHost
import BelfryPortal
import BelfryTerminal

/// The backend of a command, and what the command must know about it.
struct ChosenBackend: Sendable {
    let backend: any DeliveryBackend
    /// The console, if it may show notices.
    var console: ConsoleBackend?

    /// Whether the console has shown the notice: its line or object is written already.
    func isConsole(_ receipt: DeliveryReceipt) -> Bool { receipt.backend == "console" }

    /// Whether the user can respond to a shown notice.
    func acceptsResponses(_ receipt: DeliveryReceipt) -> Bool {
        !isConsole(receipt) || console?.takesKeys == true
    }

    /// Returns a note if the console has shown a notice that was meant for the desktop.
    func note(on receipt: DeliveryReceipt) -> String? {
        guard isConsole(receipt), let chain = backend as? BackendChain else { return nil }
        let reasons = chain.skipped
        let first = reasons.first { $0.error.code == .noBus } ?? reasons.first
        let reason = first.map { $0.error.code == .noBus ? "no session bus" : "no notification server" } ?? "no desktop"
        return "\(reason): writing to the console. See 'belfry doctor'."
    }
}

extension NoticeCenter {
    /// Whether the backend that shows notices now reports when one is closed. If there is none, its server went away,
    /// which ends the notice and is reported.
    var reportsClosing: Bool {
        get async { (try? await capabilities())?.reportsClosing ?? true }
    }
}

extension ChosenBackend {
    /// Creates the backend for a name. All commands use this initializer. Throws the error of a plug-in's file.
    ///
    /// - Parameters:
    ///   - hasResults: Whether the command itself writes to standard output what a script reads, such as a number or an
    ///     object about the notice. The console must not mix with it.
    ///   - needsDesktop: Whether the command needs features that only a desktop has. Then `auto` fails without a
    ///     desktop instead of using the console.
    ///   - listens: Whether the command waits for the user's response. Otherwise a terminal's notice outlives the
    ///     command.
    init(
        _ name: BackendName,
        for app: AppIdentity,
        _ output: CommandOutput,
        hasResults: Bool = false,
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
            let console = Self.console(output, hasResults, isAskedFor: true)
            self.init(backend: console, console: console)
        case .terminal(let sequence):
            self.init(backend: TerminalBackend(sequence: sequence, listens: listens))
        case .auto:
            let console = needsDesktop ? nil : Self.console(output, hasResults, isAskedFor: false)
            let terminal = TerminalBackend(listens: listens)
            self.init(
                backend: .auto(for: app, terminal: terminal, console: console),
                console: console
            )
        }
    }

    /// Loads the plug-in's file. If it were linked in, every command would load libnotify and its dependencies.
    private static func libnotify(for app: AppIdentity) throws(NoticeError) -> PluginBackend {
        do throws(NoticeError) { return try PluginBackend(loading: "libbelfry-libnotify", for: app) } catch {
            guard error.code == .notFound else { throw error }
            throw NoticeError(
                .notFound,
                "\(error.message) 'make install' and the Debian package bring it; --backend dbus needs no plug-in."
            )
        }
    }

    private static func console(_ output: CommandOutput, _ hasResults: Bool, isAskedFor: Bool) -> ConsoleBackend {
        guard !output.json else {
            return ConsoleBackend(format: .json, output: hasResults ? .writer { _ in } : .standard)
        }
        let isResult = isAskedFor && !hasResults
        let usesOutput = isResult || OpenFile.standardOutput.isTerminal
        return ConsoleBackend(output: usesOutput ? .standard : .descriptor(OpenFile.standardError.descriptor))
    }
}
