import Belfry
import BelfryAgent
import BelfryAgentService
import BelfryBus
import BelfryBusTestSupport
import BelfryRecorder
import BelfryTestSupport
import BelfryTesting
import Foundation
import Testing

@testable import BelfryRecurrence

/// Fires every `step` seconds from the epoch: a kind that the agent doesn't know.
private struct TideTrigger: WallClockTrigger {
    static let kind: TriggerKind = "org.example.tide"
    var step: Double
    var repeats = true
    var count: Int?
    var warnings: [String] { step < 3_600 ? ["Tides don't come every \(Int(step)) s."] : [] }

    func nextDate(after date: Date, in context: TriggerContext) -> Date? {
        Date(timeIntervalSince1970: (date.timeIntervalSince1970 / step).rounded(.down) * step + step)
    }
}

/// Fires every `interval` after it is added: a kind that the agent doesn't know, either.
private struct BrewTrigger: ElapsedTimeTrigger {
    static let kind: TriggerKind = "org.example.brew"
    var interval: Duration
    var repeats = true
    var count: Int?
}

/// Fires at 8:00 of the system's zone: a kind that the agent doesn't know, and that follows journeys.
private struct BreakfastTrigger: WallClockTrigger {
    static let kind: TriggerKind = "org.example.breakfast"
    var repeats = true
    var count: Int?

    func nextDate(after date: Date, in context: TriggerContext) -> Date? {
        CalendarTrigger.daily(at: "8:00").nextDate(after: date, in: context)
    }
}

/// Waits for a region: a kind that the agent doesn't know, and of which no dates can be stored.
private struct OfficeTrigger: RegionTrigger {
    static let kind: TriggerKind = "org.example.office"
    var repeats: Bool { true }
    var region: CircularRegion { CircularRegion(latitude: 48.14, longitude: 11.56, radius: 200) }
    var edge: CircularRegion.Edge { .entry }
    var dwell: Duration { .zero }
}

@Suite(
    "Triggers of the app's own kind over the agent",
    .takesTurns,
    .timeLimit(.minutes(5)),
    .enabled(if: TestBus.program != nil, "dbus-daemon is not installed: apt-get install dbus-daemon")
)
struct CustomTriggerTests {
    private func center(_ world: AgentWorld, _ custom: AgentOptions.CustomTriggers) -> NoticeCenter {
        world.center(AgentWorld.tea) { options in
            options.triggers.register(TideTrigger.self)
            options.triggers.register(BrewTrigger.self)
            options.triggers.register(BreakfastTrigger.self)
            options.customTriggers = custom
        }
    }

    @Test("its coming dates are stored, and the app gets its own trigger back")
    func stored() async throws {
        let world = try await AgentWorld()
        try await world.agent {
            try await center(world, .storeDates(8)).run { center in
                let request = NoticeRequest(id: "tide", title: "Tide", trigger: TideTrigger(step: 86_400))
                let report = try await center.add(request)
                let midnight = (AgentWorld.start.timeIntervalSince1970 / 86_400).rounded(.down) * 86_400 + 86_400
                #expect(report.next == Date(timeIntervalSince1970: midnight))
                #expect(try await center.pending().first?.request == request)
            }
            // Another run of the app, that has not registered the kind.
            try await world.center().run { center in
                let ids = try await center.pending().map(\.id)
                #expect(ids == ["tide"])
            }
        }
    }

    @Test("an app that comes again renews what has been used up; a limited one ends at its number")
    func renewed() async throws {
        let world = try await AgentWorld()
        try await world.agent {
            try await center(world, .storeDates(2)).run { center in
                try await center.add([
                    NoticeRequest(id: "endless", title: "T", trigger: TideTrigger(step: 1_000_000)),
                    NoticeRequest(id: "three", title: "T", trigger: TideTrigger(step: 1_000_000, count: 3)),
                ])
            }
            // More dates ahead than the two that are stored: less than half of what this run would keep.
            try await center(world, .storeDates(10)).run { center in
                await center.quiet()
                _ = try await center.pending()
            }
            let step = 1_000_000.0
            let first = (AgentWorld.start.timeIntervalSince1970 / step).rounded(.down) * step + step
            try await world.clock.advance(to: Date(timeIntervalSince1970: first + 20 * step))
            // The latest missed one at least; how many fired is in the history.
            try await world.center().run { center in
                let fired = { (id: String) async throws -> Int in
                    try await center.history(HistoryQuery(requestID: id)).count {
                        $0.outcome == .delivered || $0.outcome == .missed
                    }
                }
                let (three, endless) = (try await fired("three"), try await fired("endless"))
                #expect(three == 3)
                #expect(endless == 10)
            }
        }
    }

    /// A date in hours after the start, which is 8:00 UTC.
    private static func hours(_ hours: Double) -> Date { AgentWorld.start.addingTimeInterval(hours * 3_600) }

    private func dueDates(_ world: AgentWorld) -> [Date] { world.recorder().deliveries.map(\.dueDate) }

    @Test("dates of a kind that follows the system's zone are moved at the app's next start, and while it runs")
    func followsZone() async throws {
        let world = try await AgentWorld()
        try await world.agent {
            try await center(world, .storeDates(4)).run { center in
                try await center.add(NoticeRequest(id: "tea", title: "T", trigger: BreakfastTrigger()))
                #expect(try await center.nextFireDate(of: "tea") == Self.hours(24))
            }
            try await world.clock.changeZone(to: .named("Asia/Tokyo"))
            try await center(world, .storeDates(4)).run { center in
                #expect(try await center.nextFireDate(of: "tea") == Self.hours(24 - 9))
                try await world.clock.changeZone(to: .named("Asia/Kathmandu"))
                #expect(try await center.nextFireDate(of: "tea") == Self.hours(24 - 5.75))
            }
            try await world.clock.advance(by: .seconds(2 * 86_400))
            #expect(dueDates(world) == [Self.hours(24 - 5.75), Self.hours(48 - 5.75)])
        }
    }

    /// A zone with always the same name: other hours are new data of it.
    private static func cairo(_ hours: Int) -> ZoneRules {
        let name = "Africa/Cairo"
        return ZoneRules(table: ZoneTable(identifier: name, initialOffset: hours * 3_600, recorded: [], rule: nil))
    }

    @Test("new data of the zone moves the dates like another zone, at the app's next start, and while it runs")
    func followsZoneData() async throws {
        let world = try await AgentWorld()
        try await world.clock.changeZone(to: Self.cairo(2))
        try await world.agent {
            try await center(world, .storeDates(4)).run { center in
                try await center.add(NoticeRequest(id: "tea", title: "T", trigger: BreakfastTrigger()))
                #expect(try await center.nextFireDate(of: "tea") == Self.hours(24 - 2))
            }
            try await world.clock.changeZone(to: Self.cairo(3))
            try await center(world, .storeDates(4)).run { center in
                #expect(try await center.nextFireDate(of: "tea") == Self.hours(24 - 3))
                try await world.clock.changeZone(to: Self.cairo(1))
                #expect(try await center.nextFireDate(of: "tea") == Self.hours(24 - 1))
            }
            try await world.clock.advance(by: .seconds(2 * 86_400))
            #expect(dueDates(world) == [Self.hours(24 - 1), Self.hours(48 - 1)])
        }
    }

    @Test("a local time that new data of the zone skips is late, and one that has fired does not fire again")
    func zoneDataNow() async throws {
        let world = try await AgentWorld()
        try await world.clock.changeZone(to: Self.cairo(2))
        try await world.agent {
            try await center(world, .storeDates(4)).run { center in
                try await center.add(NoticeRequest(id: "tea", title: "T", trigger: BreakfastTrigger()))
                // From 7:30 to 8:30.
                try await world.clock.advance(to: Self.hours(24 - 2.5))
                try await world.clock.changeZone(to: Self.cairo(3))
                #expect(dueDates(world) == [Self.hours(24 - 2.5)])
                #expect(try await center.nextFireDate(of: "tea") == Self.hours(48 - 3))
                // From 8:30 to 7:30.
                try await world.clock.advance(to: Self.hours(48 - 2.5))
                try await world.clock.changeZone(to: Self.cairo(2))
                #expect(dueDates(world) == [Self.hours(24 - 2.5), Self.hours(48 - 3)])
                #expect(try await center.nextFireDate(of: "tea") == Self.hours(72 - 2))
            }
        }
    }

    @Test("a limited one that follows the system's zone keeps its number of firings") func limitedFollowsZone()
        async throws
    {
        let world = try await AgentWorld()
        try await world.agent {
            try await center(world, .storeDates(2)).run { center in
                let three = BreakfastTrigger(count: 3)
                try await center.add(NoticeRequest(id: "tea", title: "T", trigger: three))
            }
            try await world.clock.advance(by: .seconds(86_400))
            try await world.clock.changeZone(to: .named("Asia/Tokyo"))
            try await center(world, .storeDates(2)).run { _ in }
            try await world.clock.advance(by: .seconds(10 * 86_400))
            #expect(dueDates(world) == [Self.hours(24), Self.hours(48 - 9), Self.hours(72 - 9)])
        }
    }

    @Test("going west a local time that has fired does not fire again; going east one that was skipped is late")
    func journeys() async throws {
        let world = try await AgentWorld()
        try await world.agent {
            try await center(world, .storeDates(4)).run { center in
                try await center.add(NoticeRequest(id: "tea", title: "T", trigger: BreakfastTrigger()))
                try await world.clock.advance(by: .seconds(86_400))
                // It is 3:00 there, and this day's 8:00 has been.
                try await world.clock.changeZone(to: .named("America/New_York"))
                #expect(try await center.nextFireDate(of: "tea") == Self.hours(48 + 5))
                // From 20:00 to 10:00 of the next day.
                try await world.clock.advance(to: Self.hours(48 + 5 + 12))
                try await world.clock.changeZone(to: .named("Asia/Tokyo"))
                #expect(dueDates(world) == [Self.hours(24), Self.hours(48 + 5), Self.hours(72 - 9)])
                #expect(try await center.nextFireDate(of: "tea") == Self.hours(96 - 9))
            }
        }
    }

    @Test("a local time that a journey skips before the first firing is late, not lost") func skipped() async throws {
        let world = try await AgentWorld()
        try await world.agent {
            try await center(world, .storeDates(4)).run { center in
                try await center.add(NoticeRequest(id: "tea", title: "T", trigger: BreakfastTrigger(count: 2)))
                // From 7:00 to 16:00.
                try await world.clock.advance(to: Self.hours(23))
                try await world.clock.changeZone(to: .named("Asia/Tokyo"))
                #expect(dueDates(world) == [Self.hours(23)])
                #expect(try await center.nextFireDate(of: "tea") == Self.hours(48 - 9))
                try await world.clock.advance(to: Self.hours(200))
                #expect(dueDates(world) == [Self.hours(23), Self.hours(48 - 9)])
            }
        }
    }

    @Test("a snooze of the user outlives the renewal of the stored dates")
    func snoozed() async throws {
        let world = try await AgentWorld()
        try await world.agent {
            try await center(world, .storeDates(4)).run { center in
                var responses = await center.responses().makeAsyncIterator()
                try await center.add(NoticeRequest(id: "tide", title: "T", trigger: TideTrigger(step: 600)))
                try await world.clock.advance(by: .seconds(600))
                try world.recorder().simulate(.open, on: "tide")
                let response = try #require(await responses.next())
                try await center.snooze(response, for: .seconds(900))
            }
            // The second of four dates: the app's next run renews them.
            try await world.clock.advance(by: .seconds(600))
            try await center(world, .storeDates(4)).run { center in
                let states = try await center.pending().flatMap(\.states)
                #expect(states.contains { $0.kind == .snoozed })
            }
            try await world.clock.advance(by: .seconds(300))
            #expect(world.recorder().deliveries.map(\.snoozeCount) == [0, 0, 1])
            try await center(world, .storeDates(4)).run { _ in }
            // Two of the dates were left, and two more were stored.
            for _ in 1...10 { try await world.clock.advance(by: .seconds(600)) }
            #expect(world.recorder().deliveries.count == 3 + 4)
        }
    }

    @Test("dates that follow each other closely are renewed, and the request stays the same one") func closeDates()
        async throws
    {
        let world = try await AgentWorld()
        try await world.agent {
            try await center(world, .storeDates(4)).run { center in
                try await center.add(NoticeRequest(id: "tide", title: "T", trigger: TideTrigger(step: 1)))
            }
            for _ in 1...10 {
                for _ in 1...2 { try await world.clock.advance(by: .seconds(1)) }
                try await center(world, .storeDates(4)).run { _ in }
            }
            #expect(world.recorder().deliveries.count == 20)
            try await world.center().run { center in
                #expect(try await center.pending().map(\.fired) == [20])
                let outcomes = try await center.history(HistoryQuery(requestID: "tide")).map(\.outcome)
                #expect(!outcomes.contains(.replaced))
            }
        }
        // What was swapped was stored.
        try await world.agent {
            try await world.clock.advance(by: .seconds(1))
            #expect(world.recorder().deliveries.count == 21)
        }
    }

    @Test("a renewal of a request that was removed or replaced changes nothing") func renewedTooLate() async throws {
        let world = try await AgentWorld()
        try await world.agent {
            try await center(world, .storeDates(4)).run { center in
                let tide = NoticeRequest(id: "tide", title: "T", trigger: TideTrigger(step: 600))
                try await center.add(tide)
                let caller = try await RawCaller(world)
                let pending = await caller.call("Pending", of: [.string(caller.app), .uint32(0)]).values
                let listed = try AgentCoding(triggers: .agent).value(
                    PendingNotice.self,
                    pending[0].strings?.first ?? ""
                )
                let trigger = try #require(listed.request.trigger as? ForwardedDatesTrigger)
                let text = try AgentCoding().text(trigger)
                let other = NoticeRequest(id: "tide", title: "T", trigger: TideTrigger(step: 700))
                try await center.add(other)
                #expect(await caller.call("Renew", .string("tide"), .string(text)) == nil)
                #expect(try await center.pending().map(\.request) == [other])
                try await center.remove("tide")
                #expect(await caller.call("Renew", .string("tide"), .string(text)) == nil)
                #expect(try await center.pending().isEmpty)
            }
        }
    }

    @Test("firings that come during a renewal cause one more, however many they are") func burst() async throws {
        let world = try await AgentWorld()
        let agent = try await AgentDouble(world)
        let (hasBegun, mayEnd) = (AwaitedState(false), AwaitedState(false))
        let app = Task {
            try await center(world, .storeDates(2)).run { center in
                hasBegun.withLock { $0 = true }
                await mayEnd.wait { $0 }
            }
        }
        await agent.lists.wait { $0.count == 1 }
        try agent.list(0)
        await hasBegun.wait { $0 }
        await agent.fire()
        await agent.lists.wait { $0.count == 2 }
        for _ in 1...50 { await agent.fire() }
        try agent.list(1)
        await agent.lists.wait { $0.count >= 3 }
        try agent.list(2)
        for _ in 1...50 { _ = try await agent.bus.owner(of: "org.example.Nobody") }
        #expect(agent.lists.current.count == 3)
        mayEnd.withLock { $0 = true }
        try await app.value
    }

    @Test("one that is added while the app runs makes the app listen to its firings, which renew its dates")
    func addedWhileRunning() async throws {
        let world = try await AgentWorld()
        let agent = try await AgentDouble(world)
        let app = Task {
            try await center(world, .storeDates(2)).run { center in
                #expect(agent.registrations.current.map(\.events).last == false)
                try await center.add(NoticeRequest(id: "tide", title: "T", trigger: TideTrigger(step: 600)))
                #expect(agent.registrations.current.map(\.events).last == true)
                await agent.fire()
                await agent.lists.wait { $0.count == 2 }
            }
        }
        await agent.lists.wait { $0.count == 1 }
        agent.listNothing(0)
        try await app.value
        agent.listNothing(1)
    }

    @Test("one of elapsed time fires while the app does not run, and a limited one ends at its number")
    func elapsed() async throws {
        let world = try await AgentWorld()
        try await world.agent {
            try await center(world, .storeDates(2)).run { center in
                let brew = BrewTrigger(interval: .seconds(60), count: 3)
                let request = NoticeRequest(id: "brew", title: "T", trigger: brew)
                try await center.add(request)
                #expect(try await center.pending().first?.request == request)
            }
            for _ in 1...5 { try await world.clock.advance(by: .seconds(60)) }
            try await world.center().run { center in
                let fired = try await center.history(HistoryQuery(requestID: "brew")).count {
                    $0.outcome == .delivered || $0.outcome == .missed
                }
                #expect(fired == 3)
            }
        }
    }

    @Test("the warnings of those that are added are reported") func warned() async throws {
        let world = try await AgentWorld()
        try await world.agent {
            try await center(world, .storeDates(4)).run { center in
                let requests = [
                    NoticeRequest(id: "refused", title: "", trigger: TideTrigger(step: 500)),
                    NoticeRequest(id: "usual", title: "T", trigger: TideTrigger(step: 43_200)),
                    NoticeRequest(id: "odd", title: "T", trigger: TideTrigger(step: 600)),
                ]
                let report = try await center.add(requests, allOrNothing: false)
                #expect(report.added == ["usual", "odd"])
                #expect(report.warnings == ["Tides don't come every 600 s."])
            }
        }
    }

    @Test("an app that wants none is told which request needs its own process")
    func refused() async throws {
        let world = try await AgentWorld()
        try await world.agent {
            try await center(world, .refuse).run { center in
                do throws(NoticeError) {
                    try await center.add(NoticeRequest(id: "tide", title: "T", trigger: TideTrigger(step: 60)))
                    Issue.record("the agent took what it can't compute")
                } catch {
                    #expect(error.code == .needsEmbeddedEngine)
                    #expect(error.message.contains("org.example.tide"))
                }
            }
        }
    }

    @Test("one of regions is refused with what helps, which stored dates don't") func regionRefused() async throws {
        let world = try await AgentWorld()
        try await world.agent {
            try await center(world, .storeDates(64)).run { center in
                let error = await #expect(throws: NoticeError.self) {
                    try await center.add(NoticeRequest(id: "work", title: "T", trigger: OfficeTrigger()))
                }
                #expect(error?.code == .needsEmbeddedEngine)
                let message = error?.message ?? ""
                #expect(message.contains("org.example.office") && message.contains("LocationTrigger"))
                #expect(!message.contains("storeDates"))
            }
        }
    }
}
