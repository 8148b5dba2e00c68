import Belfry
import BelfryRecorder
import BelfryTestSupport
import BelfryTesting
import Foundation
import Testing

@Suite("What a server can't do is said, and goes no further", .takesTurns, .timeLimit(.minutes(5)))
struct ServerShortcomingTests {
    @Test("A notice that can't be taken down is closed in the history all the same, and the error is reported")
    func withdrawalFails() async throws {
        try await World.run { world in
            try await world.center.add(.sample("tea"))
            try await world.clock.settle()
            var events = await world.center.events().makeAsyncIterator()
            world.recorder.failNext(with: NoticeError(.rejected, "It stays."), on: .withdraw)
            try await world.center.removeDelivered("tea")
            var reported: NoticeError?
            while reported == nil, let event = await events.next() {
                if case .error(let error) = event { reported = error }
            }
            #expect(reported?.message == "It stays.")
            #expect(try await world.standingIDs() == [])
            #expect(try await world.history(of: "tea") == [.delivered, .closed])
            // Its identifier is free for the next one.
            try await world.center.add(.sample("tea"))
            try await world.clock.settle()
            #expect(try await world.standingIDs() == ["tea"])
        }
    }

    @Test("Where closing is not told, a notice that asks for its dismissal says in its receipt that there is none")
    func noClosing() async throws {
        var mute = DeliveryCapabilities.everything
        mute.reportsClosing = false
        for (offered, isLost) in [(DeliveryCapabilities.everything, false), (mute, true)] {
            try await World.run(recorder: RecorderBackend(offering: offered)) { world in
                var asking = NoticeRequest.sample("asking")
                asking.content.reportsDismissal = true
                try await world.center.add([asking, .sample("plain")])
                try await world.clock.settle()
                let lost = try await world.center.delivered().map { $0.receipt.lost.map(\.feature) }
                #expect(lost == [isLost ? [.dismissal] : [], []])
            }
        }
    }

    @Test("A server that comes while a notice's files are looked at gets what it can show; the rest is lost")
    func serverChange() async throws {
        let folder = try TemporaryFolder()
        let picture = try folder.write("tea.png", "a picture")
        try await World.run { world in
            var request = NoticeRequest.sample("tea", .after(.seconds(10)))
            request.content.image = .file(picture)
            request.content.actions = [NoticeAction("drink", title: "Drink")]
            try await world.center.add(request)
            try await ThreadSharingTests.holdingUp(world.center) {
                try await world.clock.advance(by: .seconds(10))
            } meanwhile: { isDone in
                world.recorder.removeServer()
                world.recorder.offered = DeliveryCapabilities(server: "small", features: [.body])
                world.recorder.restoreServer()
                await world.recorder.waitUntilReported()
                // The center takes the report in.
                for _ in 0..<100 { await CenterThread.shared.letOthersWork() }
                #expect(!isDone())
            }
            let delivery = try world.recorder.expectDelivery(of: "tea")
            #expect(delivery.content.actions == [] && delivery.content.image == nil)
            #expect(delivery.lost.map(\.feature) == [.actions, .image])
        }
    }

    @Test("A notice that is not to be displayed can't be shown, and the error says what to do") func notDisplayed()
        async throws
    {
        try await World.run { world in
            var job = NoticeRequest.sample("job")
            job.content.isDisplayed = false
            let request = job
            let error = await expectError(.invalidContent) { _ = try await world.center.show(request) }
            #expect(error?.message.contains("'job'") == true)
            #expect(error?.message.contains("add it instead") == true)
            #expect(world.recorder.attempts == [])
            let history = try await world.history()
            #expect(history == [])
        }
    }
}
