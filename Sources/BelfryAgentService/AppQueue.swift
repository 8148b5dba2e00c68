import Belfry
import BelfryAgent
import Dispatch

/// The queue on which one app's JSON is decoded, checked and encoded, and its small files are accessed.
///
/// Each app has its own queue. However large its calls are, they delay neither the centers' thread nor the calls of
/// other apps.
struct AppQueue: Sendable {
    private let coding = AgentCoding(triggers: .agent)
    private let queue = DispatchQueue(label: "org.belfry.agent.app")

    /// Runs `work` after the app's earlier work.
    func perform<Value: Sendable>(
        _ work: @escaping @Sendable (AgentCoding) throws(NoticeError) -> Value
    ) async throws(NoticeError) -> Value {
        try await queue.perform { Result { () throws(NoticeError) in try work(coding) } }.get()
    }

    /// Decodes a value, and checks it unless `check` is nil.
    func value<Value: Decodable & Sendable>(
        _ type: Value.Type,
        _ text: String,
        atMost limit: Int,
        checking check: (@Sendable (Value) throws(NoticeError) -> Void)? = nil
    ) async throws(NoticeError) -> Value {
        try await perform { coding throws(NoticeError) in
            let value = try coding.value(type, text, atMost: limit)
            try check?(value)
            return value
        }
    }

    func text(_ value: some Encodable & Sendable) async throws(NoticeError) -> String {
        try await perform { coding throws(NoticeError) in try coding.text(value) }
    }
}
