import BelfryRecorder
import BelfryTestSupport
import BelfryTesting
import Foundation
import Testing

@testable import Belfry

@Suite("What the store has lost, or holds twice, stops nothing else", .takesTurns, .timeLimit(.minutes(5)))
struct LostContentTests {
    @Test("A due request whose content is gone fails in the history, and the next one is shown") func gone()
        async throws
    {
        try await World.run { world in
            try await world.center.add([.sample("gone", .after(.seconds(10))), .sample("next", .after(.seconds(10)))])
            let revision = try #require(await world.center.embedded.schedule.entries["gone"]?.revision)
            try await world.store.commit([.dropContent(revision: revision)])
            try await world.clock.advance(by: .seconds(10))
            #expect(world.deliveredIDs() == ["next"])
            let entry = try #require(try await world.center.history(HistoryQuery(requestID: "gone")).last)
            #expect(entry.outcome == .failed)
            #expect(entry.errorCode == .notFound)
        }
    }

    @Test("A series is listed though the content of its next element is gone") func goneInSeries() async throws {
        try await World.run { world in
            let content = NoticeContent(title: "New message")
            let first = World.start.addingTimeInterval(60)
            let series = NoticeSeries(id: "mail", content: content, first: first, spacing: .seconds(300), count: 3)
            let ids = try await world.center.add(series).added
            let revision = try #require(await world.center.embedded.schedule.entries[ids[0]]?.revision)
            try await world.store.commit([.dropContent(revision: revision)])
            let listed = try await world.center.pendingSeries()
            #expect(listed.map(\.id) == ["mail"])
            #expect(listed.first?.title == "New message" && listed.first?.left == 3 && listed.first?.next == first)
        }
    }

    @Test("A notice on the screen whose content is gone is left out of the delivered ones, which is reported")
    func standing() async throws {
        try await World.run { world in
            try await world.center.add([.sample("gone"), .sample("here")])
            try await world.clock.settle()
            let revision = try #require(await world.center.embedded.schedule.notices["gone"]?.delivered?.revision)
            var events = await world.center.events().makeAsyncIterator()
            try await world.store.commit([.dropContent(revision: revision)])
            #expect(try await world.standingIDs() == ["here"])
            let event = await events.next()
            guard case .error(let error) = event else {
                Issue.record("\(String(describing: event)) instead of an error")
                return
            }
            #expect(error.code == .contentUnreadable)
            #expect(error.message.contains("'gone'"))
        }
    }

    @Test("Of two pending requests of one identifier the later counts, fires once, and the other leaves the store")
    func twins() async throws {
        let store = MemoryRequestStore()
        let due = DateTrigger(date: World.start.addingTimeInterval(60))
        let anchor = TriggerProgress(anchor: World.start.microsecondsSince1970)
        try await store.commit([
            .putRequest(NoticeRequest(id: "a", title: "Earlier", trigger: due), revision: 1, anchor),
            .putRequest(NoticeRequest(id: "a", title: "Later", trigger: due), revision: 2, anchor),
        ])
        try await World.run(store: store) { world in
            #expect(try await world.pendingIDs() == ["a"])
            #expect(try await store.load().pending.map(\.revision) == [2])
            #expect(try await store.request(revision: 1) == nil)
            try await world.clock.advance(by: .seconds(60))
            #expect(world.recorder.deliveries.map(\.content.title) == ["Later"])
            #expect(try await world.pendingIDs() == [])
        }
    }

    @Test("A request that replaced a series' element of its identifier does not end with the series")
    func twinInSeries()
        async throws
    {
        let store = MemoryRequestStore()
        let due = DateTrigger(date: World.start.addingTimeInterval(60))
        let anchor = TriggerProgress(anchor: World.start.microsecondsSince1970)
        var earlier = NoticeRequest(id: "a", title: "Earlier", trigger: due)
        earlier.series = "s"
        try await store.commit([
            .putRequest(earlier, revision: 1, anchor),
            .putRequest(NoticeRequest(id: "a", title: "Later", trigger: due), revision: 2, anchor),
        ])
        try await World.run(store: store) { world in
            #expect(await world.center.embedded.schedule.entries.members.isEmpty)
            try await world.center.remove("s")
            #expect(try await world.pendingIDs() == ["a"])
        }
    }

    @Test("Of two regions of one identifier the later alone is entered") func twinRegions() async throws {
        let store = MemoryRequestStore()
        let anchor = TriggerProgress(anchor: World.start.microsecondsSince1970)
        try await store.commit([
            .putRequest(.place("a", at: 10_000, title: "Earlier"), revision: 1, anchor),
            .putRequest(.place("a", at: 20_000, title: "Later"), revision: 2, anchor),
        ])
        try await RegionWorld.run(store: store) { place in
            try await place.go([0, 10_000])
            #expect(place.world.recorder.deliveries == [])
            try await place.go(20_000)
            #expect(place.world.recorder.deliveries.map(\.content.title) == ["Later"])
        }
    }
}
