import Belfry
import BelfryRecorder
import BelfryTestSupport
import BelfryTesting
import Foundation
import Testing

@Suite("The app's say in what is shown", .takesTurns)
struct PresentationTests {
    /// Holds whoever comes until the task is canceled; no time passes in it.
    @Sendable private static func forever() async {
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        for await _ in stream {}
        continuation.finish()
    }

    @Test("A delegate presents, shows something else, or suppresses, which the ledger tells") func presentation()
        async throws
    {
        let delegate = TestDelegate(present: { delivery in
            switch delivery.requestID {
            case "other": .presentInstead(NoticeContent(title: "Instead of \(delivery.content.title)"))
            case "none": .suppress(reason: "the chat is open")
            default: .present
            }
        })
        try await World.run { world in
            await world.center.setDelegate(delegate)
            try await world.center.add([.sample("as it is"), .sample("other"), .sample("none")])
            try await world.clock.settle()
            #expect(
                world.recorder.deliveries.map(\.content.title) == ["Notice as it is", "Instead of Notice other"]
            )
            #expect(try await world.history(of: "none") == [.suppressed])
            #expect(try await world.lastDetail(of: "none", .suppressed) == "the chat is open")
            #expect(await delegate.asked.value.count == 3)
            let error = await expectError(.rejected) { _ = try await world.center.show(.sample("none")) }
            #expect(error?.message.contains("the chat is open") == true)
            await world.center.setDelegate(nil)
            try await world.center.add(.sample("none"))
            try await world.clock.settle()
            #expect(world.deliveredIDs().last == "none")
        }
    }

    @Test("A delegate that takes too long counts as presenting") func slowDelegate() async throws {
        let delegate = TestDelegate(present: { _ in
            await Self.forever()
            return .suppress(reason: "too late")
        })
        try await World.run(options: CenterOptions(appTimeout: .milliseconds(30))) { world in
            await world.center.setDelegate(delegate)
            try await world.center.add(.sample("x"))
            try await world.clock.settle()
            #expect(world.deliveredIDs() == ["x"])
        }
    }

    @Test("A delegate takes notices down, and is not held up by what comes behind its own", .timeLimit(.minutes(5)))
    func removingDelegate() async throws {
        try await World.run(options: CenterOptions(appTimeout: .seconds(3_600))) { world in
            let center = world.center
            try await center.add(.sample("chat-1"))
            try await world.clock.settle()
            let refusal = Box<NoticeError?>(nil)
            let delegate = TestDelegate(present: { delivery in
                guard delivery.requestID == "chat-2" else { return .present }
                do throws(NoticeError) { _ = try await center.show(.sample("chat-3")) } catch {
                    await refusal.set(error)
                }
                try? await center.removeDelivered("chat-1")
                return .suppress(reason: "read")
            })
            await center.setDelegate(delegate)
            try await center.add(.sample("chat-2"))
            await center.quiet()
            #expect(try await world.lastDetail(of: "chat-2", .suppressed) == "read")
            #expect(world.recorder.withdrawn.map(\.id) == ["chat-1"])
            let error = await refusal.value
            #expect(error?.code == .rejected)
            #expect(error?.message.contains("'chat-3'") == true)
            // Afterwards it is a call like any other.
            _ = try await center.show(.sample("chat-3"))
            #expect(world.shownIDs() == ["chat-3"])
        }
    }

    @Test("A content provider that removes its own request is not held up; nothing is shown", .timeLimit(.minutes(5)))
    func removingProvider() async throws {
        let center = Box<NoticeCenter?>(nil)
        let removed = Box<[String]>([])
        let options = CenterOptions(
            appTimeout: .seconds(3_600),
            contentProvider: { delivery in
                let report = try? await center.value?.remove(delivery.requestID)
                await removed.set(report?.removed.map(\.id) ?? [])
                return delivery.content
            }
        )
        try await World.run(options: options) { world in
            await center.set(world.center)
            try await world.center.add(.sample("x"))
            await world.center.quiet()
            #expect(await removed.value == ["x"])
            #expect(world.recorder.attempts.isEmpty)
            #expect(try await world.history(of: "x") == [.removed])
            #expect(try await world.center.pending().isEmpty)
        }
    }

    @Test("The content provider makes the content anew when it is shown") func provider() async throws {
        let options = CenterOptions(contentProvider: { delivery in
            var content = delivery.content
            content.body = "\(delivery.requestID) late by \(delivery.late.seconds) s"
            return content
        })
        try await World.run(options: options) { world in
            try await world.center.add(.sample("x", .after(.seconds(60))))
            try await world.clock.suspend(for: .seconds(75))
            #expect(try world.recorder.expectDelivery(of: "x").content.body == "x late by 15.0 s")
        }
    }

    @Test("A content provider that takes too long leaves the stored content") func slowProvider() async throws {
        let options = CenterOptions(
            appTimeout: .milliseconds(30),
            contentProvider: { _ in
                await Self.forever()
                return NoticeContent(title: "Too late")
            }
        )
        try await World.run(options: options) { world in
            try await world.center.add(.sample("x"))
            try await world.clock.settle()
            #expect(try world.recorder.expectDelivery(of: "x").content.title == "Notice x")
        }
    }

    @Test("What the app makes that can't be shown leaves the stored content, and the app hears why") func badContent()
        async throws
    {
        let delegate = TestDelegate(present: { _ in
            var content = NoticeContent(title: "Half")
            content.progress = 1.5
            return .presentInstead(content)
        })
        let options = CenterOptions(contentProvider: { _ in NoticeContent(title: "") })
        try await World.run(options: options) { world in
            await world.center.setDelegate(delegate)
            var problems: [NoticeError.Code] = []
            let events = await world.center.events()
            try await world.center.add(.sample("x"))
            try await world.clock.settle()
            #expect(try world.recorder.expectDelivery(of: "x").content.title == "Notice x")
            for await event in events {
                if case .error(let error) = event { problems.append(error.code) }
                if case .delivered = event { break }
            }
            #expect(problems == [.emptyContent, .invalidContent])
        }
    }

    @Test("Events tell of ledger lines and of what came to stand on the screen") func events() async throws {
        try await World.run { world in
            let events = await world.center.events()
            try await world.center.add(.sample("x"))
            try await world.clock.settle()
            var iterator = events.makeAsyncIterator()
            var kinds: [String] = []
            for _ in 0..<2 {
                switch await iterator.next() {
                case .delivered(let notice): kinds.append("delivered \(notice.requestID)")
                case .history(let entry): kinds.append("ledger \(entry.outcome.rawValue)")
                default: kinds.append("?")
                }
            }
            #expect(kinds == ["delivered x", "ledger delivered"])
        }
    }
}
