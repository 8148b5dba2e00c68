import Belfry
import BelfryRecorder
import BelfryTesting
import Foundation
import Testing

@Suite("What is not displayed is given to the app")
struct UndisplayedTests {
    @Test("It disturbs nobody, and waits for no end of quiet hours") func quietHours() async throws {
        try await World.run { world in
            try await world.center.setQuietHours(QuietHours([QuietHours.Period(from: "00:00", to: "06:00")]))
            var answers = await world.center.responses().makeAsyncIterator()
            var job = NoticeRequest.sample("job", .after(.seconds(60)))
            job.content.isDisplayed = false
            try await world.center.add([job, .sample("tea", .after(.seconds(60)))])
            try await world.clock.advance(by: .seconds(60))
            let answer = try #require(await answers.next())
            #expect(answer.requestID == "job" && answer.date == World.start.addingTimeInterval(60))
            #expect(try await world.history(of: "job") == [.suppressed])
            #expect(world.shownIDs() == [])
            try await world.clock.advance(by: .seconds(6 * 3_600))
            #expect(world.deliveredIDs() == ["tea"])
        }
    }

    @Test("It is counted in no summary, and comes to the app while one stands") func summary() async throws {
        try await World.run { world in
            var answers = await world.center.responses().makeAsyncIterator()
            for (id, isDisplayed) in [("a", true), ("job", false), ("b", true), ("c", true), ("job 2", false)] {
                var request = NoticeRequest.sample(id)
                request.content.isDisplayed = isDisplayed
                request.content.thread = "inbox"
                request.content.summary = ThreadSummary(moreThan: 2, within: .seconds(60), title: "{count} new")
                try await world.center.add(request)
                await world.center.quiet()
            }
            #expect(world.recorder.shown.map(\.delivery.content.title) == ["3 new"])
            #expect(await answers.next()?.requestID == "job")
            #expect(await answers.next()?.requestID == "job 2")
        }
    }
}
