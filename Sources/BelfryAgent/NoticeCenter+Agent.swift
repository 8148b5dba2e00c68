public import Belfry

extension NoticeCenter {
    /// A center whose requests the agent keeps and fires, also when this app does not run.
    ///
    /// ```swift
    /// let center = NoticeCenter(app: AppIdentity(id: "org.example.Tea"), agent: AgentOptions())
    /// ```
    ///
    /// The calls are those of a center in the app's own process. Instead of the store's errors they throw
    /// ``NoticeError/Code/agentUnavailable`` (transient) where there is no agent.
    public convenience init(app: AppIdentity, agent options: AgentOptions) {
        self.init(app: app, engine: AgentEngine(app, options))
    }

    /// A center over the agent where one is installed, and else the one that the app makes for itself.
    ///
    /// An agent is installed where it runs, where the bus starts it, or where its program is found
    /// (``AgentDirectory/presence()``); nothing is started to find out. Without a session bus there is none. Throws what
    /// `own` throws.
    ///
    /// What is pending stays where it was added: if an agent is installed later, it doesn't have what is in the app's own
    /// store.
    ///
    /// - Parameters:
    ///   - app: Who notifies.
    ///   - options: How the agent is reached, and what it starts.
    ///   - own: Makes a center in this process; not called where there is an agent.
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
