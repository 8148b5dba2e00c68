import Belfry
import BelfryAgent
import Dispatch

/// Where one app's JSON is read and written, and its small files.
///
/// Each app has a queue of its own: what one sends or asks for, however large, keeps neither the centers' thread from another
/// app's alarm nor another app's calls waiting.
struct AppQueue: Sendable {
    private let coding = AgentCoding(triggers: .agent)
    private let queue = DispatchQueue(label: "org.belfry.agent.app")

    func text(_ value: some Encodable & Sendable) async throws(NoticeError) -> String {
        try await perform { () throws(NoticeError) in try coding.text(value) }
    }

    func texts(_ values: [some Encodable & Sendable]) async throws(NoticeError) -> [String] {
        try await perform { () throws(NoticeError) in try coding.texts(values) }
    }

    func texts(_ values: [(some Encodable & Sendable)?]) async throws(NoticeError) -> [String?] {
        try await perform { () throws(NoticeError) in
            try values.map { value throws(NoticeError) in
                try value.map { value throws(NoticeError) in try coding.text(value) }
            }
        }
    }

    func value<Value: Decodable & Sendable>(
        _ type: Value.Type,
        _ text: String,
        atMost limit: Int? = nil
    ) async throws(NoticeError) -> Value {
        try await perform { () throws(NoticeError) in try coding.value(type, text, atMost: limit) }
    }

    func values<Value: Decodable & Sendable>(
        _ type: Value.Type,
        _ texts: [String],
        atMost limit: Int? = nil
    ) async throws(NoticeError) -> [Value] {
        try await perform { () throws(NoticeError) in try coding.values(type, texts, atMost: limit) }
    }

    /// Runs `work` after what the app has asked for before.
    func perform<Value: Sendable>(
        _ work: @escaping @Sendable () throws(NoticeError) -> Value
    ) async throws(NoticeError) -> Value {
        try await queue.perform { Result(catching: work) }.get()
    }
}
