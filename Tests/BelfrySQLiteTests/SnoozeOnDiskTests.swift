import Belfry
import BelfryRecorder
import BelfryRecurrence
import BelfryTestSupport
import BelfryTesting
import Foundation
import Testing

@testable import BelfrySQLite

@Suite("Snoozes, quiet hours and series in a SQLite store", .takesTurns)
struct SnoozeOnDiskTests {
    private let start = AppLife.start

    @Test("A snoozed notice comes after a restart and a reboot with its content, and knows how often it was put off")
    func snooze() async throws {
        let scratch = try TemporaryFolder()
        let folder = scratch.path("store")
        let clock = ManualTriggerClock(date: start, zone: .utc)
        let hour = SnoozeChoice.after(.seconds(3_600)).actionID
        try await AppLife.run(in: folder, clock) { life in
            var request = NoticeRequest(id: "tea", title: "Tea", body: "Four minutes")
            request.content.category = NoticeCategory.snoozeID
            var repeating = NoticeRequest(id: "beat", title: "Beat", trigger: .every(.seconds(600)))
            repeating.content.category = NoticeCategory.snoozeID
            try await life.center.add([request, repeating])
            try await clock.advance(by: .seconds(600))
            for id in ["tea", "beat"] {
                try life.recorder.simulate(.action(hour), on: id)
                await life.recorder.waitUntilReported()
                await life.center.quiet()
            }
            #expect(try await life.center.pending().map(\.snoozeCount) == [1, 1])
        }
        try await clock.reboot(taking: .seconds(900))
        try await AppLife.run(in: folder, clock) { life in
            let pending = try await life.center.pending()
            #expect(pending.map(\.id) == ["beat", "tea"])
            #expect(pending.map(\.snoozedUntil) == Array(repeating: start.addingTimeInterval(4_200), count: 2))
            #expect(life.delivered() == ["beat"], "its own firing")
            try await clock.advance(by: .seconds(2_700))
            let teas = life.recorder.deliveries.filter { $0.snoozeCount == 1 }
            #expect(Set(teas.map(\.requestID)) == ["tea", "beat"])
            #expect(teas.first { $0.requestID == "tea" }?.content.body == "Four minutes")
            #expect(teas.allSatisfy { $0.late == .zero && !$0.isPossiblyRepeated })
            #expect(try await life.lines(of: "tea").last?.detail == "snoozed once")
        }
    }

    @Test("Quiet hours, and what waits for their end, are there in the next life") func quietHours() async throws {
        let scratch = try TemporaryFolder()
        let folder = scratch.path("store")
        let clock = ManualTriggerClock(date: start, zone: .utc)
        let hours = QuietHours(
            [QuietHours.Period(from: "22:00", to: "07:00", on: [.wednesday, .thursday])],
            behavior: .wait
        )
        try await AppLife.run(in: folder, clock) { life in
            try await life.center.setQuietHours(hours)
            try await life.center.add(NoticeRequest(id: "a", title: "A"))
            await life.center.quiet()
            #expect(life.delivered() == [])
        }
        try await AppLife.run(in: folder, clock) { life in
            #expect(try await life.center.quietHours() == hours)
            try await clock.advance(by: .seconds(7 * 3_600))
            #expect(life.delivered() == ["a"])
            #expect(life.late("a") == .zero)
            #expect(try await life.lines(of: "a").map(\.outcome) == [.retrying, .delivered])
            try await life.center.setQuietHours(nil)
        }
        try await AppLife.run(in: folder, clock) { life in
            let none = try await life.center.quietHours()
            #expect(none == nil)
        }
    }

    @Test("A series has its escalation and its places in the next life; what had no room stands in the ledger")
    func series() async throws {
        let scratch = try TemporaryFolder()
        let folder = scratch.path("store")
        let clock = ManualTriggerClock(date: start, zone: .utc)
        try await AppLife.run(in: folder, clock) { life in
            try await life.center.add(
                NoticeSeries(
                    id: "mail",
                    content: NoticeContent(title: "Mail"),
                    first: start.addingTimeInterval(60),
                    spacing: .seconds(60),
                    count: 4,
                    escalation: [NoticeSeries.EscalationStep(from: 2, level: .timeSensitive, title: "Still there")]
                )
            )
            try await life.center.add(
                .untilAnswered(
                    id: "repeat",
                    content: NoticeContent(title: "R"),
                    every: .seconds(60),
                    escalation: [NoticeSeries.EscalationStep(from: 3, level: .critical)]
                )
            )
            try await clock.advance(by: .seconds(60))
        }
        try await AppLife.run(in: folder, clock) { life in
            let series = try await life.center.pendingSeries()
            #expect(series.map { [$0.left, $0.kept, $0.total] } == [[3, 4, 4]])
            #expect(series.map(\.title) == ["Still there"])
            try await clock.advance(by: .seconds(60))
            #expect(life.recorder.deliveries.map(\.content.level).sorted() == [.timeSensitive, .critical])
            try await life.center.remove("mail")
            #expect(try await life.center.pending().map(\.id) == ["repeat"])
        }
    }

    @Test("Records that an earlier version wrote are read: no level, no wait, no snoozes") func earlier() throws {
        let traits =
            #"{"endsWhenAnswered":true,"dismissalEnds":false,"misfire":{"skip":{}},"isResident":false,"reportsDismissal":true}"#
        let record = try JSONDecoder().decode(
            DeliveryRecord.self,
            from: Data(
                #"{"id":"1","requestID":"x","revision":3,"dueAt":{"wall":1,"boot":2},"traits":\#(traits)}"#.utf8
            )
        )
        #expect(record.snoozes == 0 && record.wait == nil && record.firing == 1 && record.traits.level == .active)
        let pending = try JSONDecoder().decode(
            RequestTraits.self,
            from: Data(#"{"level":"critical","relevance":0.5,"delivery":\#(traits)}"#.utf8)
        )
        #expect(pending.level == .critical && pending.delivery.level == .critical && pending.levels == [])
        let response = #"{"id":"1","requestID":"x","deliveryID":"y","kind":{"opened":{}},"at":0,"userInfo":{}}"#
        let read = try JSONDecoder().decode(NoticeResponse.self, from: Data(response.utf8))
        #expect(read.request == nil && read.snoozedUntil == nil && read.snoozeCount == 0)
    }
}
