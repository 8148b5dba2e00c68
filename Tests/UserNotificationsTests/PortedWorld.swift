import Belfry
import BelfryRecorder
import BelfryRecurrence
import BelfryTesting
import UserNotifications

/// A program that was ported: its center, the recorder, and a clock. One at a time, as with Apple.
struct PortedWorld: Sendable {
    static let start = Date(timeIntervalSince1970: 1_767_225_600)
    static let app = AppIdentity(id: "org.example.Ported")

    let center: UNUserNotificationCenter
    let dock: DockBackend
    let clock: ManualTriggerClock
    let position: ManualLocationProvider
    let prompt: ScriptedPrompt
    /// Belfry's own.
    let belfry: NoticeCenter

    var recorder: RecorderBackend { dock.recorder }

    static func run(
        offering capabilities: DeliveryCapabilities = .everything,
        store: NoticeStore = .memory,
        options: CenterOptions = CenterOptions(),
        prompt: ScriptedPrompt? = nil,
        _ body: @escaping @Sendable (PortedWorld) async throws -> Void
    ) async throws {
        let clock = ManualTriggerClock(date: start, zone: .utc)
        let dock = DockBackend(RecorderBackend(offering: capabilities))
        let position = ManualLocationProvider()
        let center = NoticeCenter(
            app: app,
            backend: dock,
            store: store,
            clock: .manual(clock),
            prompt: prompt,
            location: position,
            options: options
        )
        try await center.run { center in
            await UNUserNotificationCenter.use(center)
            try await body(
                PortedWorld(
                    center: .current(),
                    dock: dock,
                    clock: clock,
                    position: position,
                    prompt: prompt ?? ScriptedPrompt(),
                    belfry: center
                )
            )
        }
        UNUserNotificationCenter.current().delegate = nil
    }

    /// Adds a request by Apple's names.
    func add(
        _ id: String,
        _ content: UNNotificationContent = .titled("T"),
        _ trigger: UNNotificationTrigger? = nil
    ) async throws {
        try await center.add(UNNotificationRequest(identifier: id, content: content, trigger: trigger))
    }

    /// What the server got of a request that is shown at once.
    func shown(_ id: String, _ content: UNNotificationContent) async throws -> NoticeContent {
        try await add(id, content)
        try await clock.settle()
        return try recorder.expectDelivery(of: id).content
    }

    /// What Apple's names say of a notice on the screen.
    func delivered(_ id: String) async throws -> UNNotification {
        let notices = await center.deliveredNotifications()
        guard let notice = notices.first(where: { $0.request.identifier == id }) else {
            throw NoticeError(
                .notFound,
                "Of '\(id)' nothing is on the screen, but \(notices.map(\.request.identifier))."
            )
        }
        return notice
    }
}

extension UNNotificationContent {
    static func titled(_ title: String) -> UNMutableNotificationContent {
        let content = UNMutableNotificationContent()
        content.title = title
        return content
    }
}
