import Belfry
import BelfryRecorder
import BelfryRecurrence
import BelfryTesting
import Foundation
import Testing

/// Quoted in the article testing-your-app.
@Suite("The manual clock's time zone")
struct TimeZoneTests {
    let app = AppIdentity(id: "org.example.Tea")

    @Test("Breakfast is at eight by the calendar on the wall, wherever the test runs") func localTime() async throws {
        let clock = ManualTriggerClock(zone: .system())
        let recorder = RecorderBackend()
        let center = NoticeCenter(app: app, backend: recorder, clock: .manual(clock))
        try await center.run { center in
            await recorder.waitUntilReported()
            let trigger = CalendarTrigger(matching: DateFields(hour: 8), repeats: false)
            try await center.add(NoticeRequest(id: "breakfast", title: "Breakfast", trigger: trigger))
            try await clock.advance(by: .seconds(86_400))
            let breakfast = try recorder.expectDelivery(of: "breakfast")
            #expect(Calendar.current.component(.hour, from: breakfast.dueDate) == 8)
        }
    }
}
