import Belfry
import BelfryRecorder
import BelfryRecurrence
import BelfryTesting
import Foundation
import Testing
import TicketReminderKit

@Suite("The button beside a ticket")
struct ReminderButtonTests {
    @Test("Pressed it asks for permission once, confirms the time, and reminds ten minutes before, whatever the zone")
    func reminds() async throws {
        let prompt = ScriptedPrompt(.allowed)
        try await TicketWorld.run(prompt: prompt) { world in
            let button = try world.button("Concert", "2026-12-24T19:00:00-05:00")
            #expect(try await button.state() == .offersReminder)
            #expect(prompt.asked.isEmpty, "looking asks nothing")
            #expect(try await button.press() == .set(date("2026-12-24T23:50:00Z")))
            #expect(try await world.button("Opera", "2026-12-25").press() == .set(date("2026-12-25T07:50:00Z")))
            #expect(prompt.asked.count == 1)
            try await world.clock.advance(to: date("2026-12-24T23:49:59Z"))
            #expect(world.recorder.deliveries.isEmpty)
            try await world.clock.advance(by: .seconds(1))
            let shown = try world.recorder.expectDelivery(of: "ticket/Concert")
            #expect(shown.content.title == "Concert" && shown.content.body == "In ten minutes.")
        }
    }

    @Test("A date without a time is 8:50 on the day, where the person is then") func wholeDay() async throws {
        try await TicketWorld.run { world in
            let button = try world.button("Fair", "2026-12-24")
            #expect(try await button.press() == .set(date("2026-12-24T07:50:00Z")))
            try await world.clock.changeZone(to: try .named("America/New_York"))
            #expect(try await button.state() == .offersRemoval(date("2026-12-24T13:50:00Z")))
            try await world.clock.advance(to: date("2026-12-25T00:00:00Z"))
            #expect(world.recorder.deliveries.map(\.dueDate) == [date("2026-12-24T13:50:00Z")])
        }
    }

    @Test("Where a reminder is set it offers to remove it, also to another button for the same ticket")
    func removal() async throws {
        try await TicketWorld.run { world in
            let button = try world.button("Concert", "2026-12-24T19:00:00Z")
            _ = try await button.press()
            let other = try world.button("Concert", "2026-12-24T19:00:00Z")
            #expect(try await other.state() == .offersRemoval(date("2026-12-24T18:50:00Z")))
            #expect(try await other.state().title == "Remove my reminder")
            #expect(try await other.press() == .removed)
            #expect(try await button.state() == .offersReminder)
            #expect(try await button.state().title == "Remind me")
            try await world.clock.advance(by: .seconds(40 * 86_400))
            #expect(world.recorder.attempts == [])
        }
    }

    @Test("The same ticket twice is one reminder; one that was moved is at the new time") func twice() async throws {
        try await TicketWorld.run { world in
            let button = try world.button("Concert", "2026-12-24T19:00:00Z")
            #expect(try await button.remind() == (try await button.remind()))
            #expect(try await world.pendingIDs() == ["ticket/Concert"])
            let moved = try world.button("Concert", "2026-12-24T20:00:00Z")
            #expect(try await moved.remind() == .set(date("2026-12-24T19:50:00Z")))
            try await world.clock.advance(by: .seconds(40 * 86_400))
            #expect(world.recorder.deliveries.map(\.dueDate) == [date("2026-12-24T19:50:00Z")])
        }
    }

    @Test("Denied, nothing is set and it says how that can be changed; allowed again, it works") func denied()
        async throws
    {
        try await TicketWorld.run(prompt: ScriptedPrompt(.denied)) { world in
            let button = try world.button("Concert", "2026-12-24T19:00:00Z")
            let advice =
                "You denied notices of Ticket Reminder: 'belfry apps allow org.example.TicketReminder' allows them again."
            #expect(try await button.press() == .notAllowed(advice: advice))
            #expect(try await world.pendingIDs() == [])
            #expect(try await button.state() == .offersReminder)
            try await world.center.setAuthorization(.authorized)
            #expect(try await button.press() == .set(date("2026-12-24T18:50:00Z")))
        }
    }

    @Test(
        "What is past, or within its last ten minutes, is too late, and nothing is set",
        arguments: ["2020-01-01", "2026-11-30T23:00:00Z", "2026-12-01T00:10:00Z", "2026-12-01T01:09:00+01:00"]
    )
    func tooLate(text: String) async throws {
        try await TicketWorld.run { world in
            let button = try world.button("Concert", text)
            await #expect(throws: TicketError.tooLate(title: "Concert")) { try await button.press() }
            #expect(try await world.pendingIDs() == [])
        }
    }

    @Test("When the reminder has come, the button does not offer to remove it") func afterwards() async throws {
        try await TicketWorld.run { world in
            let button = try world.button("Concert", "2026-12-01T00:10:01Z")
            #expect(try await button.press() == .set(date("2026-12-01T00:00:01Z")))
            try await world.clock.advance(by: .seconds(2))
            try world.recorder.expectShown("ticket/Concert")
            #expect(try await button.state() == .offersReminder)
        }
    }
}
