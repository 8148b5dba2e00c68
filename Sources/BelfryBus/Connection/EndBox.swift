import Synchronization

/// What ends a registration, run once, whoever comes first.
final class EndBox: Sendable {
    private let action = Mutex<(@Sendable () -> Void)?>(nil)

    func set(_ end: @escaping @Sendable () -> Void) { action.withLock { $0 = end } }

    func end() {
        let end = action.withLock { action in
            defer { action = nil }
            return action
        }
        end?()
    }
}
