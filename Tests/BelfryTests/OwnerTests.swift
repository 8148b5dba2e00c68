import BelfryRecorder
import BelfryRecurrence
import BelfryTestSupport
import BelfryTesting
import Foundation
import Testing

@testable import Belfry

@Suite("An owner's requests under a pending limit, and their names", .takesTurns)
struct OwnerTests {
    private static func entry(_ key: String, _ requests: [NoticeRequest]) -> OwnedRequests.Entry {
        OwnedRequests.Entry(key: key, fingerprint: "1", requests: requests)
    }

    private static func single(_ key: String, after seconds: Int) -> OwnedRequests.Entry {
        entry(key, [.sample(key, .after(.seconds(seconds)))])
    }

    private static func series(_ base: String, count: Int, first: Double = 60) throws -> OwnedRequests.Entry {
        let start = World.start.addingTimeInterval(first)
        let series = NoticeSeries(
            id: base,
            content: NoticeContent(title: "Mail"),
            first: start,
            spacing: .seconds(60),
            count: count
        )
        return entry(base, try series.requests(startingAt: start))
    }

    private static func limited(_ count: Int, _ overflow: CenterOptions.PendingLimit.Overflow) -> CenterOptions {
        CenterOptions(pendingLimit: CenterOptions.PendingLimit(count: count, overflow: overflow))
    }

    private static func synchronize(
        _ world: World,
        _ entries: [OwnedRequests.Entry],
        owner: String = "file"
    ) async throws -> NoticeCenter.SynchronizationReport {
        try await world.center.engine.synchronize(OwnedRequests(owner: owner, entries: entries), isTrial: false)
    }

    @Test("What made room for another entry is not unchanged: it comes in again when there is room") func madeRoom()
        async throws
    {
        try await World.run(options: Self.limited(1, .keepSoonest)) { world in
            let (late, soon) = (Self.single("late", after: 600), Self.single("soon", after: 60))
            #expect(try await Self.synchronize(world, [late]).added == ["late"])
            let second = try await Self.synchronize(world, [late, soon])
            #expect(second.added == ["soon"] && second.unchanged == [])
            #expect(second.warnings == ["There was no room for 'late' under the pending limit."])
            #expect(try await world.pendingIDs() == ["soon"])
            let third = try await Self.synchronize(world, [late, soon])
            #expect(third.unchanged == ["soon"] && third.added == [])
            #expect(third.skipped.map(\.message) == ["The pending limit of 1 has no room for it."])
            try await world.clock.advance(by: .seconds(60))
            #expect(try await Self.synchronize(world, [late, soon]).added == ["late"])
            #expect(try await world.pendingIDs() == ["late"])
        }
    }

    @Test("Entries may exchange their identifiers, and no two may have the same") func exchanged() async throws {
        @Sendable func entry(_ key: String, _ id: String, _ fingerprint: String) -> OwnedRequests.Entry {
            OwnedRequests.Entry(key: key, fingerprint: fingerprint, requests: [.sample(id, .after(.seconds(60)))])
        }
        try await World.run { world in
            _ = try await Self.synchronize(world, [entry("1", "a", "old"), entry("2", "b", "old")])
            _ = try await Self.synchronize(world, [entry("1", "b", "new"), entry("2", "a", "new")])
            #expect(try await world.pendingIDs().sorted() == ["a", "b"])
            for second in [entry("2", "b", "newer"), entry("2", "b", "newest")] {
                let error = await #expect(throws: NoticeError.self) {
                    try await Self.synchronize(world, [entry("1", "b", "new"), second])
                }
                #expect(error?.code == .identifierTaken)
                #expect(error?.message.hasPrefix("'1' and '2' of 'file' both have the identifier 'b'") == true)
            }
            #expect(try await world.pendingIDs().sorted() == ["a", "b"])
        }
    }

    @Test("A single request may take the identifier of a series, and another series too: the old elements go")
    func seriesBecomesSingle() async throws {
        try await World.run { world in
            func named(_ key: String, _ fingerprint: String, _ entry: OwnedRequests.Entry) -> OwnedRequests.Entry {
                OwnedRequests.Entry(key: key, fingerprint: fingerprint, requests: entry.requests)
            }
            let series = { try Self.series($0, count: 4, first: $1) }
            _ = try await Self.synchronize(
                world,
                [named("1", "old", series("a", 60)), named("2", "old", series("b", 60))]
            )
            _ = try await Self.synchronize(
                world,
                [named("1", "new", Self.single("a", after: 30)), named("2", "old", series("b", 60))]
            )
            #expect(try await world.pendingIDs().filter { $0.hasPrefix("a") } == ["a"])
            #expect(try await world.center.pendingSeries().map(\.id) == ["b"])
            // They exchange their identifiers.
            _ = try await Self.synchronize(
                world,
                [named("2", "newer", Self.single("a", after: 30)), named("1", "newer", series("b", 600))]
            )
            #expect(try await world.pendingIDs().count == 5)
            #expect(try await world.center.pending().compactMap(\.next).max() == World.start.addingTimeInterval(780))
            #expect(try await world.center.pendingSeries().map(\.left) == [4])
        }
    }

    @Test("What another request pushed out comes in again with the next synchronization") func pushedOut() async throws
    {
        try await World.run(options: Self.limited(1, .keepSoonest)) { world in
            let entries = [Self.single("late", after: 600)]
            _ = try await Self.synchronize(world, entries)
            #expect(try await world.center.add(.sample("own", .after(.seconds(60)))).dropped == ["late"])
            try await world.clock.advance(by: .seconds(60))
            #expect(try await Self.synchronize(world, entries).added == ["late"])
        }
    }

    @Test(
        "A limit that was lowered drops all that are too many in one go, and stores their owner once",
        .timeLimit(.minutes(1)),
        arguments: [CenterOptions.PendingLimit.Overflow.keepSoonest, .keepHighestPriority]
    )
    func lowered(overflow: CenterOptions.PendingLimit.Overflow) throws {
        let now = TriggerInstant(wall: World.start.microsecondsSince1970, boot: 1_000_000)
        let ids = (1...10_000).map { "\($0)" }
        var state = StoredState()
        state.clockMapping = ClockMapping(bootID: "boot", instant: now, zone: "UTC")
        state.owners["file"] = ids.map { OwnedEntry(key: $0, fingerprint: "1", requestIDs: [$0]) }
        for (index, id) in ids.enumerated() {
            let request = NoticeRequest.sample(id, .after(.seconds(60 + index)))
            let progress = TriggerProgress(anchor: now.boot)
            state.pending.append(.init(request: request, revision: Int64(index + 1), progress: progress))
        }
        let limit = CenterOptions.PendingLimit(count: 10, overflow: overflow)
        var schedule = Schedule(limit: limit, zone: .utc, at: now)
        _ = schedule.handle(.restored(state, bootID: "boot"), at: now)
        let change = try schedule.change(at: now) { try $0.add([.sample("new", .after(.seconds(30)))]) }
        let isSoonest = overflow == .keepSoonest
        let kept = ids.prefix(isSoonest ? 9 : 10)
        let rest = Array(ids.dropFirst(kept.count).reversed())
        #expect(change.result.added == (isSoonest ? ["new"] : []))
        #expect(change.result.dropped == (isSoonest ? rest : ["new"] + rest))
        #expect(schedule.owners[.app("file")].keys.sorted() == kept.sorted())
        let stores = change.transaction.records.count { if case .putOwner = $0 { true } else { false } }
        #expect(stores == 1)
    }

    @Test("A series larger than the room is cut to it, says so, and fails nothing") func cut() async throws {
        try await World.run(options: Self.limited(4, .refuse)) { world in
            let entries = [Self.single("own", after: 30), try Self.series("mail", count: 10)]
            let report = try await Self.synchronize(world, entries)
            #expect(report.added == ["own", "mail"] && report.warnings.count == 7)
            let series = try await world.center.pendingSeries()
            #expect(series.map(\.left) == [3] && series.map(\.kept) == [3] && series.map(\.total) == [10])
            #expect(try await Self.synchronize(world, entries).unchanged == ["own", "mail"])
        }
        // Elements that are past take no room.
        try await World.run(at: World.start.addingTimeInterval(300), options: Self.limited(2, .refuse)) { world in
            let report = try await Self.synchronize(world, [try Self.series("mail", count: 8)])
            #expect(report.added == ["mail"])
            #expect(try await world.center.pendingSeries().map(\.left) == [2])
        }
    }

    @Test("A series that is removed or ended by hand is its owner's no longer") func releasedByHand() async throws {
        try await World.run { world in
            for end in [true, false] {
                let entries = [try Self.series("mail", count: 3)]
                #expect(try await Self.synchronize(world, entries).added == ["mail"])
                if end {
                    try await world.center.remove("mail", includingDelivered: true)
                } else {
                    try await world.center.remove("mail")
                }
                #expect(try await Self.synchronize(world, entries).added == ["mail"], "\(end)")
                try await world.center.remove("mail")
            }
        }
    }

    @Test("What is removed together is disowned together: each owner is stored once") func disownedTogether() throws {
        let now = TriggerInstant(wall: World.start.microsecondsSince1970, boot: 1_000_000)
        var schedule = Schedule(zone: .utc, at: now)
        for owner in ["one", "two"] {
            let entries = (1...5).map { Self.single("\(owner) \($0)", after: 60) }
            let wanted = OwnedRequests(owner: owner, entries: entries)
            _ = try schedule.change(at: now) { try $0.synchronize(wanted, isTrial: false) }
        }
        let ids = ["one 1", "two 1", "one 2", "one 3", "two 4"]
        let removal = schedule.change(at: now) { $0.remove(ids, includingDelivered: false) }
        #expect(removal.result.report.removed.map(\.id) == ids)
        let stored = removal.transaction.records.compactMap { record -> [String]? in
            if case .putOwner(_, let entries) = record { entries.map(\.key) } else { nil }
        }
        #expect(stored == [["one 4", "one 5"], ["two 2", "two 3", "two 5"]])
    }

    @Test("What the app has added itself stays when an entry of the same identifier changes or goes")
    func ownRequests() async throws {
        try await World.run { world in
            for fingerprint in ["old", "new"] {
                let requests = [NoticeRequest.sample("mail", .after(.seconds(60)))]
                let single = OwnedRequests.Entry(key: "mail", fingerprint: fingerprint, requests: requests)
                _ = try await Self.synchronize(world, [single, try Self.series("tea", count: 3)])
                guard fingerprint == "old" else { continue }
                let content = NoticeContent(title: "Own")
                let first = World.start.addingTimeInterval(600)
                try await world.center.add(
                    NoticeSeries(id: "mail", content: content, first: first, spacing: .seconds(60), count: 2)
                )
                try await world.center.add(.sample("tea", .after(.seconds(3_600))))
            }
            #expect(try await world.center.pendingSeries().map(\.left) == [3, 2])
            #expect(try await Self.synchronize(world, []).removed == ["mail", "tea"])
            #expect(try await world.center.pendingSeries().map(\.left) == [2])
            #expect(try await world.pendingIDs().last == "tea")
            #expect(try await world.pendingIDs().count == 3)
        }
    }

    @Test("An app's owner is no region feed, whatever it is called, over restarts too") func notAFeed() async throws {
        let (store, clock) = (MemoryRequestStore(), ManualTriggerClock(date: World.start))
        let names = ["window:stories", "app:window:stories", "app:x", "file"]
        try await World.run(on: clock, store: store) { world in
            for name in names { _ = try await Self.synchronize(world, [Self.single(name, after: 60)], owner: name) }
            #expect(try await world.center.monitoredFeeds() == [])
            try await world.center.stopMonitoring("stories")
            #expect(try await world.pendingIDs() == names)
        }
        try await World.run(on: clock, store: store) { world in
            let feeds = try await world.center.monitoredFeeds()
            #expect(feeds == [])
            for name in names {
                let known = try await world.center.engine.fingerprints(of: name)
                #expect(known == [name: "1"])
            }
        }
        for name in names { #expect(RequestOwner(storedName: RequestOwner.app(name).storedName) == .app(name)) }
        #expect(RequestOwner(storedName: "window:a") == .feed("a"), "as an earlier version stored it")
    }

    @Test("What an entry has outside of series is found in one pass over its identifiers", .timeLimit(.minutes(1)))
    func singles() {
        let ids = (0..<200_000).map { "an app may send an entry of many requests: \($0)" }
        let bases = Array(ids.suffix(100_000))
        let entry = OwnedEntry(key: "a", fingerprint: "1", requestIDs: ids, seriesIDs: bases)
        #expect(entry.singles.elementsEqual(ids.prefix(100_000)))
    }

    @Test("An identifier of the form of a summary's is refused") func notASummary() async throws {
        try await World.run { world in
            let error = await expectError(.invalidIdentifier) {
                try await world.center.add(.sample("belfry.summary:inbox", .after(.seconds(60))))
            }
            #expect(error?.message.contains("'belfry.summary:inbox'") == true)
            await expectError(.invalidIdentifier) { _ = try await world.center.show(.sample("belfry.summary:inbox")) }
            await expectError(.invalidIdentifier) {
                let content = NoticeContent(title: "Mail")
                try await world.center.add(
                    NoticeSeries(id: "belfry.summary:x", content: content, spacing: .seconds(60), count: 2)
                )
            }
        }
    }
}
