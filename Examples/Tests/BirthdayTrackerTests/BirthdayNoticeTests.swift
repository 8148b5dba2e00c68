import Belfry
import BelfryRecorder
import BelfryRecurrence
import BelfryTesting
import BirthdayTrackerKit
import Foundation
import Testing

@Suite("Notices on birthdays")
struct BirthdayNoticeTests {
    @Test("The notice comes on the day at 8:00, and not before") func onTheDay() async throws {
        try await TrackerWorld.run { world in
            let outcome = try await world.add("Ada", "1990-05-10")
            #expect(outcome == .scheduled(count: 1, next: date("2026-05-10T08:00:00Z")))
            try await world.clock.advance(to: date("2026-05-10T07:59:59Z"))
            #expect(world.recorder.deliveries == [])
            try await world.clock.advance(by: .seconds(1))
            let delivery = try world.recorder.expectDelivery(of: "birthday/Ada")
            #expect(delivery.content.title == "Ada’s birthday")
            #expect(delivery.content.body == "36 years old today.")
            #expect(delivery.late == .zero)
        }
    }

    @Test("Ten years bring ten notices, each at 8:00 by the local clock, each a year older")
    func tenYears() async throws {
        try await TrackerWorld.run(zone: "Europe/Berlin") { world in
            try await world.add("Ada", "1990-05-10")
            try await world.add("Grace", "12-09")
            try await world.clock.advance(to: date("2036-05-01T00:00:00Z"))
            let years = 2026..<2036
            let ada = world.recorder.deliveries(of: "birthday/Ada")
            #expect(ada.map(\.dueDate) == years.map { date("\($0)-05-10T06:00:00Z") })
            #expect(ada.map(\.content.body) == years.map { "\($0 - 1990) years old today." })
            let grace = world.recorder.deliveries(of: "birthday/Grace")
            #expect(grace.map(\.dueDate) == years.map { date("\($0)-12-09T07:00:00Z") })
            #expect(grace.allSatisfy { $0.content.body == "" })
            #expect(try await world.pendingIDs() == ["birthday/Ada", "birthday/Grace"])
        }
    }

    @Test(
        "29 February is celebrated in common years as the policy says",
        arguments: [
            (MissingDatePolicy.nextDay, ["2027-03-01", "2028-02-29", "2029-03-01", "2030-03-01"]),
            (.lastDayOfMonth, ["2027-02-28", "2028-02-29", "2029-02-28", "2030-02-28"]),
            (.skip, ["2028-02-29"]),
        ]
    )
    func leapDay(policy: MissingDatePolicy, days: [String]) async throws {
        try await TrackerWorld.run(leapDay: policy) { world in
            try await world.add("Ada", "2000-02-29")
            try await world.clock.advance(to: date("2030-12-31T00:00:00Z"))
            #expect(world.dueDates() == days.map { date("\($0)T08:00:00Z") })
        }
    }

    @Test("With a person the notices to come go, and the one on the screen; nobody else's")
    func removal() async throws {
        try await TrackerWorld.run { world in
            try await world.add("Ada", "1990-05-10")
            try await world.add("Grace", "1985-05-10")
            try await world.clock.advance(to: date("2026-05-10T08:00:00Z"))
            #expect(Set(world.recorder.shown.map(\.id)) == ["birthday/Ada", "birthday/Grace"])

            #expect(try await world.tracker.remove(name: "Ada"))
            #expect(world.recorder.shown.map(\.id) == ["birthday/Grace"])
            #expect(try await world.pendingIDs() == ["birthday/Grace"])
            #expect(try world.file.load().map(\.name) == ["Grace"])

            try await world.clock.advance(by: .seconds(10 * 366 * 86_400))
            #expect(world.recorder.deliveries(of: "birthday/Ada").count == 1)
            #expect(world.recorder.deliveries(of: "birthday/Grace").count == 11)
            #expect(try await world.tracker.remove(name: "Ada") == false)
        }
    }

    @Test("A birthday that is corrected is announced on the new day alone") func correction() async throws {
        try await TrackerWorld.run { world in
            try await world.add("Ada", "1990-05-10")
            try await world.add("Ada", "1990-05-12")
            try await world.clock.advance(by: .seconds(30 * 86_400))
            #expect(world.dueDates() == [date("2026-05-12T08:00:00Z")])
        }
    }

    @Test("On a journey it is 8:00 where the machine is") func journey() async throws {
        try await TrackerWorld.run(zone: "Europe/Berlin") { world in
            try await world.add("Ada", "1990-05-10")
            try await world.clock.advance(to: date("2026-05-09T12:00:00Z"))
            try await world.clock.changeZone(to: try .named("America/New_York"))
            try await world.clock.advance(by: .seconds(3 * 86_400))
            #expect(world.dueDates() == [date("2026-05-10T12:00:00Z")])
        }
    }

    @Test("A machine that slept at 8:00 tells of it later that day, and not the day after") func late() async throws {
        for (hours, isShown) in [(10, true), (40, false)] {
            try await TrackerWorld.run(at: date("2026-05-10T00:00:00Z")) { world in
                try await world.add("Ada", "1990-05-10")
                try await world.clock.suspend(for: .seconds(hours * 3_600))
                #expect(world.recorder.deliveries.map(\.late) == (isShown ? [.seconds((hours - 8) * 3_600)] : []))
                #expect(try await world.center.nextFireDate() == date("2027-05-10T08:00:00Z"))
            }
        }
    }

    @Test("What another process changed in the file is taken in, and the rest is left alone")
    func otherProcess() async throws {
        try await TrackerWorld.run { world in
            try await world.add("Ada", "1990-05-10")
            try await world.add("Grace", "1985-12-09")
            _ = try world.file.remove(name: "Ada")
            try world.file.add(Person(name: "Alan", birthday: Birthday(reading: "06-23")))
            let outcome = try await world.tracker.synchronize()
            #expect(outcome == .scheduled(count: 2, next: date("2026-06-23T08:00:00Z")))
            #expect(try await world.pendingIDs() == ["birthday/Alan", "birthday/Grace"])
            let outcomes = try await world.center.history().map(\.outcome)
            #expect(outcomes == [.removed])
        }
    }
}
