import Foundation
import Synchronization

@testable import Belfry

/// A backend that shows nothing and notes how late it was asked to, in microseconds.
final class ClockedBackend: DeliveryBackend {
    private struct State {
        var lateness: [Int64] = []
        var goal = Int.max
        var waiter: CheckedContinuation<Void, Never>?
    }

    let name = "clocked"
    var mayBlock: Bool { false }
    private let state = Mutex(State())
    private let clock = SystemTriggerClock()

    var lateness: [Int64] { state.withLock { $0.lateness } }

    /// Returns when so many have been delivered in all.
    func delivered(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.lateness.count >= count { return true }
                state.goal = count
                state.waiter = continuation
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    func capabilities() -> DeliveryCapabilities { DeliveryCapabilities(server: name, features: [.body]) }

    func deliver(_ delivery: Delivery) -> DeliveryReceipt {
        let now = clock.now()
        let due = Int64((delivery.dueDate.timeIntervalSince1970 * 1e6).rounded())
        let (number, waiter) = state.withLock { state -> (Int, CheckedContinuation<Void, Never>?) in
            state.lateness.append(now.wall - due)
            guard state.lateness.count >= state.goal else { return (state.lateness.count, nil) }
            defer { (state.goal, state.waiter) = (.max, nil) }
            return (state.lateness.count, state.waiter)
        }
        waiter?.resume()
        return DeliveryReceipt(backend: name, handle: String(number))
    }

    func withdraw(_ receipt: DeliveryReceipt) {}

    func run(reporting report: @escaping @Sendable (BackendEvent) -> Void) {}
}
