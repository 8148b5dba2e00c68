import Synchronization

/// Holds callers up while it is closed.
final class StallGate: Sendable {
    private struct State {
        var isClosed = false
        var held: [UInt64: CheckedContinuation<Bool, Never>] = [:]
        var watchers: [UInt64: (count: Int, continuation: CheckedContinuation<Void, Never>)] = [:]
        var lastID: UInt64 = 0
    }

    private let state = Mutex(State())

    func close() { state.withLock { $0.isClosed = true } }

    /// Lets everybody pass, in the order in which they came.
    func open() {
        let held = state.withLock { state in
            defer { (state.isClosed, state.held) = (false, [:]) }
            return state.held.sorted { $0.key < $1.key }
        }
        for one in held { one.value.resume(returning: true) }
    }

    /// Returns at once while the gate is open, else when it is opened; false when the task was cancelled first.
    func pass() async -> Bool {
        guard state.withLock({ $0.isClosed }) else { return true }
        let id = makeID()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (answer, watchers) = state.withLock { state -> (Bool?, [CheckedContinuation<Void, Never>]) in
                    guard !Task.isCancelled else { return (false, []) }
                    guard state.isClosed else { return (true, []) }
                    state.held[id] = continuation
                    let satisfied = state.watchers.filter { $0.value.count <= state.held.count }
                    for id in satisfied.keys { state.watchers[id] = nil }
                    return (nil, satisfied.values.map(\.continuation))
                }
                if let answer { continuation.resume(returning: answer) }
                for watcher in watchers { watcher.resume() }
            }
        } onCancel: {
            state.withLock { $0.held.removeValue(forKey: id) }?.resume(returning: false)
        }
    }

    /// Returns when so many are held up, or when the task is cancelled.
    func waitUntilHeld(_ count: Int) async {
        let id = makeID()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if state.held.count >= count || Task.isCancelled { return true }
                    state.watchers[id] = (count, continuation)
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.watchers.removeValue(forKey: id) }?.continuation.resume()
        }
    }

    private func makeID() -> UInt64 {
        state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
    }
}
