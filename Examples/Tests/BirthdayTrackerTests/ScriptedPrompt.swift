import Belfry
import Synchronization

/// A person who answers the question for permission as the test says, and counts how often it is asked.
final class ScriptedPrompt: AuthorizationPrompt {
    private let answer: AuthorizationStatus.Decision
    private let count = Mutex(0)

    init(_ answer: AuthorizationStatus.Decision) { self.answer = answer }

    var timesAsked: Int { count.withLock { $0 } }

    func ask(for app: AppIdentity) async -> AuthorizationStatus.Decision {
        count.withLock { $0 += 1 }
        return answer
    }
}
