import Belfry
import BelfryRecorder
import BelfryTestSupport
import BelfryTesting
import Foundation
import Testing

@Suite("Intervals", .takesTurns)
struct IntervalTests {
    @Test("No trigger delivers now") func immediate() async throws {
        try await World.run { world in
            try await world.center.add(.sample("now"))
            await world.center.quiet()
            #expect(world.deliveredIDs() == ["now"])
            #expect(try await world.pendingIDs() == [])
            #expect(try await world.center.delivered().map(\.requestID) == ["now"])
        }
    }

    @Test("A one-shot fires once, at its time and not before") func oneShot() async throws {
        try await World.run { world in
            let report = try await world.center.add(.sample("tea", .after(.seconds(240))))
            #expect(report.next == World.start.addingTimeInterval(240))
            try await world.clock.advance(by: .milliseconds(239_999))
            #expect(world.deliveredIDs() == [])
            #expect(try await world.pendingIDs() == ["tea"])
            try await world.clock.advance(by: .milliseconds(1))
            #expect(world.deliveredIDs() == ["tea"])
            #expect(try await world.pendingIDs() == [])
            try await world.clock.advance(by: .seconds(86_400))
            #expect(world.deliveredIDs() == ["tea"])
            #expect(try world.recorder.expectDelivery(of: "tea").late == .zero)
        }
    }

    @Test("A one-shot may be as short as a microsecond") func shortOneShot() async throws {
        try await World.run { world in
            try await world.center.add(.sample("soon", .after(.microseconds(1))))
            try await world.clock.advance(by: .microseconds(1))
            #expect(world.deliveredIDs() == ["soon"])
        }
    }

    @Test("Repeats keep their phase for ten years") func phase() async throws {
        try await World.run { world in
            try await world.center.add(.sample("beat", .every(.seconds(86_400 * 7))))
            try await world.clock.advance(by: .seconds(86_400 * 3652))
            let weeks = world.dueHours().map { $0 / (24 * 7) }
            let all = Array(stride(from: 1.0, through: 521, by: 1))
            #expect(weeks == all)
        }
    }

    @Test("Suspend counts, and what came due in it is delivered once, late, in phase") func suspend() async throws {
        try await World.run { world in
            try await world.center.add(.sample("beat", .every(.seconds(60))))
            try await world.clock.suspend(for: .seconds(330))
            #expect(world.deliveredIDs() == ["beat"])
            #expect(try world.recorder.expectDelivery(of: "beat").late == .seconds(30))
            #expect(try await world.history(of: "beat") == [.missed, .delivered])
            try await world.clock.advance(by: .seconds(30))
            #expect(world.deliveredIDs() == ["beat", "beat"])
        }
    }

    @Test("Setting the wall clock does not move an interval", arguments: [-7_200.0, 7_200, 1e8])
    func wallClockSet(by jump: Double) async throws {
        try await World.run { world in
            try await world.center.add(.sample("tea", .after(.seconds(100))))
            try await world.clock.set(wall: World.start.addingTimeInterval(jump))
            #expect(world.deliveredIDs() == [])
            try await world.clock.advance(by: .seconds(99))
            #expect(world.deliveredIDs() == [])
            try await world.clock.advance(by: .seconds(1))
            #expect(world.deliveredIDs() == ["tea"])
        }
    }

    @Test("An interval is carried over a reboot by the stored mapping") func reboot() async throws {
        let store = MemoryRequestStore()
        let clock = ManualTriggerClock(date: World.start)
        try await World.run(on: clock, store: store) { world in
            try await world.center.add(.sample("tea", .after(.seconds(600))))
            try await world.center.add(.sample("beat", .every(.seconds(3_600))))
        }
        try await clock.reboot(taking: .seconds(100))
        try await World.run(on: clock, store: store) { world in
            try await clock.advance(by: .seconds(499))
            #expect(world.deliveredIDs() == [])
            try await clock.advance(by: .seconds(1))
            #expect(world.deliveredIDs() == ["tea"])
            try await clock.advance(by: .seconds(3_000))
            #expect(world.deliveredIDs() == ["tea", "beat"])
            #expect(world.recorder.deliveries.map(\.late) == [.zero, .zero])
        }
    }

    @Test("A count ends the repeats, the first one at once where asked") func counted() async throws {
        try await World.run { world in
            try await world.center.add(
                .sample("three", IntervalTrigger(every: .seconds(60), startsNow: true, count: 3))
            )
            try await world.clock.advance(by: .seconds(3_600))
            let dues = world.recorder.deliveries.map { $0.dueDate.timeIntervalSince(World.start) }
            #expect(dues == [0, 60, 120])
            #expect(try await world.pendingIDs() == [])
        }
    }

    @Test("Whole days come with a hint that a calendar trigger keeps the time of day") func hint() async throws {
        try await World.run { world in
            let day = Duration.seconds(86_400)
            for (trigger, count) in [
                (IntervalTrigger(every: day), 1), (IntervalTrigger(after: day), 1),
                (IntervalTrigger(after: day * 7), 1),
                (IntervalTrigger(every: .seconds(3_600)), 0), (IntervalTrigger(after: day * 1.5), 0),
            ] {
                let report = try await world.center.add(.sample("x", trigger))
                #expect(report.warnings.count == count, "\(trigger)")
            }
        }
    }

    @Test("Intervals that make no sense are refused with a typed error")
    func refused() async throws {
        try await World.run { world in
            let cases: [(any NoticeTrigger, NoticeError.Code)] = [
                (IntervalTrigger(after: .zero), .invalidInterval),
                (IntervalTrigger(after: .seconds(-1)), .invalidInterval),
                (IntervalTrigger(after: .seconds(Int64.max)), .invalidInterval),
                (IntervalTrigger(every: .seconds(59)), .intervalTooShort),
                (IntervalTrigger(every: .milliseconds(59_999)), .intervalTooShort),
                (IntervalTrigger(every: .seconds(60), count: 0), .invalidInterval),
            ]
            for (trigger, code) in cases {
                let error = await #expect(throws: NoticeError.self) {
                    try await world.center.add(.sample("bad", trigger))
                }
                #expect(error?.code == code, "\(trigger)")
            }
            let pending = try await world.pendingIDs()
            #expect(pending == [])
        }
    }
}
