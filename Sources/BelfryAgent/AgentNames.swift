package import BelfryBus

/// The names that the agent and its clients use on the session bus. docs/org.belfry.Agent1.xml documents the members.
package enum AgentNames {
    /// The agent's well-known name, and the name of its interface.
    package static let agent = "org.belfry.Agent1"
    package static let agentPath: BusObjectPath = "/org/belfry/Agent1"
    /// The interface of an app, which the agent calls.
    package static let client = "org.belfry.AgentClient1"
    package static let clientPath: BusObjectPath = "/org/belfry/AgentClient1"
    /// The application identifier of the command line when it acts for no other app.
    package static let commandLine = "org.belfry.belfry"
    /// The prefix of error names; the code of the ``NoticeError`` follows.
    package static let errorPrefix = "org.belfry.Error."
    /// The most elements of a list in one reply, and the most bytes before the last element: a bus accepts 128 MiB.
    package static let page = 10_000
    package static let pageLength = 8 << 20

    static func object(of owner: String = agent, within limit: Duration) -> BusObject {
        BusObject(owner, agentPath, agent, timeout: limit)
    }
}

/// The keys of the options of `Register`.
package enum RegistrationKey {
    /// `b`: the app receives responses now.
    package static let receives = "receives"
    /// `b`: the app wants to be asked before each showing.
    package static let presents = "presents"
    /// `b`: the app listens to the center's events.
    package static let events = "events"
    /// `s`: the app's icon, as JSON.
    package static let icon = "icon"
    /// `as`: the command that starts the app for a response of the user while it does not run.
    package static let command = "command"
    /// `b`: the app can be started by D-Bus activation under its identifier.
    package static let activatable = "activatable"
}
