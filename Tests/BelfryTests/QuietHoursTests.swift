import Belfry
import BelfryRecorder
import BelfryRecurrence
import BelfryTestSupport
import BelfryTesting
import Foundation
import Testing

@Suite("Quiet hours", .takesTurns)
struct QuietHoursTests {
    private static let nights = QuietHours([QuietHours.Period(from: "22:00", to: "07:00")])
    /// 2026-01-01 is a Thursday; the world begins at its first midnight.
    private static let hour = 3_600.0

    private static func at(_ hours: Double) -> DateTrigger {
        DateTrigger(date: World.start.addingTimeInterval(hours * hour))
    }

    @Test("What is due in them waits for their end, in order, and is not late; what is time-sensitive comes")
    func waits() async throws {
        try await World.run { world in
            try await world.center.setQuietHours(Self.nights)
            var requests = [("b", 2.0), ("a", 1.0), ("c", 3.0), ("end", 7.0)].map {
                NoticeRequest.sample($0.0, Self.at($0.1))
            }
            for level in [InterruptionLevel.timeSensitive, .critical] {
                var request = NoticeRequest.sample("\(level)", Self.at(4))
                request.content.level = level
                requests.append(request)
            }
            try await world.center.add(requests)
            try await world.clock.advance(by: .seconds(7 * 3_600 - 1))
            #expect(world.deliveredIDs() == ["timeSensitive", "critical"])
            #expect(try await world.history(of: "a") == [.retrying])
            #expect(
                try await world.lastDetail(of: "a", .retrying)
                    == "waits for the end of quiet hours at 2026-01-01T07:00:00Z"
            )
            try await world.clock.advance(by: .seconds(1))
            #expect(world.deliveredIDs().suffix(4) == ["a", "b", "c", "end"])
            #expect(world.recorder.deliveries.allSatisfy { $0.late == .zero })
            #expect(
                try await world.lastDetail(of: "a", .delivered)
                    == "waited for the end of quiet hours since 2026-01-01T01:00:00Z"
            )
            #expect(try await world.center.quietHours() == Self.nights)
        }
    }

    @Test("Of a request that repeats the latest firing comes, once; a removed one doesn't") func collapses()
        async throws
    {
        try await World.run { world in
            try await world.center.setQuietHours(Self.nights)
            try await world.center.add([
                .sample("beat", .every(.seconds(3_600))), .sample("gone", Self.at(1)),
            ])
            try await world.clock.advance(by: .seconds(6.5 * 3_600))
            try await world.center.remove("gone")
            #expect(world.deliveredIDs() == [])
            try await world.clock.advance(by: .seconds(0.5 * 3_600))
            #expect(Set(world.dues(of: "beat")).isSubset(of: [6 * Self.hour, 7 * Self.hour]))
            #expect(world.shownIDs() == ["beat"])
            #expect(try await world.history(of: "gone") == [.retrying, .removed])
            try await world.clock.advance(by: .seconds(3_600))
            #expect(world.dues(of: "beat").last == 8 * Self.hour)
        }
    }

    @Test("Of a series the latest element comes, once, and none after a later one that is time-sensitive")
    func collapsesSeries() async throws {
        for isEscalating in [false, true] {
            try await World.run { world in
                try await world.center.setQuietHours(Self.nights)
                try await world.center.add(
                    NoticeSeries(
                        id: "mail",
                        content: NoticeContent(title: "Mail"),
                        first: World.start.addingTimeInterval(3_600),
                        spacing: .seconds(1_800),
                        count: 10,
                        escalation: isEscalating ? [NoticeSeries.EscalationStep(from: 3, level: .timeSensitive)] : []
                    )
                )
                try await world.center.add(.sample("other", Self.at(2)))
                try await world.clock.advance(by: .seconds(8 * 3_600))
                let elements = world.deliveredIDs().filter { $0 != "other" }
                #expect(world.deliveredIDs().contains("other"))
                if isEscalating {
                    #expect(elements == (2..<10).map { "mail@\(1_767_225_600 + 3_600 + $0 * 1_800)" })
                } else {
                    #expect(elements == ["mail@\(1_767_225_600 + 3_600 + 9 * 1_800)"])
                }
                #expect(
                    try await world.lastDetail(of: "mail@\(1_767_225_600 + 3_600)", .missed)
                        == "a later element of its series took its place"
                )
            }
        }
    }

    private static func series(_ count: Int) -> NoticeSeries {
        NoticeSeries(
            id: "mail",
            content: NoticeContent(title: "Mail", actions: [.snooze(.after(.seconds(3_600)))]),
            first: World.start.addingTimeInterval(3_600),
            spacing: .seconds(1_800),
            count: count
        )
    }

    @Test("A snoozed element that ends during a suspend takes no later one's place") func collapsesSnoozed()
        async throws
    {
        try await World.run { world in
            try await world.center.setQuietHours(QuietHours([QuietHours.Period(from: "01:30", to: "07:00")]))
            try await world.center.add(Self.series(12))
            try await world.clock.advance(by: .seconds(3_600))
            let first = try #require(world.deliveredIDs().first)
            try await world.person(.action(SnoozeChoice.after(.seconds(3_600)).actionID), on: first)
            try await world.clock.advance(by: .seconds(2_400))
            try await world.clock.suspend(for: .seconds(5 * 3_600))
            try await world.clock.advance(by: .seconds(3_600))
            #expect(world.deliveredIDs() == [first, "mail@\(1_767_225_600 + 3_600 + 11 * 1_800)"])
        }
    }

    @Test("Elements that waited for a server until they begin are shown once, too") func collapsesRetried()
        async throws
    {
        try await World.run { world in
            try await world.center.setQuietHours(QuietHours([QuietHours.Period(from: "03:00", to: "07:00")]))
            world.recorder.removeServer()
            try await world.center.add(Self.series(4))
            try await world.clock.advance(by: .seconds(4 * 3_600))
            world.recorder.restoreServer()
            try await world.clock.advance(by: .seconds(4 * 3_600))
            #expect(world.shownIDs() == ["mail@\(1_767_225_600 + 3_600 + 3 * 1_800)"])
        }
    }

    @Test(
        "An element that the app shows comes, also if one waits that is later by a clock that was set back",
        .timeLimit(.minutes(5))
    )
    func shownBesideLater() async throws {
        try await World.run { world in
            try await world.center.setQuietHours(Self.nights)
            try await world.center.add(Self.series(1))
            try await world.clock.advance(by: .seconds(4_000))
            try await world.clock.set(wall: World.start.addingTimeInterval(1_800))
            var request = NoticeRequest.sample("now")
            request.series = "mail"
            _ = try await world.center.show(request)
            #expect(world.deliveredIDs() == ["now"])
            try await world.clock.advance(by: .seconds(8 * 3_600))
            #expect(world.deliveredIDs() == ["now", "mail@\(1_767_225_600 + 3_600)"])
        }
    }

    @Test("Requests of one series that repeat are shown each") func collapsesNoRepeating() async throws {
        try await World.run { world in
            try await world.center.setQuietHours(Self.nights)
            for (id, hour) in [("pills", 2), ("water", 3)] {
                var request = NoticeRequest.sample(
                    id,
                    CalendarTrigger(matching: DateFields(hour: hour), repeats: true)
                )
                request.series = "health"
                try await world.center.add(request)
            }
            try await world.clock.advance(by: .seconds(8 * 3_600))
            #expect(world.deliveredIDs() == ["pills", "water"])
        }
    }

    @Test("Only on the weekdays on which they begin; a window over midnight belongs to its beginning") func weekdays()
        async throws
    {
        // Friday and Saturday evenings: 2 and 3 January.
        let weekend = QuietHours([QuietHours.Period(from: "22:00", to: "07:00", on: [.friday, .saturday])])
        try await World.run { world in
            try await world.center.setQuietHours(weekend)
            try await world.center.add(
                .sample("hourly", CalendarTrigger(matching: DateFields(minute: 30), repeats: true))
            )
            try await world.clock.advance(by: .seconds(5 * 86_400))
            // Hours of the five days at which something was shown, in halves.
            let shown = world.recorder.deliveries.map { Int($0.dueDate.timeIntervalSince(World.start) / 1_800) / 2 }
            for day in 0..<5 {
                let night = shown.filter { $0 >= day * 24 + 22 && $0 < day * 24 + 31 }
                // The last of a quiet night comes at its end.
                #expect(night.count == (day == 1 || day == 2 ? 1 : day == 4 ? 2 : 9), "night \(day)")
            }
        }
    }

    @Test("Delivered quietly: at once, without a sound and of low urgency") func quietly() async throws {
        try await World.run { world in
            try await world.center.setQuietHours(
                QuietHours([QuietHours.Period(from: "22:00", to: "07:00")], behavior: .deliverQuietly)
            )
            var request = NoticeRequest.sample("a", Self.at(1))
            request.content.sound = .standard
            var loud = request
            (loud.id, loud.content.level) = ("loud", .timeSensitive)
            try await world.center.add([request, loud])
            try await world.clock.advance(by: .seconds(3_600))
            let (quiet, aloud) = (
                try world.recorder.expectDelivery(of: "a").content,
                try world.recorder.expectDelivery(of: "loud").content
            )
            #expect(quiet.level == .passive && quiet.sound == .silent)
            #expect(aloud.level == .timeSensitive && aloud.sound == .standard)
        }
    }

    @Test("show is not held: somebody waits for it") func show() async throws {
        try await World.run { world in
            try await world.center.setQuietHours(Self.nights)
            _ = try await world.center.show(.sample("now"))
            #expect(world.shownIDs() == ["now"])
            try await world.center.add(.sample("added"))
            await world.center.quiet()
            #expect(world.shownIDs() == ["now"])
        }
    }

    @Test("Another setting, another zone and another time of day are looked at anew") func reconsidered() async throws {
        try await World.run { world in
            try await world.center.setQuietHours(Self.nights)
            for id in ["a", "b", "c"] { try await world.center.add(.sample(id)) }
            await world.center.quiet()
            #expect(world.deliveredIDs() == [])
            // A later end: they go on waiting.
            try await world.center.setQuietHours(QuietHours([QuietHours.Period(from: "22:00", to: "09:00")]))
            try await world.clock.advance(by: .seconds(8 * 3_600))
            #expect(world.deliveredIDs() == [])
            try await world.center.setQuietHours(nil)
            await world.center.quiet()
            #expect(world.deliveredIDs() == ["a", "b", "c"])
            #expect(world.recorder.deliveries.allSatisfy { $0.late == .zero })

            try await world.center.setQuietHours(Self.nights)
            try await world.clock.advance(by: .seconds(15 * 3_600))
            try await world.center.add(.sample("east"))
            await world.center.quiet()
            #expect(world.deliveredIDs().count == 3)
            // 23:00 in London is 8:00 in Tokyo.
            try await world.clock.changeZone(to: try .named("Asia/Tokyo"))
            #expect(world.deliveredIDs().last == "east")
            try await world.clock.changeZone(to: .utc)
            try await world.center.add(.sample("set"))
            await world.center.quiet()
            #expect(world.deliveredIDs().last == "east")
            try await world.clock.set(wall: World.start.addingTimeInterval(34 * Self.hour))
            #expect(world.deliveredIDs().last == "set")
        }
    }

    @Test("What waits outlives a restart; a machine that is off at their end is late by the time since then")
    func restart() async throws {
        let (store, clock) = (MemoryRequestStore(), ManualTriggerClock(date: World.start, zone: .utc))
        try await World.run(on: clock, store: store) { world in
            try await world.center.setQuietHours(Self.nights)
            try await world.center.add(.sample("a", Self.at(1)))
            try await clock.advance(by: .seconds(3_600))
        }
        try await World.run(on: clock, store: store) { world in
            await world.center.quiet()
            #expect(world.deliveredIDs() == [])
            let kept = try await world.center.quietHours()
            #expect(kept == Self.nights)
        }
        try await clock.reboot(taking: .seconds(8 * 3_600))
        try await World.run(on: clock, store: store) { world in
            try await clock.settle()
            #expect(world.recorder.deliveries.map(\.late) == [.seconds(2 * 3_600)])
            #expect(world.recorder.deliveries.map(\.isPossiblyRepeated) == [false])
        }
    }

    @Test("Across clock changes they begin and end by the clock on the wall") func clockChanges() async throws {
        // 28/29 March and 24/25 October 2026 in Berlin: a night of 8 hours, and one of 10.
        for (evening, hours) in [(1_774_731_600.0, 8.0), (1_792_872_000.0, 10.0)] {
            let start = Date(timeIntervalSince1970: evening)
            try await World.run(at: start, zone: try .named("Europe/Berlin")) { world in
                try await world.center.setQuietHours(Self.nights)
                try await world.center.add(.sample("a", .after(.seconds(60))))
                try await world.clock.advance(to: start.addingTimeInterval(hours * Self.hour - 1))
                #expect(world.deliveredIDs() == [], "\(hours)")
                try await world.clock.advance(by: .seconds(1))
                #expect(world.deliveredIDs() == ["a"], "\(hours)")
            }
        }
        // They would begin at 2:30, which the clock skips: then at 3:30.
        let gap = Date(timeIntervalSince1970: 1_774_746_000 - 600)
        try await World.run(at: gap, zone: try .named("Europe/Berlin")) { world in
            try await world.center.setQuietHours(QuietHours([QuietHours.Period(from: "02:30", to: "05:00")]))
            try await world.center.add([
                .sample("before", .after(.seconds(900))), .sample("in", .after(.seconds(2_700))),
            ])
            try await world.clock.advance(by: .seconds(3_000))
            #expect(world.deliveredIDs() == ["before"])
        }
        // The clock skips all of these.
        for (start, end) in [("02:00", "03:00"), ("02:30", "03:15")] as [(TimeOfDay, TimeOfDay)] {
            try await World.run(at: gap, zone: try .named("Europe/Berlin")) { world in
                try await world.center.setQuietHours(QuietHours([QuietHours.Period(from: start, to: end)]))
                try await world.center.add([
                    .sample("after", .after(.seconds(4_200))), .sample("noon", .after(.seconds(9 * 3_600))),
                ])
                try await world.clock.advance(by: .seconds(4_200))
                #expect(world.deliveredIDs() == ["after"])
                try await world.clock.advance(by: .seconds(8 * 3_600))
                #expect(world.deliveredIDs() == ["after", "noon"])
            }
        }
    }

    @Test("A break of half an hour that the clock skips is none, and the day after it is quiet, too")
    func skippedBreak()
        async throws
    {
        // Half an hour before 29 March 2026, 2:00, in Berlin.
        let evening = Date(timeIntervalSince1970: 1_774_746_000 - 1_800)
        try await World.run(at: evening, zone: try .named("Europe/Berlin")) { world in
            try await world.center.setQuietHours(QuietHours([QuietHours.Period(from: "03:00", to: "02:30")]))
            try await world.center.add(.sample("noon", .after(.seconds(10 * 3_600))))
            try await world.clock.advance(by: .seconds(12 * 3_600))
            #expect(world.deliveredIDs() == [])
            // Until 30 March, 2:30.
            try await world.clock.advance(to: evening.addingTimeInterval(24 * 3_600 - 1))
            #expect(world.deliveredIDs() == [])
            try await world.clock.advance(by: .seconds(1))
            #expect(world.deliveredIDs() == ["noon"])
        }
    }

    @Test("Windows that touch are one; a setting that never ends lets nothing hang") func windows() async throws {
        try await World.run { world in
            try await world.center.setQuietHours(
                QuietHours([
                    QuietHours.Period(from: "00:00", to: "04:00"), QuietHours.Period(from: "04:00", to: "06:00"),
                ])
            )
            try await world.center.add(.sample("a", Self.at(1)))
            try await world.clock.advance(by: .seconds(5 * 3_600))
            #expect(world.deliveredIDs() == [])
            try await world.clock.advance(by: .seconds(3_600))
            #expect(world.deliveredIDs() == ["a"])
            try await world.center.setQuietHours(QuietHours([QuietHours.Period(from: "0:00", to: "0:00")]))
            try await world.center.add(.sample("b"))
            try await world.clock.advance(by: .seconds(30 * 86_400))
            #expect(world.deliveredIDs() == ["a"])
            #expect(world.clock.wakes < 20)
        }
    }

    @Test("What are no quiet hours is refused; they are read and written as people write them") func refused()
        async throws
    {
        try await World.run { world in
            for bad in [
                QuietHours([]), QuietHours([QuietHours.Period(from: TimeOfDay(hour: 25), to: "7:00")]),
                QuietHours([QuietHours.Period(from: "22:00", to: TimeOfDay(hour: 7, minute: 60))]),
                QuietHours([QuietHours.Period(from: "0:00", to: "0:01", on: [])]),
                QuietHours(Array(repeating: QuietHours.Period(from: "0:00", to: "0:01"), count: 101)),
            ] { await expectError(.invalidComponent) { try await world.center.setQuietHours(bad) } }
            let none = try await world.center.quietHours()
            #expect(none == nil)
        }
        let hours = QuietHours(
            [QuietHours.Period(from: "22:00", to: "0:00", on: [.monday])],
            behavior: .deliverQuietly
        )
        let text = try JSONEncoder().encode(hours)
        #expect(String(decoding: text, as: UTF8.self).contains(#""from":"22:00""#))
        #expect(try JSONDecoder().decode(QuietHours.self, from: text) == hours)
    }

    @Test("A snoozed notice that comes due in them waits as well") func snoozed() async throws {
        try await World.run(at: World.start.addingTimeInterval(21.5 * Self.hour)) { world in
            try await world.center.setQuietHours(Self.nights)
            var request = NoticeRequest.sample("a")
            request.content.category = NoticeCategory.snoozeID
            try await world.center.add(request)
            try await world.clock.settle()
            try await world.person(.action(SnoozeChoice.after(.seconds(3_600)).actionID), on: "a")
            try await world.clock.advance(by: .seconds(9 * 3_600))
            #expect(world.shownIDs() == [])
            try await world.clock.advance(by: .seconds(3_600))
            #expect(world.recorder.deliveries.last?.snoozeCount == 1)
            #expect(world.shownIDs() == ["a"])
        }
    }
}
