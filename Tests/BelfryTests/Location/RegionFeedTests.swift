import BelfryRecorder
import BelfryTestSupport
import BelfryTesting
import Foundation
import Testing

@testable import Belfry

@Suite("A feed of the nearest regions of a larger source", .takesTurns, .timeLimit(.minutes(5)))
struct RegionFeedTests {
    /// A story each kilometer.
    static func road(_ count: Int = 100, radius: Double = 100, repeats: Bool = false) -> [NoticeRequest] {
        (0..<count).map { .place("s\($0)", at: Double($0) * 1_000, radius: radius, repeats: repeats) }
    }

    private func pending(_ place: RegionWorld) async throws -> [String] { try await place.world.pendingIDs().sorted() }

    @Test("The nearest are pending, and others in their place after a stride; each fires once") func follows()
        async throws
    {
        try await RegionWorld.run { place in
            let source = ScriptedFeed(Self.road())
            try await place.center.startMonitoring(source.feed())
            #expect(source.questions.isEmpty, "nobody knows where")
            try await place.go(10_400)
            #expect(try await pending(place) == ["s10", "s11", "s9"])
            try await place.go([10_700, 10_850])
            #expect(source.questions == [10_400], "within the stride")
            try await place.go([10_901, 11_000])
            #expect(source.questions == [10_400, 10_901])
            #expect(place.world.deliveredIDs() == ["s11"])
            #expect(try await pending(place) == ["s10", "s12"], "what has fired is over")
            try await place.go(stride(from: 11_100, through: 14_000, by: 100).map { $0 })
            #expect(place.world.deliveredIDs() == ["s11", "s12", "s13", "s14"])
            try await place.go(stride(from: 14_000, through: 9_000, by: -100).map { $0 })
            #expect(place.world.deliveredIDs() == ["s11", "s12", "s13", "s14", "s10", "s9"])
        }
    }

    @Test("Each renewal is one commit, with a line in the ledger for what went out") func oneCommit() async throws {
        let store = FailingRequestStore()
        try await RegionWorld.run(store: store) { place in
            let source = ScriptedFeed(Self.road())
            try await place.center.startMonitoring(source.feed())
            try await place.go(10_400)
            let before = store.transactions.count
            try await place.go(12_500)
            #expect(store.transactions.count == before + 1)
            #expect(try await pending(place) == ["s11", "s12", "s13"])
            #expect(
                try await place.details(of: "s9")
                    == ["removed: no longer among the nearest of the region feed 'stories'"]
            )
        }
    }

    @Test("What comes in is judged against the fix before: outside then and inside now fires") func crossing()
        async throws
    {
        try await RegionWorld.run { place in
            let source = ScriptedFeed(Self.road())
            try await place.center.startMonitoring(source.feed())
            // The first fix sets the state: inside already is no entry.
            try await place.go(10_000)
            try await place.go(10_050)
            #expect(place.world.deliveredIDs() == [])
            // So does one that comes in: it was outside at the fix before.
            try await place.go(20_000)
            #expect(place.world.deliveredIDs() == ["s20"])
            // A story that is published where the machine already is was entered by nobody.
            try await place.go(30_500)
            source.places.append(.place("new", at: 31_010, radius: 600))
            try await place.go(30_700)
            try await place.go(31_050)
            #expect(place.world.deliveredIDs() == ["s20", "s31"])
            #expect(try await pending(place).contains("new"))
        }
    }

    @Test("Fixes that come while the source is asked judge what comes in, in their order and by their time")
    func meanwhile() async throws {
        try await RegionWorld.run { place in
            let source = ScriptedFeed(Self.road() + [.place("both", at: 10_000, edge: .both, repeats: true)])
            try await place.center.startMonitoring(source.feed(nearest: 4))
            let gate = Gate()
            source.hold(gate)
            let start = place.clock.date
            for (second, meters) in [(0, 9_700.0), (1, 9_990), (2, 10_300), (3, 10_010), (4, 10_250)] {
                let date = start.addingTimeInterval(Double(second - 4))
                place.position.report(RegionWorld.fix(meters, at: date))
                if second == 0 { await source.waitUntilAsked(since: 0) }
            }
            // The center can't be quiet as long as its question is open.
            while try await place.center.locationReport().accepted < 5 { await Task.yield() }
            #expect(place.world.deliveredIDs() == [])
            source.hold(nil)
            gate.open()
            try await place.clock.settle()
            #expect(place.crossings(of: "both").last == .left)
            #expect(try await place.center.pending().first { $0.id == "both" }?.fired == 4)
            let shown = place.world.recorder.deliveries.first { $0.requestID == "s10" }
            #expect(shown?.late == .seconds(3), "entered by the second fix")
        }
    }

    @Test("A request that is refused takes no identifier from a feed") func refusedRequest() async throws {
        try await RegionWorld.run { place in
            try await place.center.startMonitoring(ScriptedFeed([.place("s10", at: 10_000)]).feed())
            try await place.go(9_000)
            let past = NoticeRequest.sample("s10", .date(World.start.addingTimeInterval(-60)))
            let report = try await place.center.add(
                [past, .sample("later", .after(.seconds(60)))],
                allOrNothing: false
            )
            #expect(report.refused.map(\.requestID) == ["s10"] && report.added == ["later"])
            #expect(try await place.center.monitoredFeeds().map(\.pending) == [1])
            try await place.center.stopMonitoring("stories")
            #expect(try await pending(place) == ["later"])
        }
    }

    @Test("Ordinary requests are left alone, and so are those of another feed") func others() async throws {
        try await RegionWorld.run { place in
            try await place.add("mine", LocationTrigger(region: RegionWorld.region(at: 90_000)))
            try await place.add("s10", LocationTrigger(region: RegionWorld.region(at: 90_000)))
            let events = await place.center.events()
            let source = ScriptedFeed(Self.road())
            let other = ScriptedFeed([.place("s11", at: 11_000), .place("other", at: 10_500)])
            try await place.center.startMonitoring(source.feed())
            try await place.center.startMonitoring(other.feed("events"))
            try await place.go(10_400)
            #expect(try await pending(place) == ["mine", "other", "s10", "s11", "s9"])
            try await place.center.add(.sample("end"))
            try await place.clock.settle()
            var told: [String] = []
            for await event in events {
                if case .error(let error) = event { told.append(error.message) }
                if case .delivered = event { break }
            }
            // Whichever answered first has s11.
            #expect(told.contains { $0.contains("'s10' is pending that was added by itself") }, "\(told)")
            #expect(try await place.center.monitoredFeeds().map(\.pending).reduce(0, +) == 3)
            // Which goes on by itself.
            try await place.go([9_500, 10_000])
            #expect(place.world.deliveredIDs() == ["end"])
            // A request of the app's own takes an identifier from the feed.
            try await place.center.add(.sample("s9", .after(.seconds(3_600))))
            try await place.go([30_000])
            #expect(try await pending(place).contains("s9"))
            try await place.center.stopMonitoring("stories")
            // Asked again, the other feed has s11 now if it hadn't.
            try await place.go([10_400])
            #expect(try await pending(place) == ["mine", "other", "s10", "s11", "s9"])
        }
    }

    @Test("What can't be registered is left out and told once; the rest is registered") func faults() async throws {
        try await RegionWorld.run { place in
            let events = await place.center.events()
            var far = NoticeRequest.place("far", at: 100)
            far.trigger = LocationTrigger(region: CircularRegion(latitude: 91, longitude: 0, radius: 10))
            var member = NoticeRequest.place("member", at: 30)
            member.series = "base"
            let source = ScriptedFeed([
                far, member, .sample("timed", .after(.seconds(60))), .place("empty", at: 20, title: "  "),
                .place("twin", at: 300), .place("twin", at: 400), .place("", at: 200), .place("good", at: 10),
                .place("bad hours", at: 15),
            ])
            source.places[8].trigger = LocationTrigger(region: RegionWorld.region(at: 15), during: "nonsense")
            try await place.center.startMonitoring(source.feed(nearest: 50))
            try await place.go([5_000, 5_600, 6_200])
            #expect(source.questions.count == 3)
            #expect(try await pending(place) == ["good", "twin"])
            try await place.center.add(.sample("end"))
            try await place.clock.settle()
            var told: [String] = []
            for await event in events {
                if case .error(let error) = event {
                    #expect(error.code == .regionIgnored)
                    told.append(error.message)
                }
                if case .delivered = event { break }
            }
            #expect(told.count == 1, "\(told)")
            #expect(told.first?.contains("So were 6 more") == true, "\(told)")
        }
    }

    @Test("An attachment may have the length that the center's options allow, as in a request that is added")
    func attachmentLimit() async throws {
        let folder = try TemporaryFolder()
        let files = try [(11, "small"), (64 << 20 + 1, "large")].map { length, name in
            let path = try folder.write(name, "")
            #expect(truncate(path, off_t(length)) == 0)
            return path
        }
        let places = zip(["small", "large"], files).map { id, path in
            var request = NoticeRequest.place(id, at: 20_000)
            request.content.attachments = [NoticeAttachment(id: "a", path: path)]
            return request
        }
        for (limit, accepted) in [(10, []), (11, ["small"]), (65 << 20, ["large", "small"])] as [(Int, [String])] {
            try await RegionWorld.run(options: CenterOptions(attachmentLimit: limit)) { place in
                try await place.center.startMonitoring(ScriptedFeed(places).feed())
                try await place.go(10_400)
                #expect(try await pending(place) == accepted)
            }
        }
    }

    @Test("Of an answer with too many the nearest are taken, in whatever order they come") func tooMany() async throws {
        try await RegionWorld.run { place in
            let all = Self.road(1_000).shuffled()
            try await place.center.startMonitoring(RegionFeed("stories", nearest: 2) { _, _ in all })
            try await place.go(500_400)
            #expect(try await pending(place) == ["s500", "s501"])
        }
    }

    @Test("A place that has fired is over, also after a restart; one that repeats fires again and again") func once()
        async throws
    {
        let (store, clock) = (MemoryRequestStore(), ManualTriggerClock(date: World.start))
        let source = ScriptedFeed(Self.road() + [.place("often", at: 10_000, repeats: true)])
        let shown = Box<[String]>([])
        for _ in 0..<3 {
            try await RegionWorld.run(on: clock, store: store) { place in
                try await place.center.startMonitoring(source.feed())
                try await place.go([12_000, 11_000, 10_000, 9_000])
                let ids = place.world.deliveredIDs()
                await shown.update { $0 += ids }
            }
        }
        // The first run begins inside of s12, and each of the others is 3 km away from the end of the one before.
        let all = await shown.value
        #expect(all == ["s11", "often", "s10", "s9", "s12", "often", "often"], "\(all)")
    }

    @Test("After a restart what is pending stays until the first answer, and what was reached meanwhile fires")
    func restart()
        async throws
    {
        let (store, clock) = (MemoryRequestStore(), ManualTriggerClock(date: World.start))
        let source = ScriptedFeed(Self.road())
        try await RegionWorld.run(on: clock, store: store) { place in
            try await place.center.startMonitoring(source.feed())
            try await place.go(10_400)
        }
        try await RegionWorld.run(on: clock, store: store) { place in
            // Nobody has begun the feed: what it left fires as any request does.
            #expect(try await pending(place) == ["s10", "s11", "s9"])
            #expect(
                try await place.center.monitoredFeeds()
                    == [RegionFeed.Report(id: "stories", isMonitored: false, pending: 3, done: 0)]
            )
            try await place.go(11_000)
            #expect(place.world.deliveredIDs() == ["s11"])
        }
        try await RegionWorld.run(on: clock, store: store) { place in
            try await place.center.startMonitoring(source.feed())
            #expect(try await pending(place) == ["s10", "s9"])
            // From outside of it to inside, while the machine was off.
            try await place.go(50_000)
            #expect(place.world.deliveredIDs() == ["s50"])
            #expect(try await pending(place) == ["s49", "s51"])
            #expect(
                try await place.center.monitoredFeeds()
                    == [RegionFeed.Report(id: "stories", isMonitored: true, pending: 2, done: 2)]
            )
        }
        try await RegionWorld.run(on: clock, store: store) { place in
            try await place.center.stopMonitoring("stories")
            #expect(try await pending(place) == [])
            #expect(try await place.center.monitoredFeeds() == [])
            try await place.center.stopMonitoring("stories")
            // Nothing is remembered.
            try await place.center.startMonitoring(source.feed())
            try await place.go([10_500, 11_000])
            #expect(place.world.deliveredIDs() == ["s11"])
        }
    }

    @Test("Other content is shown, and the place goes on where it was; another region begins anew") func changed()
        async throws
    {
        try await RegionWorld.run { place in
            let source = ScriptedFeed([.place("a", at: 0, radius: 1_000, edge: .exit)])
            try await place.center.startMonitoring(source.feed())
            try await place.go([0, 100])
            source.places = [.place("a", at: 0, radius: 1_000, edge: .exit, title: "Corrected")]
            try await place.go(700)
            #expect(try await place.center.pending().map(\.request.content.title) == ["Corrected"])
            try await place.go(1_100)
            #expect(place.world.recorder.deliveries.map(\.content.title) == ["Corrected"])
            #expect(place.crossings() == [.left])
            // Over is over, whatever is said of it later.
            source.places = [.place("a", at: 2_000, title: "Once more")]
            try await place.go([1_500, 2_000, 2_600])
            #expect(place.crossings() == [.left])
        }
    }

    @Test("Who is inside, or stays, is not forgotten when the feed moves on") func stays() async throws {
        try await RegionWorld.run { place in
            var all = Self.road(40, radius: 30)
            all.append(.place("region", at: 0, radius: 5_000, edge: .exit))
            all.append(.place("stay", at: 0, radius: 5_000, dwell: .seconds(600)))
            let source = ScriptedFeed(all)
            try await place.center.startMonitoring(source.feed(nearest: 4))
            try await place.go([-6_000, -5_500, -1_000])
            #expect(try await pending(place).contains("stay"))
            try await place.go([2_500, 3_500])
            #expect(try await pending(place) == ["region", "s2", "s3", "s4", "s5", "stay"])
            try await place.clock.advance(by: .seconds(601))
            #expect(place.world.deliveredIDs() == ["stay"])
            try await place.go(5_500)
            #expect(place.world.deliveredIDs().contains("region"))
            try await place.go(6_500)
            #expect(try await pending(place) == ["s5", "s6", "s7", "s8"])
        }
    }

    @Test("A notice that stands or waits for the end of quiet hours stays when its place has left the feed")
    func notices()
        async throws
    {
        try await RegionWorld.run { place in
            let source = ScriptedFeed(Self.road(repeats: true))
            try await place.center.startMonitoring(source.feed())
            try await place.go([10_500, 11_000])
            #expect(place.world.deliveredIDs() == ["s11"])
            try await place.go(20_500)
            #expect(try await place.center.delivered().map(\.requestID) == ["s11"])
            // 0:00 to 1:00.
            try await place.center.setQuietHours(QuietHours([QuietHours.Period(from: "0:00", to: "1:00")]))
            try await place.go([20_000, 30_500])
            #expect(try await pending(place) == ["s20", "s29", "s30", "s31"])
            #expect(place.world.deliveredIDs() == ["s11"])
            try await place.clock.advance(by: .seconds(3_600))
            #expect(place.world.deliveredIDs() == ["s11", "s20"])
        }
    }

    @Test("A pending limit leaves a feed the room that others don't take, for its nearest places") func limits()
        async throws
    {
        for overflow in [CenterOptions.PendingLimit.Overflow.refuse, .keepSoonest, .keepHighestPriority] {
            var options = CenterOptions()
            options.pendingLimit = CenterOptions.PendingLimit(count: 4, overflow: overflow)
            try await RegionWorld.run(options: options) { place in
                try await place.center.add([.sample("a", .after(.seconds(60))), .sample("b", .after(.seconds(70)))])
                let source = ScriptedFeed(Self.road())
                try await place.center.startMonitoring(source.feed(nearest: 10))
                try await place.go(10_400)
                #expect(try await pending(place) == ["a", "b", "s10", "s11"], "\(overflow)")
                try await place.go(12_400)
                #expect(try await pending(place) == ["a", "b", "s12", "s13"], "\(overflow)")
                try await place.clock.advance(by: .seconds(80))
                try await place.go(13_450)
                #expect(try await pending(place) == ["s12", "s13", "s14", "s15"], "\(overflow)")
                guard overflow != .refuse else { return }
                // Dropped for another, and in again when there is room.
                try await place.center.add(.sample("c", .after(.seconds(60))))
                #expect(try await pending(place).count == 4)
                try await place.clock.advance(by: .seconds(80))
                try await place.go(14_300)
                #expect(try await pending(place) == ["s13", "s14", "s15", "s16"], "\(overflow)")
            }
        }
    }

    @Test("Ending removes its requests, and others stay; what is kept again begins anew") func ends() async throws {
        try await RegionWorld.run { place in
            let source = ScriptedFeed(Self.road())
            try await place.add("mine", LocationTrigger(region: RegionWorld.region(at: 90_000)))
            try await place.center.startMonitoring(source.feed())
            try await place.go(10_400)
            try await place.center.stopMonitoring("stories")
            #expect(try await pending(place) == ["mine"])
            try await place.go([12_000, 14_000])
            #expect(source.questions == [10_400])
            #expect(place.world.deliveredIDs() == [])
            #expect(try await place.details(of: "s10") == ["removed: its region feed 'stories' has ended"])
            try await place.center.removeAll()
            try await place.clock.settle()
            #expect(!place.position.isRunning)
        }
    }

    @Test("A series that the app has added itself under a place's identifier stays when the feed ends")
    func ownSeries() async throws {
        try await RegionWorld.run { place in
            try await place.center.startMonitoring(ScriptedFeed(Self.road()).feed())
            try await place.go(10_400)
            let (content, first) = (NoticeContent(title: "Own"), World.start.addingTimeInterval(600))
            try await place.center.add(
                NoticeSeries(id: "s10", content: content, first: first, spacing: .seconds(60), count: 2)
            )
            #expect(try await place.center.pending().count == 5)
            try await place.center.stopMonitoring("stories")
            #expect(try await place.center.pending().count == 2)
            #expect(try await place.center.pendingSeries().map(\.left) == [2])
        }
    }

    @Test("A feed without a place nearby needs positions all the same, a stride apart") func demand() async throws {
        try await RegionWorld.run { place in
            let source = ScriptedFeed()
            #expect(!place.position.isRunning)
            try await place.center.startMonitoring(source.feed())
            #expect(place.position.isRunning)
            func demand() async throws -> LocationDemand? { try await place.center.locationReport().demand }
            #expect(try await demand() == .first)
            try await place.go(0)
            #expect(try await pending(place) == [])
            #expect(try await demand() == LocationDemand(accuracy: 256, distance: 256))
            // The nearest border that may be unknown is nearer than the stride: 300 m less the largest radius, less 5
            // m.
            source.places = [.place("a", at: 800, radius: 20), .place("b", at: 900, radius: 10)]
            try await place.center.startMonitoring(source.feed(nearest: 2))
            try await place.go(600)
            #expect(try await demand() == LocationDemand(accuracy: 64, distance: 64))
            try await place.center.stopMonitoring("stories")
            try await place.clock.settle()
            #expect(!place.position.isRunning)
        }
    }

    @Test("What can't be right is refused, with the value") func refused() async throws {
        try await RegionWorld.run { place in
            let source = ScriptedFeed()
            var late = source.feed()
            late.timeout = .zero
            let feeds = [
                source.feed(""), source.feed("a\0"), source.feed(nearest: 0), source.feed(nearest: 1_001),
                source.feed(stride: .nan), source.feed(stride: 5), source.feed(largestRadius: .infinity), late,
            ]
            for feed in feeds { await expectError(.invalidFeed) { try await place.center.startMonitoring(feed) } }
            try await place.center.setAuthorization(.denied)
            await expectError(.notAuthorized) { try await place.center.startMonitoring(source.feed()) }
        }
        try await World.run { world in
            await expectError(.locationUnavailable) {
                try await world.center.startMonitoring(RegionFeed("w") { _, _ in [] })
            }
        }
    }
}
