import Belfry
import BelfryRecorder
import BelfryTesting
import Foundation
import Testing

@Suite("Series and snooze, as the article has them")
struct SeriesAndSnoozeTests {
    private static func run(
        _ body: @escaping @Sendable (NoticeCenter, RecorderBackend, ManualTriggerClock) async throws -> Void
    ) async throws {
        let (clock, recorder) = (ManualTriggerClock(), RecorderBackend())
        let app = AppIdentity(id: "org.example.Mail")
        let center = NoticeCenter(app: app, backend: recorder, clock: .manual(clock))
        try await center.run { center in
            await recorder.waitUntilReported()
            try await body(center, recorder, clock)
        }
    }

    @Test("A series that grows louder") func series() async throws {
        try await Self.run { center, recorder, clock in
            var content = NoticeContent(title: "New message", body: "From Ada")
            content.actions = [NoticeAction("read", title: "Mark as read")]
            let series = NoticeSeries(
                id: "mail/17",
                content: content,
                spacing: .seconds(300),
                count: 10,
                escalation: [
                    NoticeSeries.EscalationStep(from: 3, level: .timeSensitive),
                    NoticeSeries.EscalationStep(
                        from: 6,
                        title: "Still unread",
                        translations: ["de": .init(title: "Noch ungelesen")]
                    ),
                ]
            )
            try await center.add(series)

            for series in try await center.pendingSeries() {
                print("\(series.id): \(series.left) of \(series.total) left, next \(series.next as Any)")
            }
            try await clock.advance(by: .seconds(3_600))
            #expect(recorder.deliveries.map(\.content.title).last == "Still unread")
            #expect(recorder.deliveries.count == 10)
        }
    }

    @Test("Snoozing by built-in buttons and by the app's own") func snooze() async throws {
        try await Self.run { center, recorder, clock in
            var content = NoticeContent(title: "Tea is ready")
            content.category = NoticeCategory.snoozeID
            content.actions = [NoticeAction("later", title: "Not now")]
            try await center.add(NoticeRequest(id: "tea", content: content))
            try await clock.settle()
            let responses = await center.responses()
            try recorder.simulate(.action("later"), on: "tea")

            for await response in responses {
                if let until = response.snoozedUntil { print("snoozed until \(until), nothing to do") }
                if response.actionID == "later" { try await response.snooze(for: .seconds(120)) }
                break
            }
            try await clock.advance(by: .seconds(120))
            #expect(recorder.deliveries.map(\.snoozeCount) == [0, 1])
            try recorder.simulate(.action("belfry.snooze.after.300"), on: "tea")
            try await clock.advance(by: .seconds(300))
            #expect(recorder.deliveries.map(\.snoozeCount) == [0, 1, 2])
        }
    }

    @Test("Quiet hours") func quietHours() async throws {
        try await Self.run { center, _, _ in
            let nights = QuietHours.Period(from: "22:00", to: "07:00")
            let lunch = QuietHours.Period(from: "12:30", to: "13:30", on: Weekday.workdays)
            try await center.setQuietHours(QuietHours([nights, lunch]))
            let kept = try await center.quietHours()
            #expect(kept?.periods == [nights, lunch])
        }
    }

    @Test("A summary") func summary() async throws {
        try await Self.run { center, recorder, clock in
            var content = NoticeContent(title: "Ada", body: "Are you coming?")
            content.thread = "inbox"
            content.summary = ThreadSummary(
                moreThan: 4,
                within: .seconds(60),
                title: "{count} new messages",
                translations: ["de": .init(title: "{count} neue Nachrichten")]
            )
            try await center.add((1...6).map { NoticeRequest(id: "mail/\($0)", content: content) })
            try await clock.settle()
            #expect(recorder.shown.map(\.delivery.content.title) == ["6 new messages"])
        }
    }
}
