import Belfry
import BelfryAgent
import BelfryBusTestSupport
import BelfryRecorder
import BelfryTestSupport
import BelfryTesting
import Foundation
import Testing

@Suite(
    "An owner's requests over the agent",
    .takesTurns,
    .timeLimit(.minutes(5)),
    .enabled(if: TestBus.program != nil, "dbus-daemon is not installed: apt-get install dbus-daemon")
)
struct SynchronizingTests {
    private static func wanted(_ world: AgentWorld, _ entries: [(key: String, print: String)]) -> OwnedRequests {
        OwnedRequests(
            owner: "file",
            entries: entries.map {
                OwnedRequests.Entry(key: $0.key, fingerprint: $0.print, requests: [world.request($0.key, after: 3_600)])
            }
        )
    }

    @Test("They are added, updated and removed as in the app's own process, and known to the next agent")
    func synchronizes() async throws {
        let world = try await AgentWorld()
        try await world.agent {
            let center = world.center()
            try await center.add(world.request("own"))
            let first = try await center.engine.synchronize(
                Self.wanted(world, [("a", "1"), ("b", "1")]),
                isTrial: false
            )
            #expect(first.added == ["a", "b"])
            let trial = try await center.engine.synchronize(Self.wanted(world, []), isTrial: true)
            #expect(trial.removed == ["a", "b"])
        }
        try await world.agent {
            let center = world.center()
            #expect(try await center.engine.fingerprints(of: "file") == ["a": "1", "b": "1"])
            var wanted = Self.wanted(world, [("a", "1"), ("b", "2"), ("c", "1")])
            // What is known need not be sent.
            wanted.entries[0].requests = nil
            let second = try await center.engine.synchronize(wanted, isTrial: false)
            #expect(second.unchanged == ["a"] && second.updated == ["b"] && second.added == ["c"])
            wanted.entries[0].fingerprint = "3"
            let stale = wanted
            let error = await #expect(throws: NoticeError.self) {
                try await center.engine.synchronize(stale, isTrial: false)
            }
            #expect(error?.code == .ownerChanged)
            let third = try await center.engine.synchronize(Self.wanted(world, []), isTrial: false)
            #expect(third.removed == ["a", "b", "c"])
            #expect(try await center.pending().map(\.id) == ["own"])
        }
    }

    @Test("What is not displayed comes to the app when it is due, also when the app comes later")
    func notDisplayed() async throws {
        let world = try await AgentWorld()
        try await world.agent {
            var request = world.request("quiet")
            request.content.isDisplayed = false
            try await world.center().add(request)
            try await world.clock.advance(by: .seconds(60))
            let app = AppDouble()
            let center = world.center()
            await center.setDelegate(app)
            try await center.run { _ in
                let delivery = try #require(await app.nextUndisplayed())
                #expect(delivery.requestID == "quiet" && delivery.content.title == "Title of quiet")
            }
            #expect(world.recorder().deliveries.isEmpty)
        }
    }
}
