import Belfry
import BelfryRecorder
import BelfryTesting
import Foundation
import MessageAlertsKit

/// The app's alerts on a recorder and a manual clock: time stands still until a test moves it.
struct AlertWorld: Sendable {
    let clock = ManualTriggerClock()
    let recorder = RecorderBackend()
    let center: NoticeCenter
    let alerts: MessageAlerts

    private init(_ plan: AlertPlan) {
        center = NoticeCenter(
            app: AppIdentity(id: "org.example.MessageAlerts"),
            backend: recorder,
            clock: .manual(clock)
        )
        alerts = MessageAlerts(center: center, plan: plan)
    }

    static func run(_ shape: AlertPlan.Shape, _ body: @escaping @Sendable (AlertWorld) async throws -> Void)
        async throws
    {
        try await run(AlertPlan(shape: shape), body)
    }

    static func run(_ plan: AlertPlan, _ body: @escaping @Sendable (AlertWorld) async throws -> Void) async throws {
        let world = AlertWorld(plan)
        try await world.center.run { _ in
            await world.recorder.waitUntilReported()
            try await body(world)
        }
    }

    /// A message comes now, and its first alert is shown.
    @discardableResult
    func receive(_ id: String, from sender: String = "Ada") async throws -> Message {
        let message = Message(id: id, sender: sender, text: "Are you coming?", arrived: clock.date)
        try await alerts.received(message)
        try await clock.settle()
        return message
    }

    /// The user reacts to the newest alert on the screen, of one sender where one is named.
    func respondToLatest(_ response: SimulatedResponse, to sender: String? = nil) throws {
        let latest = recorder.shown.last { sender == nil || $0.delivery.content.title == sender }
        try recorder.simulate(response, on: latest?.id ?? "an alert of \(sender ?? "anybody")")
    }

    func senders() -> [String] { recorder.deliveries.map(\.content.title) }
}
