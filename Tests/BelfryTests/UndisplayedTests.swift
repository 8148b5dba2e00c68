import Belfry
import BelfryRecorder
import BelfryTestSupport
import BelfryTesting
import Foundation
import Testing

@Suite("What is not displayed is given to the app", .takesTurns)
struct UndisplayedTests {
    @Test("It disturbs nobody, and waits for no end of quiet hours") func quietHours() async throws {
        try await World.run { world in
            try await world.center.setQuietHours(QuietHours([QuietHours.Period(from: "00:00", to: "06:00")]))
            let app = TestDelegate()
            await world.center.setDelegate(app)
            var job = NoticeRequest.sample("job", .after(.seconds(60)))
            job.content.isDisplayed = false
            try await world.center.add([job, .sample("tea", .after(.seconds(60)))])
            try await world.clock.advance(by: .seconds(60))
            await world.center.quiet()
            #expect(await app.undisplayed.value.map(\.requestID) == ["job"])
            #expect(await app.received.value.isEmpty)
            #expect(await app.undisplayed.value.map(\.dueDate) == [World.start.addingTimeInterval(60)])
            #expect(try await world.history(of: "job") == [.suppressed])
            #expect(world.shownIDs() == [])
            try await world.clock.advance(by: .seconds(6 * 3_600))
            #expect(world.deliveredIDs() == ["tea"])
        }
    }

    @Test("It is counted in no summary, and comes to the app while one stands") func summary() async throws {
        try await World.run { world in
            let app = TestDelegate()
            await world.center.setDelegate(app)
            for (id, isDisplayed) in [("a", true), ("job", false), ("b", true), ("c", true), ("job 2", false)] {
                var request = NoticeRequest.sample(id)
                request.content.isDisplayed = isDisplayed
                request.content.thread = "inbox"
                request.content.summary = ThreadSummary(moreThan: 2, within: .seconds(60), title: "{count} new")
                try await world.center.add(request)
                await world.center.quiet()
            }
            #expect(world.recorder.shown.map(\.delivery.content.title) == ["3 new"])
            #expect(await app.undisplayed.value.map(\.requestID) == ["job", "job 2"])
        }
    }

    @Test("The app learns how late it is, over a restart too") func late() async throws {
        let (store, clock) = (MemoryRequestStore(), ManualTriggerClock(date: World.start))
        try await World.run(on: clock, store: store) { world in
            var job = NoticeRequest.sample("job", .after(.seconds(60)))
            job.content.isDisplayed = false
            try await world.center.add(job)
        }
        try await clock.advance(by: .seconds(3_660))
        try await World.run(on: clock, store: store) { world in
            await world.center.quiet()
            try await clock.advance(by: .seconds(60))
        }
        // Nobody listened in the second run, and the third has it from the store.
        try await World.run(on: clock, store: store) { world in
            let app = TestDelegate()
            await world.center.setDelegate(app)
            await world.center.quiet()
            let delivery = try #require(await app.undisplayed.value.first)
            #expect(delivery.late == .seconds(3_600) && delivery.crossing == nil && !delivery.isPossiblyRepeated)
        }
    }

    @Test("The app learns whether it entered or left the region") func crossing() async throws {
        try await RegionWorld.run { place in
            let app = TestDelegate()
            await place.center.setDelegate(app)
            var job = NoticeRequest.sample(
                "job",
                LocationTrigger(region: RegionWorld.region(), edge: .both, repeats: true)
            )
            job.content.isDisplayed = false
            try await place.center.add(job)
            try await place.go([500, 0, 500])
            await place.center.quiet()
            #expect(await app.undisplayed.value.map(\.crossing) == [.entered, .left])
        }
    }

    @Test("Without a delegate it is kept, over a restart too, until somebody listens to events; it is no response")
    func events() async throws {
        let store = MemoryRequestStore()
        try await World.run(store: store) { world in
            _ = await world.center.responses()
            var job = NoticeRequest.sample("job")
            job.content.isDisplayed = false
            job.content.userInfo = ["n": 1]
            try await world.center.add(job)
            await world.center.quiet()
        }
        try await World.run(store: store) { world in
            var responses = await world.center.responses().makeAsyncIterator()
            var events = await world.center.events().makeAsyncIterator()
            while let event = await events.next() {
                guard case .undisplayed(let delivery) = event else { continue }
                #expect(delivery.requestID == "job" && delivery.content.userInfo == ["n": 1])
                break
            }
            try await world.center.add(.sample("tea"))
            await world.center.quiet()
            try await world.person(.open, on: "tea")
            #expect(await responses.next()?.requestID == "tea")
        }
        try await World.run(store: store) { world in
            let app = TestDelegate()
            await world.center.setDelegate(app)
            await world.center.quiet()
            #expect(await app.undisplayed.value.isEmpty)
        }
    }
}
