import Belfry
import BelfryRecurrence
import BelfryTestSupport
import BelfryTesting
import Foundation
import Testing

@Suite("Schedules in simulated time alone", .takesTurns, .timeLimit(.minutes(5)))
struct ScheduleSimulationTests {
    /// A Saturday; in Berlin clocks are put forward the night after.
    private static let start = date("2026-03-28T12:00:00Z")

    private static func date(_ text: String) -> Date { try! Date(text, strategy: .iso8601) }

    private static func times(_ shown: [DeliveredNotice]) -> [String] {
        shown.map { "\($0.requestID) \($0.date.formatted(.iso8601))" }
    }

    private static func at(_ text: String) -> DateTrigger { DateTrigger(date: date(text)) }

    @Test("A series comes until it is answered, and the rest of it is told") func series() throws {
        let start = Self.start
        var simulation = try ScheduleSimulation(from: start)
        let message = NoticeContent(title: "New message", body: "From Ada")
        try simulation.add(NoticeSeries(id: "mail", content: message, spacing: .seconds(300), count: 10))
        let hour = try simulation.run(until: start.addingTimeInterval(3_600)) { notice in
            notice.date == start.addingTimeInterval(600) ? .open(after: .seconds(60)) : nil
        }
        #expect(hour.shown.map(\.date) == [0, 300, 600].map { start.addingTimeInterval($0) })
        #expect(hour.unshown.count { $0.outcome == .removed } == 7)
        #expect(hour.shown.allSatisfy { $0.series == "mail" && $0.late == .zero })
        #expect(hour.unshown.count == 7 && hour.unshown.allSatisfy { $0.date == start.addingTimeInterval(660) })
    }

    @Test("Closing it by hand ends what says that it does, and nothing else") func dismissal() throws {
        var simulation = try ScheduleSimulation(from: Self.start)
        for (id, ends) in [("ends", true), ("stays", false)] {
            try simulation.add(
                .untilAnswered(
                    id: id,
                    content: NoticeContent(title: id),
                    every: .seconds(600),
                    count: 3,
                    dismissalEnds: ends
                )
            )
        }
        let outcome = try simulation.run(until: Self.start.addingTimeInterval(86_400)) { _ in .dismiss() }
        #expect(outcome.shown.map(\.requestID) == ["ends", "stays", "stays", "stays"])
    }

    @Test("What is put off comes again, as often as that is done, by the button or until tomorrow") func snooze() throws
    {
        var simulation = try ScheduleSimulation(from: Self.start, zone: .named("Europe/Berlin"))
        var content = NoticeContent(title: "Tea")
        content.category = NoticeCategory.snoozeID
        try simulation.add(NoticeRequest(id: "tea", content: content, trigger: .after(.seconds(60))))
        let outcome = try simulation.run(until: Self.date("2026-04-01T00:00:00Z")) { notice in
            switch notice.snoozeCount {
            case 0: .action(notice.content.actions[0].id, after: .seconds(30))
            case 1: .snooze(.tomorrow(hour: 9))
            default: .open()
            }
        }
        #expect(
            Self.times(outcome.shown) == [
                "tea 2026-03-28T12:01:00Z", "tea 2026-03-28T12:06:30Z", "tea 2026-03-29T07:00:00Z",
            ]
        )
        #expect(outcome.unshown == [])
    }

    @Test("What waits for the end of quiet hours comes then, what is time-sensitive at once") func quietHours() throws {
        var simulation = try ScheduleSimulation(
            from: Self.start,
            zone: .utc,
            quietHours: QuietHours([QuietHours.Period(from: "22:00", to: "07:00")])
        )
        let nightly = CalendarTrigger(matching: DateFields(hour: 23), repeats: true)
        try simulation.add([
            NoticeRequest(id: "waits", title: "W", trigger: nightly),
            NoticeRequest(
                id: "passes",
                content: NoticeContent(title: "P", level: .timeSensitive),
                trigger: Self.at("2026-03-28T23:30:00Z")
            ),
        ])
        let first = try simulation.run(until: Self.date("2026-03-29T12:00:00Z"))
        #expect(Self.times(first.shown) == ["passes 2026-03-28T23:30:00Z", "waits 2026-03-29T07:00:00Z"])
        #expect(first.shown.map(\.late) == [.zero, .zero])
        try simulation.setQuietHours(
            QuietHours([QuietHours.Period(from: "22:00", to: "07:00")], behavior: .deliverQuietly)
        )
        let second = try simulation.run(until: Self.date("2026-03-30T12:00:00Z"))
        #expect(Self.times(second.shown) == ["waits 2026-03-29T23:00:00Z"])
        #expect(second.shown.map(\.content.level) == [.passive])
    }

    @Test("A local time that the clock change leaves out, and one that comes twice, are shown once") func clockChange()
        throws
    {
        let berlin = try ZoneRules.named("Europe/Berlin")
        let trigger = CalendarTrigger(matching: DateFields(hour: 2, minute: 30), repeats: true)
        func days(from start: String, until end: String) throws -> [String] {
            var simulation = try ScheduleSimulation(from: Self.date(start), zone: berlin)
            try simulation.add(NoticeRequest(id: "a", title: "A", trigger: trigger))
            return try Self.times(simulation.run(until: Self.date(end)).shown)
        }
        #expect(
            try days(from: "2026-03-28T00:00:00Z", until: "2026-03-30T12:00:00Z")
                == ["a 2026-03-28T01:30:00Z", "a 2026-03-29T01:30:00Z", "a 2026-03-30T00:30:00Z"]
        )
        #expect(
            try days(from: "2026-10-24T00:00:00Z", until: "2026-10-26T12:00:00Z")
                == ["a 2026-10-24T00:30:00Z", "a 2026-10-25T00:30:00Z", "a 2026-10-26T01:30:00Z"]
        )
    }

    @Test("A request that may not be late comes on time, and not where it was due before") func misfire() throws {
        func notice(_ id: String, _ misfire: MisfirePolicy, due: Date) -> PendingNotice {
            let request = NoticeRequest(
                id: id,
                content: NoticeContent(title: id),
                trigger: DateTrigger(date: due),
                misfire: misfire
            )
            return PendingNotice(request: request, next: due, fired: 0)
        }
        let (before, after) = (Self.start.addingTimeInterval(-60), Self.start.addingTimeInterval(60))
        var run = try SimulatedRun(
            from: Self.start,
            pending: [
                notice("gone", .skip, due: before), notice("late", .deliver, due: before),
                notice("on time", .skip, due: after),
            ],
            zone: .utc
        )
        let outcome = try run.run(until: after, atMost: 10)
        #expect(Self.times(outcome.shown) == ["late 2026-03-28T12:00:00Z", "on time 2026-03-28T12:01:00Z"])
        #expect(outcome.shown.map(\.late) == [.seconds(60), .zero])
        #expect(outcome.unshown.map(\.requestID) == ["gone"] && outcome.unshown[0].outcome == .missed)
        #expect(outcome.unshown[0].detail == "later than its misfire policy allows (2.0 s)")
    }

    @Test("A pending limit drops what it drops, or refuses") func limit() throws {
        func simulation(_ overflow: CenterOptions.PendingLimit.Overflow) throws -> ScheduleSimulation {
            try ScheduleSimulation(
                from: Self.start,
                pendingLimit: CenterOptions.PendingLimit(count: 2, overflow: overflow)
            )
        }
        let requests = [3.0, 1, 2].map {
            NoticeRequest(id: "\(Int($0))", title: "T", trigger: DateTrigger(date: Self.start.addingTimeInterval($0)))
        }
        var soonest = try simulation(.keepSoonest)
        #expect(try soonest.add(requests).dropped == ["3"])
        let outcome = try soonest.run(until: Self.start.addingTimeInterval(10))
        #expect(outcome.shown.map(\.requestID) == ["1", "2"])
        #expect(outcome.unshown.map { "\($0.requestID) \($0.outcome)" } == ["3 dropped"])
        var refusing = try simulation(.refuse)
        #expect(throws: NoticeError.self) { try refusing.add(requests) }
        #expect(try refusing.run(until: Self.start.addingTimeInterval(10)).shown == [])
    }

    @Test("After so many showings it is over, and says so; exactly so many are not cut") func cut() throws {
        var simulation = try ScheduleSimulation(from: Self.start)
        let seconds = try RecurrenceTrigger(.rrule("FREQ=SECONDLY"), starting: Self.start)
        try simulation.add(NoticeRequest(id: "a", title: "A", trigger: seconds))
        let minute = try simulation.run(until: Self.start.addingTimeInterval(60), atMost: 60)
        #expect(minute.shown.count == 60 && !minute.isCut)
        let year = try simulation.run(until: Self.start.addingTimeInterval(366 * 86_400), atMost: 100)
        #expect(year.shown.count == 100 && year.isCut)
        #expect(year.shown.last?.date == Self.start.addingTimeInterval(160))
        let more = try simulation.run(until: Self.start.addingTimeInterval(367 * 86_400))
        #expect(more.shown == [] && more.isCut)
    }

    @Test("The content is as it is seen: escalated, translated, with the category's buttons; no other can be pressed")
    func content() throws {
        let category = NoticeCategory("call", actions: [NoticeAction("call", title: "Call")])
        var simulation = try ScheduleSimulation(from: Self.start, categories: [category], languages: ["de-AT"])
        var content = NoticeContent(title: "Missed call")
        content.category = "call"
        content.translations["de"] = .init(title: "Anruf", actions: ["call": "Anrufen"])
        let step = NoticeSeries.EscalationStep(
            from: 2,
            level: .critical,
            translations: ["de": .init(title: "Immer noch")]
        )
        try simulation.add(
            .untilAnswered(id: "a", content: content, every: .seconds(60), count: 2, escalation: [step])
        )
        let outcome = try simulation.run(until: Self.start.addingTimeInterval(600))
        #expect(outcome.shown.map(\.content.title) == ["Anruf", "Immer noch"])
        #expect(outcome.shown.map(\.content.level) == [.active, .critical])
        #expect(outcome.shown.map { $0.content.actions.map(\.title) } == [["Anrufen"], ["Anrufen"]])
        try simulation.add(NoticeRequest(id: "b", content: content))
        let error = #expect(throws: NoticeError.self) {
            try simulation.run(until: Self.start.addingTimeInterval(601)) { _ in .action("hang-up") }
        }
        #expect(error?.message.contains("its actions are: 'call'") == true)
    }

    @Test("What is not displayed, and what is removed, is not shown, and told") func unshown() throws {
        var simulation = try ScheduleSimulation(from: Self.start)
        let hidden = NoticeContent(title: "sync").with { $0.isDisplayed = false }
        try simulation.add([
            NoticeRequest(id: "hidden", content: hidden, trigger: .after(.seconds(1))),
            NoticeRequest(id: "removed", title: "R", trigger: .after(.seconds(2))),
        ])
        try simulation.remove(["removed"])
        let outcome = try simulation.run(until: Self.start.addingTimeInterval(10))
        #expect(outcome.shown == [])
        #expect(outcome.unshown.map { "\($0.requestID) \($0.outcome)" } == ["removed removed", "hidden suppressed"])
    }

    @Test("Ten years of a thousand birthdays are their triggers' dates") func tenYears() throws {
        let end = Self.start.addingTimeInterval(3_653 * 86_400)
        var simulation = try ScheduleSimulation(from: Self.start, zone: .named("Europe/Berlin"))
        var wanted: [String: [Date]] = [:]
        for number in 0..<1_000 {
            let fields = DateFields(month: number % 12 + 1, day: number % 28 + 1, hour: number % 24)
            let trigger = CalendarTrigger(matching: fields, repeats: true)
            try simulation.add(NoticeRequest(id: "\(number)", title: "Birthday", trigger: trigger))
            wanted["\(number)"] = trigger.previewOccurrences(11, after: Self.start, in: try .named("Europe/Berlin"))
                .filter { $0 <= end }
        }
        let outcome = try simulation.run(until: end)
        #expect(outcome.shown.count == 10_000 && outcome.unshown == [] && !outcome.isCut)
        #expect(Dictionary(grouping: outcome.shown, by: \.requestID).mapValues { $0.map(\.date) } == wanted)
        #expect(zip(outcome.shown, outcome.shown.dropFirst()).allSatisfy { $0.date <= $1.date })
    }
}
