import BelfryRecorder
import BelfryRecurrence
import BelfryTestSupport
import BelfryTesting
import Foundation
import Testing

@testable import Belfry

/// What concerns thousands of requests takes long. It is decided off the thread that all centers share.
@Suite("A decision about thousands of requests keeps no other center from its work (rule 41)", .takesTurns)
struct LongDecisionTests {
    private static let count = 3_000
    private static let soon = World.start.addingTimeInterval(60)
    /// A date each, all within the same minute; and one that follows the zone, a year later.
    private static let requests =
        (0..<count).map { NoticeRequest.sample("\($0)", DateTrigger(date: soon.addingTimeInterval(Double($0) / 100))) }
    private static let floating = (0..<count).map { number in
        NoticeRequest.sample("\(number)", CalendarTrigger(matching: DateFields(month: 6, hour: 8), repeats: true))
    }
    private static let series = NoticeSeries(
        id: "series",
        content: NoticeContent(title: "Series"),
        first: soon,
        spacing: .seconds(60),
        count: count
    )

    /// Begins `work` and checks that another center works before it is done.
    private static func check(
        _ center: NoticeCenter,
        _ work: @escaping @Sendable () async throws -> Void
    ) async throws {
        try await ThreadSharingTests.holdingUp(center, work) { isDone in
            try await World.run { other in
                try await other.center.add(.sample("other"))
                await other.center.quiet()
                #expect(other.deliveredIDs() == ["other"])
            }
            #expect(!isDone())
        }
    }

    @Test("Adding and removing") func adding() async throws {
        try await World.run { world in
            try await Self.check(world.center) {
                let report = try await world.center.add(Self.requests)
                #expect(report.added.count == Self.count && report.next == Self.soon)
            }
            try await Self.check(world.center) {
                let report = try await world.center.remove(Self.requests.map(\.id))
                #expect(report.removed.count == Self.count)
            }
            try await Self.check(world.center) { _ = try await world.center.add(Self.series) }
            try await Self.check(world.center) {
                let left = try await world.center.pendingSeries().map(\.left)
                #expect(left == [Self.count])
            }
            try await Self.check(world.center) {
                let report = try await world.center.remove("series")
                #expect(report.removed.count == Self.count)
            }
            #expect(try await world.pendingIDs() == [])
        }
    }

    @Test("Looking at files, and checking steps and nested data") func checking() async throws {
        let folder = try TemporaryFolder()
        let picture = try folder.write("map.png", "any")
        var (file, steps, data) = (
            NoticeRequest.sample("file"), NoticeRequest.sample("steps"), NoticeRequest.sample("data")
        )
        file.content.image = .file(picture)
        steps.escalation = [NoticeSeries.EscalationStep(from: 2, title: "Again")]
        data.content.userInfo = ["list": .array([.int(1)])]
        var text = NoticeRequest.sample("text")
        text.content.userInfo = ["text": .string(String(repeating: "x", count: 2_000))]
        try await World.run { [file, steps, data, text] world in
            for request in [file, steps, data, text] {
                try await Self.check(world.center) { try await world.center.add(request) }
            }
            try await Self.check(world.center) { _ = try await world.center.show(file) }
            try await Self.check(world.center) {
                _ = try await world.center.previewDelivery(of: file.content)
            }
        }
    }

    @Test("A file system that doesn't answer holds up neither other centers nor the notice") func files() async throws {
        let folder = try TemporaryFolder()
        let picture = try folder.write("map.png", "any")
        let options = CenterOptions(appTimeout: .milliseconds(50))
        try await World.run(options: options) { world in
            for (number, change) in [
                { $0.image = .file(picture) }, { $0.icon = .file(picture) }, { $0.sound = .file(picture) },
                { $0.attachments = [NoticeAttachment(id: "picture", path: picture)] },
                {
                    $0.body = "See <img src='\(picture)' alt='the map'/>"
                    $0.bodyFormat = .markup
                },
            ].enumerated() as EnumeratedSequence<[@Sendable (inout NoticeContent) -> Void]> {
                var request = NoticeRequest.sample("\(number)", .after(.seconds(60)))
                change(&request.content)
                try await world.center.add(request)
                try await ThreadSharingTests.holdingUp(world.center) {
                    try await world.clock.advance(by: .seconds(60))
                } meanwhile: { isDone in
                    while !isDone() { await CenterThread.shared.letOthersWork() }
                }
                let shown = try #require(world.recorder.shown.first { $0.delivery.requestID == "\(number)" }?.delivery)
                #expect(shown.content.image == nil && shown.content.icon == nil && shown.content.sound == nil)
                #expect(shown.content.attachments.isEmpty && !shown.content.body.contains("<img"))
                #expect(shown.lost.count == 1)
                if number < 4 {
                    #expect(shown.lost[0].detail == "'\(picture)' could not be looked at within 0.05 s")
                }
            }
        }
    }

    @Test("A refused request refuses all, and changes nothing") func refused() async throws {
        try await World.run { world in
            let past = NoticeRequest.sample("past", DateTrigger(date: World.start.addingTimeInterval(-60)))
            try await Self.check(world.center) {
                await #expect(throws: NoticeError.self) { try await world.center.add(Self.requests + [past]) }
            }
            #expect(try await world.pendingIDs() == [])
        }
    }

    @Test("A change that can't be stored") func undone() async throws {
        let store = FailingRequestStore()
        try await World.run(store: store) { world in
            let engine = try #require(world.center.engine as? EmbeddedEngine)
            store.stallTransactions()
            store.failNextTransactions()
            async let error = expectError(.storeFailed) { try await world.center.add(Self.requests) }
            await store.waitUntilStalled()
            // Only the decision comes before this.
            try await ThreadSharingTests.holdingUp(world.center) {
                store.release()
                while await engine.schedule.size > 0 { await CenterThread.shared.letOthersWork() }
            } meanwhile: { isDone in
                try await World.run { try await $0.center.add(.sample("other")) }
                #expect(!isDone())
            }
            _ = await error
            #expect(try await world.pendingIDs() == [])
        }
    }

    @Test("A location fix inside thousands of regions, and one outside") func regions() async throws {
        try await RegionWorld.run { place in
            let here = LocationTrigger(region: RegionWorld.region(), edge: .both, repeats: true)
            try await place.center.add((0..<Self.count).map { .sample("\($0)", here) })
            try await place.go(500)
            for (meters, crossing) in [(0.0, CircularRegion.Crossing.entered), (500.0, .left)] {
                try await Self.check(place.center) { try await place.go(meters) }
                await place.center.quiet()
                #expect(place.crossings() == Array(repeating: crossing, count: Self.count))
                place.world.recorder.forget()
            }
        }
    }

    @Test("What a location fix changes is counted up to the limit, not searched whole") func countingRegions() throws {
        let now = TriggerInstant(wall: World.start.microsecondsSince1970, boot: 1_000_000)
        var schedule = Schedule(zone: .utc, at: now)
        _ = schedule.handle(.started, at: now)
        let here = LocationTrigger(region: RegionWorld.region(), edge: .both, repeats: true)
        let requests = (0..<5).map { NoticeRequest.sample("\($0)", here) }
        _ = try schedule.change(at: now) { try $0.add(requests) }
        for meters in [0.0, 500] {
            let fix = ScheduleEvent.positionFix(RegionWorld.fix(meters, at: World.start))
            for limit in [3, 5] { #expect(schedule.size(of: fix, at: now, upTo: limit) == limit) }
            _ = schedule.handle(fix, at: now)
        }
    }

    @Test("Regions that are only looked at count, too: the device stays in them, or they are new in a feed")
    func lookingAtRegions() throws {
        let now = TriggerInstant(wall: World.start.microsecondsSince1970, boot: 1_000_000)
        var schedule = Schedule(zone: .utc, at: now)
        _ = schedule.handle(.started, at: now)
        let feed = ScriptedFeed().feed()
        _ = schedule.change(at: now) { $0.startMonitoring(feed) }
        let here = LocationTrigger(region: RegionWorld.region(), edge: .both, repeats: true)
        let requests = (0..<2 * Schedule.looksPerChange).map { NoticeRequest.sample("\($0)", here) }
        _ = try schedule.change(at: now) { try $0.add(requests) }
        let fix = ScheduleEvent.positionFix(RegionWorld.fix(0, at: World.start))
        for _ in 0..<Schedule.looksPerChange { _ = schedule.handle(fix, at: now) }
        for (limit, size) in [(1, 1), (2, 2), (3, 2)] {
            #expect(schedule.size(of: fix, at: now, upTo: limit) == size)
        }
        let queries = schedule.feedQueries()
        let query = try #require(queries.first?.0)
        let result = FeedResult(
            [.place("new", at: 0)],
            nearestTo: query.fix,
            count: 1,
            validatedBy: RequestValidation()
        )
        let returned = ScheduleEvent.feedReturned(query, result)
        #expect(schedule.size(of: returned, at: now, upTo: 3) == 2)
    }

    @Test("What an owner wants") func synchronizing() async throws {
        let entries = Self.requests.map { OwnedRequests.Entry(key: $0.id, fingerprint: "1", requests: [$0]) }
        try await World.run { world in
            try await Self.check(world.center) {
                let wanted = OwnedRequests(owner: "file", entries: entries)
                let report = try await world.center.embedded.synchronize(wanted, isTrial: false)
                #expect(report.added.count == Self.count)
            }
            try await Self.check(world.center) {
                let wanted = OwnedRequests(owner: "file", entries: [])
                let report = try await world.center.embedded.synchronize(wanted, isTrial: false)
                #expect(report.removed.count == Self.count)
            }
        }
    }

    @Test("Firing what is due, in order, and removing everything") func due() async throws {
        try await World.run { world in
            try await world.center.add(Self.requests)
            try await Self.check(world.center) { try await world.clock.advance(by: .seconds(120)) }
            await world.center.quiet()
            #expect(world.deliveredIDs() == Self.requests.map(\.id))
            try await world.center.add(Self.floating)
            try await Self.check(world.center) { try await world.center.removeAll() }
            #expect(try await world.pendingIDs() == [])
        }
    }

    @Test("A change of the clock, and of the zone") func clock() async throws {
        try await World.run { world in
            try await world.center.add(Self.floating)
            let first = World.start.addingTimeInterval(151 * 86_400 + 8 * 3_600)
            #expect(try await world.center.nextFireDate() == first)
            try await Self.check(world.center) {
                try await world.clock.set(wall: first.addingTimeInterval(-86_400))
            }
            try await Self.check(world.center) { try await world.clock.changeZone(to: .named("Asia/Tokyo")) }
            #expect(try await world.center.nextFireDate() == first.addingTimeInterval(-9 * 3_600))
        }
    }

    @Test("The end of a series after a response") func ending() async throws {
        try await World.run { world in
            try await world.center.add(Self.series)
            try await world.clock.advance(by: .seconds(60))
            await world.center.quiet()
            let shown = try #require(world.recorder.deliveries.first)
            try await Self.check(world.center) {
                try world.recorder.simulate(.open, on: shown.requestID)
                await world.center.quiet()
            }
            #expect(try await world.pendingIDs() == [])
        }
    }

    @Test("Snoozing an element of a series") func snoozing() async throws {
        try await World.run { world in
            var responses = await world.center.responses().makeAsyncIterator()
            var series = Self.series
            series.content.reportsDismissal = true
            try await world.center.add(series)
            try await world.clock.advance(by: .seconds(60))
            let shown = try #require(world.recorder.deliveries.first)
            try await world.person(.dismiss, on: shown.requestID)
            let dismissal = try #require(await responses.next())
            try await Self.check(world.center) { try await world.center.snooze(dismissal, for: .seconds(90)) }
            #expect(try await world.center.pending().first { $0.id == shown.requestID }?.snoozeCount == 1)
        }
    }

    @Test("The end of a doubt about the clock") func doubt() async throws {
        let store = MemoryRequestStore()
        let clock = ManualTriggerClock(date: World.start, patience: World.patience)
        try await World.run(on: clock, store: store) { world in try await world.center.add(Self.requests) }
        clock.isSynchronized = false
        try await clock.reboot(taking: .seconds(10 * 86_400))
        try await World.run(on: clock, store: store) { world in
            try await clock.advance(by: .seconds(119))
            #expect(world.deliveredIDs() == [])
            try await Self.check(world.center) { try await clock.advance(by: .seconds(2)) }
            await world.center.quiet()
            #expect(world.deliveredIDs() == Self.requests.map(\.id))
        }
    }

    @Test("The end of quiet hours, by the clock and by the app") func quietHours() async throws {
        for isByApp in [false, true] {
            try await World.run { world in
                // The world begins at midnight.
                try await world.center.setQuietHours(QuietHours([QuietHours.Period(from: "00:00", to: "06:00")]))
                try await world.center.add(Self.requests)
                try await world.clock.advance(by: .seconds(120))
                #expect(world.deliveredIDs() == [])
                try await Self.check(world.center) {
                    if isByApp {
                        try await world.center.setQuietHours(nil)
                    } else {
                        try await world.clock.advance(by: .seconds(6 * 3_600))
                    }
                }
                await world.center.quiet()
                #expect(world.deliveredIDs() == Self.requests.map(\.id))
            }
        }
    }

    @Test("A server that goes, and one that comes") func server() async throws {
        try await World.run { world in
            try await world.center.add(Self.requests)
            try await world.clock.advance(by: .seconds(120))
            await world.center.quiet()
            #expect(try await world.center.delivered().count == Self.count)
            try await Self.check(world.center) {
                world.recorder.removeServer()
                await world.center.quiet()
            }
            #expect(try await world.center.delivered().isEmpty)
            try await world.center.add(Self.requests.map { .sample($0.id, .after(.seconds(60))) })
            try await world.clock.advance(by: .seconds(60))
            try await Self.check(world.center) {
                world.recorder.restoreServer()
                await world.center.quiet()
            }
            try await world.clock.settle()
            #expect(try await world.center.delivered().count == Self.count)
        }
    }

    @Test("Rules that no request has any more are dropped") func rules() async throws {
        try await World.run { world in
            let engine = try #require(world.center.engine as? EmbeddedEngine)
            for round in 0..<8 {
                try await world.center.add(
                    (0..<Self.count).map { number in
                        let fields = DateFields(
                            hour: number % 24,
                            minute: number / 24 % 60,
                            second: number / 1_440 + 3 * round
                        )
                        return .sample("\(number)", CalendarTrigger(matching: fields, repeats: true))
                    }
                )
                #expect(await engine.schedule.entries.rules.count <= 3 * Self.count)
            }
        }
    }

    @Test("A long transaction in memory is seen as a whole, or not at all") func transaction() async throws {
        let store = MemoryRequestStore()
        let changes = Self.requests.enumerated().map { number, request in
            StoreChange.putRequest(request, revision: Int64(number), TriggerProgress(anchor: 0))
        }
        async let stored: Void = store.commit(changes)
        var count = 0
        while count == 0 { count = try await store.requests(revisions: Array(0..<Int64(Self.count))).count }
        #expect(count == Self.count)
        try await stored
    }

    @Test("Opening a store") func opening() async throws {
        let store = MemoryRequestStore()
        try await World.run(store: store) { world in try await world.center.add(Self.requests) }
        let center = NoticeCenter(
            app: World.app,
            backend: RecorderBackend(),
            store: NoticeStore(store),
            clock: .manual(ManualTriggerClock(date: World.start, zone: .utc))
        )
        try await Self.check(center) {
            let count = try await center.pending().count
            #expect(count == Self.count)
        }
    }
}
