import Belfry
import Synchronization

/// Shows notices on an LED sign: one line each, and one button below it.
final class SignBackend: DeliveryBackend {
    private struct State {
        var lines: [String: String] = [:]
        var handleCount = 0
        var report: (@Sendable (BackendEvent) -> Void)?
    }
    private let state = Mutex(State())
    let name = "sign"

    func capabilities() async throws(NoticeError) -> DeliveryCapabilities {
        DeliveryCapabilities(server: "LED sign 1", features: [.actions, .replacing], titleLimit: 80, actionLimit: 1)
    }

    func deliver(_ delivery: Delivery) async throws(NoticeError) -> DeliveryReceipt {
        state.withLock { state in
            var handle = delivery.replaces?.handle ?? ""
            if state.lines[handle] == nil {
                state.handleCount += 1
                handle = String(state.handleCount)
            }
            state.lines[handle] = delivery.content.title
            return DeliveryReceipt(backend: name, handle: handle, lost: delivery.lost)
        }
    }

    func withdraw(_ receipt: DeliveryReceipt) async throws(NoticeError) {
        state.withLock { $0.lines[receipt.handle] = nil }
    }

    func run(reporting report: @escaping @Sendable (BackendEvent) -> Void) async throws(NoticeError) {
        state.withLock { $0.report = report }
        for await _ in AsyncStream<Never>.makeStream().stream {}  // ends when the task is canceled
        state.withLock { $0.report = nil }
    }

    /// Somebody presses the button below a line.
    func press(_ action: String, on receipt: DeliveryReceipt) {
        state.withLock { state in
            guard state.lines.removeValue(forKey: receipt.handle) != nil else { return }
            let reference = DeliveryReceipt.Reference(receipt)
            state.report?(.responded(reference, action: action, text: nil, activationToken: nil))
            state.report?(.closed(reference, .dismissed))
        }
    }
}
