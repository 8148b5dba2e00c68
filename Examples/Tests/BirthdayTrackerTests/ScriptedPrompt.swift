import Belfry
import Synchronization

/// A user who responds to the question for permission as the test says, and counts how often it is asked.
final class ScriptedPrompt: AuthorizationPrompt {
    private let decision: AuthorizationStatus.Decision
    private let count = Mutex(0)

    init(_ decision: AuthorizationStatus.Decision) { self.decision = decision }

    var timesAsked: Int { count.withLock { $0 } }

    func ask(for app: AppIdentity) async -> AuthorizationStatus.Decision {
        count.withLock { $0 += 1 }
        return decision
    }
}
