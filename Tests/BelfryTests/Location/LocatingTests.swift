import BelfryTestSupport
import BelfryTesting
import Foundation
import Synchronization
import Testing

@testable import Belfry

/// A provider that is none of Belfry's own, and does as it is told.
private final class OddProvider: LocationProvider {
    enum Behavior: Sendable {
        case throwing(NoticeError)
        /// Reports one fix and returns.
        case brief(LocationFix)
        /// Ends only when this is opened, whatever is canceled.
        case stubborn(Gate)
    }

    let name = "odd"
    private let behaviors: Mutex<[Behavior]>
    private let begun = Mutex((count: 0, waiters: [(Int, CheckedContinuation<Void, Never>)]()))

    init(_ behaviors: [Behavior]) { self.behaviors = Mutex(behaviors) }

    var runs: Int { begun.withLock { $0.count } }

    func waitUntilRun(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isMet = begun.withLock { state in
                if state.count < count { state.waiters.append((count, continuation)) }
                return state.count >= count
            }
            if isMet { continuation.resume() }
        }
    }

    func run(
        demands: LocationDemand.Updates,
        reporting report: @escaping @Sendable (LocationFix) -> Void
    ) async throws(NoticeError) {
        let behavior = behaviors.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
        let met = begun.withLock { state in
            state.count += 1
            let met = state.waiters.filter { $0.0 <= state.count }
            state.waiters.removeAll { $0.0 <= state.count }
            return met
        }
        for (_, continuation) in met { continuation.resume() }
        switch behavior {
        case .throwing(let error): throw error
        case .brief(let fix): report(fix)
        case .stubborn(let gate): await gate.wait()
        }
    }
}

@Suite("The location provider: when it runs, what it is asked for, and what becomes of its failures", .takesTurns)
struct LocatingTests {
    private let here = RegionWorld.region()

    private static let gone = NoticeError(.locationUnavailable, "The location service is not there.")

    @Test("It runs while a pending request waits for a place and the center runs, and at no other time") func runs()
        async throws
    {
        try await RegionWorld.run { place in
            #expect(!place.position.isRunning)
            try await place.center.add(.sample("tea", .after(.seconds(60))))
            #expect(!place.position.isRunning)
            try await place.add("a", LocationTrigger(region: here))
            #expect(place.position.isRunning, "before add returns")
            try await place.center.remove("a")
            try await place.clock.settle()
            #expect(!place.position.isRunning)
            try await place.add("a", LocationTrigger(region: here))
            try await place.go([500, 0])
            #expect(place.crossings() == [.entered])
            #expect(!place.position.isRunning, "the last one has fired")
        }
    }

    @Test("It ends with the center, and begins with the next one if a place is still waited for") func ends()
        async throws
    {
        let store = MemoryRequestStore()
        let clock = ManualTriggerClock(date: World.start)
        let providers = Mutex<[ManualLocationProvider]>([])
        for _ in 0..<2 {
            try await RegionWorld.run(on: clock, store: store) { place in
                providers.withLock { $0.append(place.position) }
                if try await place.world.pendingIDs().isEmpty {
                    try await place.add("a", LocationTrigger(region: here))
                }
                #expect(place.position.isRunning)
            }
        }
        #expect(providers.withLock { $0.map(\.isRunning) } == [false, false])
    }

    @Test("Without a provider a place is refused, with a message that says what is missing") func none() async throws {
        try await World.run { world in
            let error = await expectError(.locationUnavailable) {
                try await world.center.add(.sample("a", LocationTrigger(region: here)))
            }
            #expect(error?.message.contains("no location provider") == true)
            let report = try await world.center.locationReport()
            #expect(report == NoticeCenter.LocationReport())
        }
    }

    @Test("A position that was told before it was wanted is the first one") func before() async throws {
        try await RegionWorld.run { place in
            place.position.report(RegionWorld.fix(500, at: place.clock.date))
            try await place.add("a", LocationTrigger(region: here))
            try await place.go(0)
            #expect(place.crossings() == [.entered])
        }
    }

    @Test("What is demanded follows the nearest border, and is precise until all are judged") func demands()
        async throws
    {
        try await RegionWorld.run { place in
            try await place.add("a", LocationTrigger(region: here))
            func demand() async throws -> LocationDemand? { try await place.center.locationReport().demand }
            #expect(try await demand() == LocationDemand(accuracy: 100, distance: 0))
            try await place.go(100_000)
            #expect(try await demand() == LocationDemand(accuracy: 1_000, distance: 8_192))
            try await place.go(3_000)
            #expect(try await demand() == LocationDemand(accuracy: 1_000, distance: 1_024))
            try await place.go(400, accuracy: 40)
            #expect(try await demand() == LocationDemand(accuracy: 128, distance: 128))
            // As badly known as it is, the border may be right here.
            try await place.go(400, accuracy: 300)
            #expect(try await demand() == LocationDemand(accuracy: 10, distance: 8))
            try await place.go(3_000)
            try await place.add("b", LocationTrigger(region: here))
            #expect(try await demand() == LocationDemand(accuracy: 100, distance: 0))
            try await place.go(3_000)
            #expect(try await demand() == LocationDemand(accuracy: 1_000, distance: 1_024))
            try await place.center.removeAll()
            #expect(try await demand() == nil)
        }
    }

    @Test("Before half the way to the border is gone there is another fix, and steps beside it ask for nothing new")
    func hysteresis() {
        var demand: LocationDemand?
        var changes = 0
        for step in 0..<2_000 {
            let slack = 1_000 + 150 * sin(Double(step) / 10)
            let next = LocationDemand.toward(border: slack, stride: .infinity, replacing: demand)
            #expect(next.distance <= slack / 2 && next.distance > slack / 8)
            if next != demand { changes += 1 }
            demand = next
        }
        #expect(changes <= 2)
        for slack in [-5, 0, 1, 7.9, 16, 1e9, .infinity, .nan] as [Double] {
            let demand = LocationDemand.toward(
                border: min(slack, LocationDemand.horizon),
                stride: .infinity,
                replacing: nil
            )
            #expect(demand.distance >= 8 && demand.distance <= 8_192 && demand.accuracy >= 10, "\(slack)")
        }
    }

    @Test("A failure is told once, and it is run again after 10 s, 20 s and so on up to 10 minutes, by the clock")
    func retries() async throws {
        let provider = OddProvider([.throwing(Self.gone)])
        try await World.run(location: provider) { world in
            let events = await world.center.events()
            try await world.center.add(.sample("a", LocationTrigger(region: here)))
            await provider.waitUntilRun(1)
            // A run that fails on another thread: told when the events say so.
            var problems = 0
            for await event in events {
                if case .error(Self.gone) = event { problems += 1 }
                break
            }
            #expect(problems == 1)
            await world.center.quiet()
            #expect(try await world.center.locationReport().error == Self.gone)
            try await world.clock.advance(by: .seconds(9))
            #expect(provider.runs == 1)
            try await world.clock.advance(by: .seconds(1))
            await provider.waitUntilRun(2)
        }
    }

    @Test("A provider that gives up is asked again later and later; a fix begins that anew") func backOff() async throws
    {
        try await RegionWorld.run { place in
            try await place.add("a", LocationTrigger(region: here))
            try await place.go(500)
            for delay in [10.0, 20, 40, 80, 160, 320, 600, 600] {
                await place.position.fail(Self.gone)
                try await place.clock.settle()
                #expect(!place.position.isRunning)
                #expect(try await place.center.locationReport().demand == nil)
                try await place.clock.advance(by: .seconds(delay - 0.001))
                #expect(!place.position.isRunning, "before \(delay) s")
                try await place.clock.advance(by: .milliseconds(1))
                #expect(place.position.isRunning, "after \(delay) s")
            }
            try await place.go(450)
            await place.position.fail(Self.gone)
            try await place.clock.advance(by: .seconds(10))
            #expect(place.position.isRunning)
            await place.position.fail(NoticeError(.locationDenied, "The person has switched locations off."))
            try await place.clock.advance(by: .seconds(3_599))
            #expect(!place.position.isRunning)
            try await place.clock.advance(by: .seconds(1))
            #expect(place.position.isRunning)
            try await place.go(0)
            #expect(place.crossings() == [.entered])
        }
    }

    @Test("A provider that returns has no more to say: what it told stands, and it is left alone") func brief()
        async throws
    {
        let provider = OddProvider([.brief(RegionWorld.fix(500, at: World.start))])
        try await World.run(location: provider) { world in
            try await world.center.add(.sample("a", LocationTrigger(region: here)))
            await provider.waitUntilRun(1)
            try await world.clock.advance(by: .seconds(86_400))
            #expect(provider.runs == 1)
            #expect(try await world.center.locationReport().accepted == 1)
        }
    }

    @Test("One that doesn't end is given up after the time limit; the center goes on, and ends") func stubborn()
        async throws
    {
        let gate = Gate()
        let provider = OddProvider([.stubborn(gate)])
        var options = CenterOptions()
        options.appTimeout = .milliseconds(50)
        try await World.run(location: provider, options: options) { world in
            let events = await world.center.events()
            try await world.center.add(.sample("a", LocationTrigger(region: here)))
            await provider.waitUntilRun(1)
            try await world.center.remove("a")
            try await world.center.add(.sample("b", LocationTrigger(region: here)))
            await provider.waitUntilRun(2)
            for await event in events {
                guard case .error(let error) = event else { continue }
                #expect(error.code == .locationUnavailable && error.message.contains("has not ended"))
                break
            }
        }
        gate.open()
    }

    @Test("What a run reports after another has begun, or none is wanted, is not taken") func givenUp() {
        let inbox = FixInbox()
        let fix = RegionWorld.fix(0, at: World.start)
        inbox.listen(to: 2)
        #expect(!inbox.put(fix, of: 1) && inbox.isEmpty)
        #expect(inbox.put(fix, of: 2) && inbox.takeAll().fixes.count == 1)
        inbox.listen(to: 0)
        #expect(!inbox.put(fix, of: 2) && inbox.isEmpty)
    }

    @Test("Demands never queue: who looks late sees the newest alone; the last one stands") func newestWins() async {
        let source = LocationDemand.Source(.first)
        for distance in 1...9 { source.send(LocationDemand(accuracy: 10, distance: Double(distance))) }
        source.finish()
        var seen: [Double] = []
        for await demand in source.demands { seen.append(demand.distance) }
        #expect(seen == [9])
        for await demand in source.demands { seen.append(demand.distance) }
        #expect(seen == [9, 9], "whoever reads after the end")
        var constant: [LocationDemand] = []
        for await demand in LocationDemand.Updates(.first) { constant.append(demand) }
        #expect(constant == [.first])
    }

    @Test("A second reader of demands begins with the newest, and ends the first") func secondReader() async {
        let source = LocationDemand.Source(.first)
        var first = source.demands.makeAsyncIterator()
        #expect(await first.next() == .first)
        let newest = LocationDemand(accuracy: 10, distance: 1)
        source.send(newest)
        var second = source.demands.makeAsyncIterator()
        #expect(await second.next() == newest)
        // What came before the second reader is not lost to the first.
        #expect(await first.next() == newest)
        #expect(await first.next() == nil)
        source.send(.first)
        #expect(await second.next() == .first)
        source.finish()
        #expect(await second.next() == nil)
    }
}
