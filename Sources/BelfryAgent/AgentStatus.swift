public import Belfry
import BelfryBus
public import FoundationEssentials

/// The status that a running agent reports.
///
/// ```swift
/// let status = try await AgentDirectory().status()
/// print("belfryd \(status.version) has \(status.pending.values.reduce(0, +)) pending requests.")
/// for (id, error) in status.failing { print("\(id): \(error)") }
/// ```
public struct AgentStatus: Sendable, Codable, Hashable {
    /// The version of the running agent.
    public var version: String
    /// The directory of the apps' stores.
    public var folder: String
    /// The number of pending requests by application. An app whose center is not open is missing: it has no pending
    /// requests, or is listed in ``quarantined`` or ``failing``.
    public var pending: [String: Int] = [:]
    /// The apps that crashed the agent twice in a row at their start; ``AgentDirectory/release(_:)`` starts one again.
    public var quarantined: [String] = []
    /// The errors of centers that don't run, by application; each is retried.
    public var failing: [String: NoticeError] = [:]
    /// The number of unacknowledged reports of store damage, by application; apps without any are missing.
    public var damage: [String: Int] = [:]
    /// The agent's last errors, oldest first. An agent started by the bus has no visible standard error.
    public var errors: [ReportedError] = []

    /// An error that the agent reported.
    public struct ReportedError: Sendable, Codable, Hashable {
        /// The date of the report.
        public var date: Date
        /// The message, which names the app if it is about one.
        public var message: String

        /// Creates an error from its parts.
        public init(date: Date, message: String) {
            self.date = date
            self.message = message
        }
    }

    /// Creates the status of an agent without apps.
    package init(version: String, folder: String) {
        self.version = version
        self.folder = folder
    }

    /// A missing field gets its default, because the agent may be of an earlier version.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        func value<Value: Decodable>(_ key: CodingKeys, or missing: Value) throws -> Value {
            try values.decodeIfPresent(Value.self, forKey: key) ?? missing
        }
        self.init(
            version: try values.decode(String.self, forKey: .version),
            folder: try values.decode(String.self, forKey: .folder)
        )
        pending = try value(.pending, or: pending)
        quarantined = try value(.quarantined, or: quarantined)
        failing = try value(.failing, or: failing)
        damage = try value(.damage, or: damage)
        errors = try value(.errors, or: errors)
    }
}

extension AgentDirectory {
    /// Returns the status of the running agent; starts none.
    ///
    /// - Throws: ``Belfry/NoticeError/Code/agentUnavailable`` if none runs or its version does not support this call,
    ///   and ``Belfry/NoticeError/Code/noBus``. Both are transient.
    public func status() async throws(NoticeError) -> AgentStatus {
        let call = AgentNames.object(within: .seconds(5)).call("Status", expects: "s")
        let reply = try await ask(call)
        return try AgentCoding().value(AgentStatus.self, reply.first?.string ?? "")
    }
}
