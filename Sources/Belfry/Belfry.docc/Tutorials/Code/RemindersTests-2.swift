import Belfry
import BelfryRecorder
import BelfryTesting
import Foundation
import RemindersKit
import Testing

@Suite("Reminders")
struct RemindersTests {
    let app = AppIdentity(id: "org.example.Reminders")

    @Test("A reminder comes at its date, and not before") func onTime() async throws {
        let clock = ManualTriggerClock()
        let recorder = RecorderBackend()
        let center = NoticeCenter(app: app, backend: recorder, clock: .manual(clock))
        try await center.run { center in
            await recorder.waitUntilReported()
            try await Reminders(center: center).add("Call Ada", date: clock.date.addingTimeInterval(3_600))
            try await clock.advance(by: .seconds(3_599))
            #expect(recorder.deliveries == [])
            try await clock.advance(by: .seconds(1))
            #expect(try recorder.expectDelivery(of: "Call Ada").content.title == "Call Ada")
        }
    }

    @Test("Snoozed, it comes again ten minutes later") func snoozed() async throws {
        let clock = ManualTriggerClock()
        let recorder = RecorderBackend()
        let center = NoticeCenter(app: app, backend: recorder, clock: .manual(clock))
        try await center.run { center in
            await recorder.waitUntilReported()
            let reminders = Reminders(center: center)
            try await reminders.add("Call Ada", date: clock.date.addingTimeInterval(60))
            try await clock.advance(by: .seconds(60))
            let snooze = NoticeAction.snooze(.after(.seconds(600)))
            try recorder.simulate(.action(snooze.id), on: "Call Ada")
            try await clock.settle()
            #expect(try await reminders.titles() == ["Call Ada"])
            try await clock.advance(by: .seconds(600))
            #expect(recorder.deliveries.count == 2)
        }
    }
}
