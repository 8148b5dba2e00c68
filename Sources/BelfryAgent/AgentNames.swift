package import BelfryBus

/// What the agent and its clients call each other on the session bus. docs/org.belfry.Agent1.xml documents the members.
package enum AgentNames {
    /// The agent's well-known name, and the name of its interface.
    package static let agent = "org.belfry.Agent1"
    package static let agentPath: BusObjectPath = "/org/belfry/Agent1"
    /// The interface of an app's side, which the agent calls.
    package static let client = "org.belfry.AgentClient1"
    package static let clientPath: BusObjectPath = "/org/belfry/AgentClient1"
    /// The application that the command line is, where it speaks for no other.
    package static let commandLine = "org.belfry.belfry"
    /// Errors are sent as this prefix and the code of the ``NoticeError``.
    package static let errorPrefix = "org.belfry.Error."
    /// How many elements of a list one answer holds at most, and how many bytes of them before the last: a bus takes
    /// 128 MiB.
    package static let page = 10_000
    package static let pageLength = 8 << 20

    static func call(
        _ method: String,
        _ arguments: [BusValue] = [],
        to destination: String = agent,
        expects: BusSignature,
        within limit: Duration
    ) -> BusMethodCall {
        BusMethodCall(to: destination, agentPath, agent, method, arguments, expects: expects, timeLimit: limit)
    }
}

/// Keys of the options of `Register`.
package enum RegistrationKey {
    /// `b`: the app takes responses now.
    package static let receives = "receives"
    /// `b`: the app wants to be asked about each showing.
    package static let presents = "presents"
    /// `b`: the app listens to what the center does.
    package static let events = "events"
    /// `s`: the app's icon, as JSON.
    package static let icon = "icon"
    /// `as`: what starts the app when the user answers and it does not run.
    package static let command = "command"
    /// `b`: the app can be started by D-Bus activation under its identifier.
    package static let activatable = "activatable"
}
