import Belfry
import BelfryBus
import Foundation

/// The parts that an agent is made of.
public struct AgentServiceOptions: Sendable {
    public var bus: BusAddress
    /// Where the apps' stores are.
    public var place: AgentPlace
    /// How the notices of an app are shown.
    public var backend: @Sendable (AppIdentity) -> any DeliveryBackend
    /// Opens an app's store in the given folder.
    public var openStore: @Sendable (_ folder: String) async throws(NoticeError) -> any RequestStore
    /// Asks the person for an app; nil asks nobody.
    public var prompt: (@Sendable (AppIdentity) -> any AuthorizationPrompt)?
    public var makeClock: @Sendable () -> any TriggerClock
    public var lifetime: AgentLifetime.Limits
    /// Where a process's root folder is; of another process it shows whether that one is sandboxed.
    public var processes: String
    /// Hears in plain words what went wrong with one app.
    public var report: @Sendable (String) -> Void

    public init(
        bus: BusAddress = .session,
        place: AgentPlace,
        backend: @escaping @Sendable (AppIdentity) -> any DeliveryBackend,
        openStore: @escaping @Sendable (_ folder: String) async throws(NoticeError) -> any RequestStore,
        prompt: (@Sendable (AppIdentity) -> any AuthorizationPrompt)? = nil,
        makeClock: @escaping @Sendable () -> any TriggerClock = { SystemTriggerClock() },
        lifetime: AgentLifetime.Limits = AgentLifetime.Limits(),
        processes: String = "/proc",
        report: @escaping @Sendable (String) -> Void
    ) {
        self.bus = bus
        self.place = place
        self.backend = backend
        self.openStore = openStore
        self.prompt = prompt
        self.makeClock = makeClock
        self.lifetime = lifetime
        self.processes = processes
        self.report = report
    }
}

/// The folders of the agent: `$XDG_STATE_HOME/belfry/agent/<app id>/`, `~/.local/state` without that variable.
public struct AgentPlace: Sendable, Hashable {
    public let path: String

    public init(path: String) { self.path = path }

    public init(environment: [String: String] = ProcessInfo.processInfo.environment) {
        var state = environment["XDG_STATE_HOME"] ?? ""
        // The XDG base directory specification: a relative path is to be ignored.
        if !state.hasPrefix("/") {
            let home = environment["HOME"] ?? ""
            state = (home.hasPrefix("/") ? home : NSHomeDirectory()) + "/.local/state"
        }
        path = state + "/belfry/agent"
    }

    /// Throws ``NoticeError/Code/invalidIdentifier`` where the identifier can't name a folder.
    public func folder(of app: String) throws(NoticeError) -> String {
        guard Self.isIdentifier(app) else {
            throw NoticeError(
                .invalidIdentifier,
                "The application identifier '\(app.prefix(80))' is none: use letters, digits, '-', '_' and '.', as in "
                    + "org.example.Tea."
            )
        }
        return path + "/" + app
    }

    /// The identifiers that have a folder.
    public func apps() -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.filter { Self.isIdentifier($0) }.sorted()
    }

    /// The form of a bus name, which the desktop's files and D-Bus activation go by, and never a path.
    private static func isIdentifier(_ id: String) -> Bool {
        !id.isEmpty && id.utf8.count <= 255 && id.first != "."
            && id.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
                default: false
                }
            }
    }
}
