import Belfry
import BelfryAgent
import BelfryBus

/// An app that is connected, and what it wants to hear.
struct AppSession: Sendable {
    var app: AppIdentity
    /// The application that its sandbox says it is; nil for an ordinary program.
    var sandboxed: String?
    var receives = false
    var presents = false
    var events = false

    init(_ app: AppIdentity, _ options: BusValue, sandboxed: String? = nil) {
        self.app = app
        self.sandboxed = sandboxed
        receives = options[RegistrationKey.receives]?.boolean ?? false
        presents = options[RegistrationKey.presents]?.boolean ?? false
        events = options[RegistrationKey.events]?.boolean ?? false
    }
}

/// The connections of one app, by their unique bus names, in the order in which they came.
struct AppSessions: Sendable {
    private var all: [(name: String, session: AppSession)] = []
    /// How often an app has connected, or said anew what it wants.
    private(set) var connections = 0

    var isEmpty: Bool { all.isEmpty }

    /// One that is there already stays where it is, with what it wants to hear now.
    mutating func connect(_ session: AppSession, at name: String) {
        connections += 1
        if let index = all.firstIndex(where: { $0.name == name }) {
            all[index].session = session
        } else {
            all.append((name, session))
        }
    }

    mutating func disconnect(_ name: String) { all.removeAll { $0.name == name } }

    /// It takes responses again when it says so, which it may have done since so many connections.
    mutating func refused(_ name: String, since connections: Int) {
        guard self.connections == connections else { return }
        if let index = all.firstIndex(where: { $0.name == name }) { all[index].session.receives = false }
    }

    /// Of several processes of one app the one that came last: it is what the user looks at.
    func newest(where wanted: (AppSession) -> Bool) -> String? { all.last { wanted($0.session) }?.name }

    /// The application that a connection's sandbox says it is; nil for an ordinary program.
    func sandbox(of name: String) -> String? { all.first { $0.name == name }?.session.sandboxed }

    func names(where wanted: (AppSession) -> Bool) -> [String] { all.filter { wanted($0.session) }.map(\.name) }
}

/// What is kept of an app besides its requests: how people know it, and how it is started.
struct AppRecord: Codable, Hashable {
    var name: String
    var icon: NoticeIcon?
    var command: [String] = []
    var isActivatable = false
}
