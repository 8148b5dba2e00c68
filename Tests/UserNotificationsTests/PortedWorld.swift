import Belfry
import BelfryRecorder
import BelfryRecurrence
import BelfryTesting
import UserNotifications

/// A program that was ported: its center, the recorder, and a clock. One at a time, as with Apple.
struct PortedWorld: Sendable {
    static let start = Date(timeIntervalSince1970: 1_767_225_600)

    let center: UNUserNotificationCenter
    let recorder: RecorderBackend
    let clock: ManualTriggerClock
    let position: ManualLocationProvider
    /// Belfry's own.
    let belfry: NoticeCenter

    static func run(
        offering capabilities: DeliveryCapabilities = .everything,
        store: NoticeStore = .memory,
        _ body: @escaping @Sendable (PortedWorld) async throws -> Void
    ) async throws {
        let clock = ManualTriggerClock(at: start, zone: .utc)
        let recorder = RecorderBackend(offering: capabilities)
        let position = ManualLocationProvider()
        let app = AppIdentity(id: "org.example.Ported")
        let center = NoticeCenter(app: app, backend: recorder, store: store, clock: .manual(clock), location: position)
        try await center.run { center in
            await UNUserNotificationCenter.use(center)
            try await body(
                PortedWorld(center: .current(), recorder: recorder, clock: clock, position: position, belfry: center)
            )
        }
        UNUserNotificationCenter.current().delegate = nil
    }
}

extension UNMutableNotificationContent {
    static func titled(_ title: String) -> UNMutableNotificationContent {
        let content = UNMutableNotificationContent()
        content.title = title
        return content
    }
}
