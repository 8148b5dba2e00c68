import Belfry
import BelfryBus

/// What a running agent says of itself.
public struct AgentStatus: Sendable, Codable, Hashable {
    public var version: String
    /// The folder that the apps' stores are in.
    public var folder: String
    /// How many requests wait, by application. An app whose store could not be opened is missing.
    public var pending: [String: Int]

    public init(version: String, folder: String, pending: [String: Int]) {
        self.version = version
        self.folder = folder
        self.pending = pending
    }
}

extension AgentDirectory {
    /// Asks the agent that runs; starts none. Throws ``NoticeError/Code/agentUnavailable`` where none runs, or one of a
    /// version that has no answer.
    public func status() async throws(NoticeError) -> AgentStatus {
        let call = BusMethodCall(
            to: AgentNames.agent,
            AgentNames.agentPath,
            AgentNames.agent,
            "Status",
            expects: "s",
            timeLimit: .seconds(5)
        )
        let answer: [BusValue]
        do throws(BusError) { answer = try await ask(call) } catch { throw NoticeError(agent: error) }
        return try AgentCoding().value(answer.first?.string ?? "")
    }
}
