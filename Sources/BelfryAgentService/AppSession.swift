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

/// What is kept of an app besides its requests: how people know it, and how it is started.
struct AppRecord: Codable, Hashable {
    var name: String
    var icon: NoticeIcon?
    var command: [String] = []
    var isActivatable = false
}
