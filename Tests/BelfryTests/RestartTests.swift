import BelfryRecorder
import BelfryRecurrence
import BelfryTestSupport
import BelfryTesting
import Foundation
import Testing

@testable import Belfry

@Suite("Crashes and restarts", .takesTurns)
struct RestartTests {
    /// A process that dies: its center is dropped in mid-air, its store is all that is left.
    private func process(
        _ store: any RequestStore,
        _ clock: ManualTriggerClock,
        _ backend: ModelBackend = ModelBackend()
    ) -> NoticeCenter {
        NoticeCenter(app: World.app, backend: backend, store: NoticeStore(store), clock: .manual(clock))
    }

    @Test("What was added before the center ever ran is delivered when it does") func addedBefore() async throws {
        let (store, clock) = (MemoryRequestStore(), ManualTriggerClock(date: World.start))
        let center = process(store, clock)
        try await center.add([.sample("now"), .sample("soon", .after(.seconds(10)))])
        try await clock.advance(by: .seconds(60))
        try await World.run(on: clock, store: store) { world in
            try await world.clock.settle()
            #expect(world.deliveredIDs() == ["now", "soon"] || world.deliveredIDs() == ["soon", "now"])
        }
    }

    @Test("A delivery that was begun and never confirmed is shown again, marked") func unconfirmed() async throws {
        let (store, clock) = (MemoryRequestStore(), ManualTriggerClock(date: World.start))
        let (gate, begun, stored) = (Gate(), Gate(), Gate())
        let backend = ModelBackend { _, number, _ in
            begun.open()
            await gate.wait()
            return DeliveryReceipt(backend: "model", handle: "\(number)", server: "s1")
        }
        let dying = process(store, clock, backend)
        let running = Task {
            try await dying.run { center in
                try await center.add([.sample("a"), .sample("b")])
                await begun.wait()
                try await center.add(NoticeRequest(id: "a", title: "Second"))
                stored.open()
                await gate.wait()
            }
        }
        await stored.wait()
        let snapshot = CopyOfStore(try await store.load(), store)
        try await World.run(on: ManualTriggerClock(date: World.start), store: snapshot) { world in
            try await world.clock.settle()
            // Of "a" the second is wanted: it would have taken the place of the first.
            #expect(Set(world.recorder.deliveries.map(\.content.title)) == ["Second", "Notice b"])
            #expect(world.recorder.deliveries.allSatisfy { $0.isPossiblyRepeated })
            #expect(try await world.standingIDs().sorted() == ["a", "b"])
            #expect(try await world.lastDetail(of: "a", .delivered)?.hasPrefix("possibly repeated") == true)
        }
        gate.open()
        try await running.value
    }

    @Test("A confirmed delivery is not shown again, and can be answered and replaced after a restart")
    func confirmed() async throws {
        let (store, clock) = (MemoryRequestStore(), ManualTriggerClock(date: World.start))
        let recorder = RecorderBackend()
        try await World.run(on: clock, store: store, recorder: recorder) { world in
            try await world.center.add([.sample("a"), .sample("b")])
            try await world.clock.settle()
        }
        try await World.run(on: clock, store: store, recorder: recorder) { world in
            try await world.clock.advance(by: .seconds(600))
            #expect(recorder.deliveries.count == 2)
            #expect(try await world.center.delivered().map(\.requestID) == ["a", "b"])
            var answers = await world.center.responses().makeAsyncIterator()
            try await world.person(.open, on: "a")
            #expect(await answers.next()?.requestID == "a")
            try await world.center.add(NoticeRequest(id: "b", title: "New"))
            try await world.clock.settle()
            #expect(recorder.shown.map(\.delivery.content.title) == ["New"])
        }
    }

    @Test("An answer is stored before anybody hears of it") func answerFirst() async throws {
        let store = FailingRequestStore()
        try await World.run(store: store) { world in
            try await world.center.add(.sample("x"))
            try await world.clock.settle()
            let heard = Box(false)
            let responses = await world.center.responses()
            let listening = Task { for await _ in responses { await heard.set(true) } }
            store.stallTransactions()
            try world.recorder.simulate(.open, on: "x")
            await store.waitUntilStalled()
            #expect(await heard.value == false)
            store.release()
            await world.center.quiet()
            listening.cancel()
        }
    }

    @Test("How late a standing notice was stays what it was, over reboots") func lateness() async throws {
        let (store, clock) = (MemoryRequestStore(), ManualTriggerClock(date: World.start))
        try await World.run(on: clock, store: store) { world in
            try await world.center.add(.sample("x", .after(.seconds(60))))
            try await world.clock.suspend(for: .seconds(75))
            #expect(try await world.center.delivered().map(\.late) == [.seconds(15)])
        }
        for _ in 0..<2 {
            try await clock.reboot(taking: .seconds(1_000))
            try await World.run(on: clock, store: store) { world in
                let late = try await world.center.delivered().map(\.late)
                #expect(late == [.seconds(15)])
            }
        }
    }

    @Test("An unconfirmed delivery of days ago keeps its lateness, and its misfire policy decides")
    func oldUnconfirmed() async throws {
        for (misfire, count) in [(MisfirePolicy.deliver, 1), (.skip, 0), (.deliver(within: .seconds(60)), 0)] {
            var request = NoticeRequest.sample("x")
            request.misfire = misfire
            let start = ManualTriggerClock(date: World.start).now()
            let store = MemoryRequestStore()
            try await store.commit([
                .putRequest(request, revision: 1, TriggerProgress(anchor: start.wall)), .removeRequest(revision: 1),
                .putDelivery(
                    DeliveryRecord(
                        id: "1",
                        requestID: "x",
                        revision: 1,
                        dueAt: start,
                        traits: DeliveryTraits(request)
                    )
                ),
                .putClockMapping(ClockMapping(bootID: "an earlier one", instant: start, zone: "UTC")),
            ])
            let clock = ManualTriggerClock(date: World.start.addingTimeInterval(86_400))
            // Twice, with a crash in between: the second start reads what the first one wrote.
            _ = try await process(store, clock).pending()
            try await World.run(on: clock, store: store) { world in
                try await world.clock.settle()
                #expect(world.recorder.deliveries.map(\.late) == Array(repeating: .seconds(86_400), count: count))
                #expect(try await world.history() == [count == 1 ? .delivered : .missed])
                let detail = try #require(try await world.center.history().first?.detail)
                #expect(detail.contains("an earlier attempt was never confirmed"), "\(detail)")
            }
        }
    }

    @Test("A date that has gone out of the zone data ends its request, not its notice") func noDateLeft() async throws {
        let request = NoticeRequest(
            id: "x",
            content: NoticeContent(title: "T"),
            trigger: CalendarTrigger(matching: .init(year: 2020), repeats: true)
        )
        let store = MemoryRequestStore()
        let (start, receipt) = (
            ManualTriggerClock(date: World.start).now(), DeliveryReceipt(backend: "recorder", handle: "7")
        )
        try await store.commit([
            .putRequest(request, revision: 1, TriggerProgress(anchor: start.wall, fired: 1, lastDue: start.wall)),
            .putDelivery(
                DeliveryRecord(
                    id: "1",
                    requestID: "x",
                    revision: 1,
                    dueAt: start,
                    shownAt: start,
                    receipt: receipt,
                    traits: DeliveryTraits(request)
                )
            ),
        ])
        try await World.run(store: store) { world in
            #expect(try await world.pendingIDs() == [])
            #expect(try await world.history() == [.missed])
            #expect(try await world.center.delivered().map(\.content.title) == ["T"])
            try await world.center.removeAllDelivered()
            #expect(try await store.request(revision: 1) == nil)
        }
    }

    @Test("A local date that a journey skipped is due, although the clock was set back to before the adding")
    func skippedBeforeAdding() async throws {
        // Added at 8:30 in London, for 9:00. Now it is 9:30 east of there, and 4:30 in London.
        let added = try Date("2026-06-01T08:30:00Z", strategy: .iso8601)
        let fields = DateComponents(year: 2026, month: 6, day: 1, hour: 9, minute: 0)
        let request = NoticeRequest.sample("x", CalendarTrigger(matching: fields, repeats: false))
        let (store, wall) = (MemoryRequestStore(), added.microsecondsSince1970)
        try await store.commit([
            .putRequest(request, revision: 1, TriggerProgress(anchor: wall, lastLocal: wall / 1_000_000))
        ])
        let clock = ManualTriggerClock(
            date: added.addingTimeInterval(-4 * 3_600),
            zone: try .named("Etc/GMT-5")
        )
        try await World.run(on: clock, store: store) { world in
            try await world.clock.settle()
            #expect(world.recorder.deliveries.map(\.late) == [.seconds(1_800)])
            #expect(try await world.history() == [.delivered])
        }
    }

    @Test(
        "An interval begins anew where a damaged store has lost which boot its anchor is of",
        arguments: [5, 5_000_000] as [Int64]
    )
    func lostMapping(uptime: Int64) async throws {
        // This boot's clock shows 1,000 s.
        let (store, clock) = (MemoryRequestStore(), ManualTriggerClock(date: World.start))
        let anchor = uptime * 1_000_000
        try await store.commit([
            .putRequest(.sample("once", .after(.seconds(60))), revision: 1, TriggerProgress(anchor: anchor)),
            .putRequest(.sample("often", .every(.seconds(90))), revision: 2, TriggerProgress(anchor: anchor, fired: 3)),
        ])
        // The second start reads what the first one has stored.
        for _ in 0..<2 {
            try await World.run(on: clock, store: store) { world in
                let once = try await world.center.nextFireDate(of: "once")
                #expect(once == World.start.addingTimeInterval(60))
                let often = try await world.center.nextFireDate(of: "often")
                #expect(often == World.start.addingTimeInterval(90))
            }
        }
    }

    @Test(
        "A snooze, a stay in a region and a delivery go on by the wall clock where their boot is lost",
        arguments: [5, 5_000_000] as [Int64]
    )
    func lostMappingOfInstants(uptime: Int64) async throws {
        // This boot's clock shows 1,000 s.
        let (store, clock) = (MemoryRequestStore(), ManualTriggerClock(date: World.start))
        func instant(_ seconds: Int64) -> TriggerInstant {
            let wall = World.start.microsecondsSince1970
            return TriggerInstant(wall: wall + seconds * 1_000_000, boot: (uptime + seconds) * 1_000_000)
        }
        let (tea, stay) = (
            NoticeRequest.sample("tea"), LocationTrigger(region: RegionWorld.region(), dwell: .seconds(60))
        )
        var late = NoticeRequest.sample("late")
        late.misfire = .deliver(within: .seconds(60))
        var snooze = DeliveryRecord(
            id: "1",
            requestID: "tea",
            revision: 1,
            dueAt: instant(60),
            traits: DeliveryTraits(tea)
        )
        snooze.wait = .snoozedOnBoot(until: instant(60).boot)
        try await store.commit([
            .putRequest(tea, revision: 1, TriggerProgress(anchor: 0)), .removeRequest(revision: 1),
            .putDelivery(snooze),
            .putRequest(late, revision: 2, TriggerProgress(anchor: 0)), .removeRequest(revision: 2),
            .putDelivery(
                DeliveryRecord(
                    id: "2",
                    requestID: "late",
                    revision: 2,
                    dueAt: instant(-30),
                    traits: DeliveryTraits(late)
                )
            ),
            .putRequest(.sample("home", stay), revision: 3, TriggerProgress(anchor: instant(-90).wall)),
            .putPlace(revision: 3, RegionProgress(isInside: true, since: instant(-30))),
        ])
        // The second start reads what the first one has stored.
        for latenesses in [[Duration.seconds(30)], []] {
            try await World.run(on: clock, store: store) { world in
                try await clock.settle()
                let snoozed = try await world.center.nextFireDate(of: "tea")
                #expect(snoozed == World.start.addingTimeInterval(60))
                let stayed = try await world.center.nextFireDate(of: "home")
                #expect(stayed == World.start.addingTimeInterval(30))
                #expect(world.recorder.deliveries.map(\.late) == latenesses)
            }
        }
    }

    @Test("A date centuries ahead is not lost by a restart") func farDate() async throws {
        let (store, clock) = (MemoryRequestStore(), ManualTriggerClock(date: World.start))
        let date = Date(timeIntervalSince1970: 253_402_300_000)
        try await World.run(on: clock, store: store) { world in
            try await world.center.add(.sample("x", DateTrigger(date: date)))
        }
        try await World.run(on: clock, store: store) { world in
            let next = try await world.center.nextFireDate()
            #expect(next == date)
        }
    }
}

/// What a store held at one moment, to go on from: the disk after a crash.
private actor CopyOfStore: RequestStore {
    private let original: any RequestStore
    private let copy = MemoryRequestStore()
    private let state: StoredState

    init(_ state: StoredState, _ original: any RequestStore) {
        self.state = state
        self.original = original
    }

    func load() async throws(NoticeError) -> StoredState { state }
    func commit(_ batch: [StoreChange]) async throws(NoticeError) { try await copy.commit(batch) }
    func request(revision: Int64) async throws(NoticeError) -> NoticeRequest? {
        if let known = try await copy.request(revision: revision) { return known }
        return try await original.request(revision: revision)
    }
    func history(_ query: HistoryQuery) async throws(NoticeError) -> [HistoryEntry] { try await copy.history(query) }
}
