import Synchronization
package import Testing

extension Trait where Self == TurnsTrait {
    /// Every suite has it: few tests run at once.
    ///
    /// "swift test" begins all tests of a package together. A thousand buses at once hold more descriptors than a
    /// process may have, and time limits, those of the tests and those that are tested, pass while tests wait for a
    /// processor.
    package static var takesTurns: Self { Self(turns: .ofMachine, isRecursive: true) }

    /// Suites that start and stop the notification server of one desktop: one at a time.
    package static var sharesDesktop: Self { Self(turns: .onDesktop, isRecursive: false) }

    /// Suites whose backends read a terminal: a process holds one at a time, so one of these suites runs at a time.
    package static var sharesTerminal: Self { Self(turns: .onTerminal, isRecursive: false) }
}

package struct TurnsTrait: SuiteTrait, TestTrait, TestScoping {
    fileprivate let turns: Turns
    package let isRecursive: Bool

    /// Around a test with all its cases, or a suite: the time limit of a case begins when the turn has come.
    package func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
        testCase == nil && test.isSuite != isRecursive ? self : nil
    }

    package func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        await turns.take()
        defer { turns.giveBack() }
        try await function()
    }
}

/// A semaphore that suspends.
private final class Turns: Sendable {
    /// Most wait for a process and not for a processor.
    static let ofMachine = Turns(8)
    static let onDesktop = Turns(1)
    static let onTerminal = Turns(1)

    private struct State {
        var free: Int
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>

    init(_ count: Int) { state = Mutex(State(free: count)) }

    func take() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.free == 0 else {
                    state.free -= 1
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    func giveBack() {
        let next: CheckedContinuation<Void, Never>? = state.withLock { state in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.free += 1
            return nil
        }
        next?.resume()
    }
}
