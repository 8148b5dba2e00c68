public import Belfry

extension NoticeCenter {
    /// Creates a center whose requests the agent keeps and fires, even while this app does not run.
    ///
    /// ```swift
    /// let center = NoticeCenter(app: AppIdentity(id: "org.example.Tea"), agent: AgentOptions())
    /// ```
    ///
    /// The calls are those of a center in the app's own process. Instead of the store's errors they throw
    /// ``NoticeError/Code/agentUnavailable`` (transient) if there is no agent.
    public convenience init(app: AppIdentity, agent options: AgentOptions) {
        self.init(app: app, engine: AgentEngine(app, options))
    }

    /// Returns a center that uses the agent if one is installed, else the app's own center.
    ///
    /// An agent is installed if it runs, if the bus can start it, or if its program is found
    /// (``AgentDirectory/presence()``). The check starts nothing. Without a session bus there is no agent.
    ///
    /// Pending requests stay where they were added. An agent that is installed later does not have the requests in the
    /// app's own store.
    ///
    /// - Parameters:
    ///   - app: The app that notifies.
    ///   - options: How the agent is reached, and what it starts.
    ///   - own: Makes a center in this process; not called if there is an agent.
    /// - Throws: Only the errors of `own`, transient or permanent: an agent that can't be reached is none.
    public static func overAgent<Failure: Error>(
        app: AppIdentity,
        options: AgentOptions = AgentOptions(),
        orElse own: () async throws(Failure) -> NoticeCenter
    ) async throws(Failure) -> NoticeCenter {
        switch try? await AgentDirectory(options).presence() {
        case .running, .activatable, .found: NoticeCenter(app: app, agent: options)
        case .absent, nil: try await own()
        }
    }
}
