import Belfry
import BelfryRecorder
import Synchronization

/// The recorder on a desktop with a dock, which has numbers on icons, and with a setting for each app.
final class DockBackend: DeliveryBackend {
    // Receipts name the recorder, and so do its events.
    var name: String { recorder.name }
    let recorder: RecorderBackend
    private let state = Mutex(State())

    private struct State {
        var badges: [Int] = []
        var permission = DesktopPermission.unknown
    }

    init(_ recorder: RecorderBackend) { self.recorder = recorder }

    var badges: [Int] { state.withLock { $0.badges } }

    var permission: DesktopPermission {
        get { state.withLock { $0.permission } }
        set { state.withLock { $0.permission = newValue } }
    }

    func capabilities() async throws(NoticeError) -> DeliveryCapabilities { try await recorder.capabilities() }
    func withdraw(_ receipt: DeliveryReceipt) async throws(NoticeError) { try await recorder.withdraw(receipt) }
    func desktopPermission(for app: AppIdentity) async -> DesktopPermission { permission }

    func deliver(_ delivery: Delivery) async throws(NoticeError) -> DeliveryReceipt {
        try await recorder.deliver(delivery)
    }

    func run(reporting report: @escaping @Sendable (BackendEvent) -> Void) async throws(NoticeError) {
        try await recorder.run(reporting: report)
    }

    func setBadge(_ count: Int, of app: AppIdentity) async throws(NoticeError) {
        state.withLock { $0.badges.append(count) }
    }
}
