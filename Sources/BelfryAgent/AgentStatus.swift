public import Belfry
import BelfryBus
public import FoundationEssentials

/// What a running agent says of itself.
public struct AgentStatus: Sendable, Codable, Hashable {
    /// The version of the agent that runs.
    public var version: String
    /// The folder that the apps' stores are in.
    public var folder: String
    /// How many requests wait, by application. An app whose center is not open is missing: nothing is pending there, or
    /// it is one of ``quarantined`` or ``failing``.
    public var pending: [String: Int]
    /// The apps that crashed the agent twice in a row as they started: ``AgentDirectory/release(_:)`` tries again.
    public var quarantined: [String]
    /// Why an app's center does not run, by application; each is tried again.
    public var failing: [String: NoticeError]
    /// How many reports of damage to its store nobody has acknowledged, by application; an app without any is missing.
    public var damage: [String: Int]
    /// The last errors that the agent reported, oldest first: nobody sees the standard error of one that the bus
    /// started.
    public var errors: [ReportedError]

    /// An error that the agent reported.
    public struct ReportedError: Sendable, Codable, Hashable {
        /// When it was reported.
        public var date: Date
        /// Names the app where it is about one.
        public var message: String

        /// Creates it from its parts.
        public init(date: Date, message: String) {
            self.date = date
            self.message = message
        }
    }

    /// Creates a status from its parts.
    public init(
        version: String,
        folder: String,
        pending: [String: Int],
        quarantined: [String] = [],
        failing: [String: NoticeError] = [:],
        damage: [String: Int] = [:],
        errors: [ReportedError] = []
    ) {
        self.version = version
        self.folder = folder
        self.pending = pending
        self.quarantined = quarantined
        self.failing = failing
        self.damage = damage
        self.errors = errors
    }

    /// An agent of an earlier version says nothing of the later fields.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        version = try values.decode(String.self, forKey: .version)
        folder = try values.decode(String.self, forKey: .folder)
        pending = try values.decode([String: Int].self, forKey: .pending)
        quarantined = try values.decodeIfPresent([String].self, forKey: .quarantined) ?? []
        failing = try values.decodeIfPresent([String: NoticeError].self, forKey: .failing) ?? [:]
        damage = try values.decodeIfPresent([String: Int].self, forKey: .damage) ?? [:]
        errors = try values.decodeIfPresent([ReportedError].self, forKey: .errors) ?? []
    }
}

extension AgentDirectory {
    /// Asks the agent that runs; starts none. Throws ``Belfry/NoticeError/Code/agentUnavailable`` where none runs, or
    /// one of a version that has no answer.
    public func status() async throws(NoticeError) -> AgentStatus {
        let call = AgentNames.call("Status", expects: "s", within: .seconds(5))
        let answer: [BusValue]
        do throws(BusError) { answer = try await ask(call) } catch { throw NoticeError(agent: error) }
        return try AgentCoding().value(AgentStatus.self, answer.first?.string ?? "")
    }
}
