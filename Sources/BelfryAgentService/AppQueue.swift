import Belfry
import BelfryAgent
import Dispatch

/// Where one app's JSON is read and written, and its small files.
///
/// Each app has a queue of its own: what one sends or asks for, however large, keeps neither the centers' thread from
/// another app's alarm nor another app's calls waiting.
struct AppQueue: Sendable {
    private let coding = AgentCoding(triggers: .agent)
    private let queue = DispatchQueue(label: "org.belfry.agent.app")

    /// Runs `work` after what the app has asked for before.
    func perform<Value: Sendable>(
        _ work: @escaping @Sendable (AgentCoding) throws(NoticeError) -> Value
    ) async throws(NoticeError) -> Value {
        try await queue.perform { Result { () throws(NoticeError) in try work(coding) } }.get()
    }
}
