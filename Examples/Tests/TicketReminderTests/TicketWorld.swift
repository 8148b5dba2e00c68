import Belfry
import BelfryRecorder
import BelfryRecurrence
import BelfryTesting
import Foundation
import TicketReminderKit

/// The reminder's center on a recorder and a manual clock: time stands still until a test moves it.
struct TicketWorld: Sendable {
    /// 1 December 2026, 0:00 UTC.
    static let start = date("2026-12-01T00:00:00Z")

    let clock: ManualTriggerClock
    let recorder = RecorderBackend()
    let center: NoticeCenter

    static func run(
        zone: String = "Europe/Berlin",
        prompt: any AuthorizationPrompt = ScriptedPrompt(.allowed),
        _ body: @escaping @Sendable (TicketWorld) async throws -> Void
    ) async throws {
        let world = try TicketWorld(zone: zone, prompt: prompt)
        try await world.center.run { _ in
            await world.recorder.waitUntilReported()
            try await body(world)
        }
    }

    private init(zone: String, prompt: any AuthorizationPrompt) throws {
        clock = ManualTriggerClock(date: Self.start, zone: try .named(zone))
        center = NoticeCenter(
            app: AppIdentity(id: "org.example.TicketReminder", name: "Ticket Reminder"),
            backend: recorder,
            clock: .manual(clock),
            prompt: prompt
        )
    }

    func button(_ title: String, _ date: String) throws -> ReminderButton {
        ReminderButton(for: try Ticket(title: title, date: date), on: center)
    }

    func pendingIDs() async throws -> [String] { try await center.pending().map(\.id) }
}

/// Reads a date that the test itself writes down.
func date(_ text: String) -> Date {
    guard let date = try? Date(text, strategy: .iso8601) else { preconditionFailure("\(text) is no date") }
    return date
}
