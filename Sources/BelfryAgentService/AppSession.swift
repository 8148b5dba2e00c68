import Belfry
import BelfryAgent
import BelfryBus

/// A connected app, and the calls that it wants.
struct AppSession: Sendable {
    /// The application identifier from its sandbox; nil for an ordinary program.
    var sandboxed: String?
    var receives = false
    var presents = false
    var events = false

    init(_ options: BusValue, sandboxed: String? = nil) {
        self.sandboxed = sandboxed
        receives = options[RegistrationKey.receives]?.boolean ?? false
        presents = options[RegistrationKey.presents]?.boolean ?? false
        events = options[RegistrationKey.events]?.boolean ?? false
    }
}

/// The connections of one app by their unique bus names, in the order of connecting.
struct AppSessions: Sendable {
    private var all: [(name: String, session: AppSession, watch: BusSubscription?)] = []
    /// The number of times that the app has connected or changed its wishes.
    private(set) var connections = 0

    var isEmpty: Bool { all.isEmpty }

    /// Adds a connection, and returns whether it is new. A known one keeps its position and gets the new wishes.
    @discardableResult
    mutating func connect(_ session: AppSession, at name: String) -> Bool {
        connections += 1
        if let index = index(of: name) {
            all[index].session = session
            return false
        }
        all.append((name, session, nil))
        return true
    }

    /// Keeps the subscription that reports the end of a connection.
    mutating func keep(_ watch: BusSubscription, of name: String) {
        if let index = index(of: name) { all[index].watch = watch }
    }

    /// Removes a connection, and returns its subscription.
    @discardableResult
    mutating func disconnect(_ name: String) -> BusSubscription? {
        index(of: name).flatMap { all.remove(at: $0).watch }
    }

    private func index(of name: String) -> Int? { all.firstIndex { $0.name == name } }

    /// Stops sending responses to a connection that refused one, unless a session registered after `connections`.
    mutating func refused(_ name: String, since connections: Int) {
        guard self.connections == connections else { return }
        if let index = index(of: name) { all[index].session.receives = false }
    }

    /// Returns the newest matching connection: of several processes of an app, the user probably looks at the last.
    func newest(where wanted: (AppSession) -> Bool) -> String? { all.last { wanted($0.session) }?.name }

    /// The application identifier from a connection's sandbox; nil for an ordinary program.
    func sandbox(of name: String) -> String? { index(of: name).flatMap { all[$0].session.sandboxed } }

    func names(where wanted: (AppSession) -> Bool) -> [String] { all.filter { wanted($0.session) }.map(\.name) }
}
