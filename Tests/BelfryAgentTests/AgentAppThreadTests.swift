import Belfry
import BelfryAgent
import BelfryBusTestSupport
import BelfryRecorder
import BelfryTestSupport
import BelfryTesting
import Foundation
import Testing

@Suite(
    "The code of an app over the agent runs on the threads for apps",
    .takesTurns,
    .timeLimit(.minutes(5)),
    .enabled(if: TestBus.program != nil, "dbus-daemon is not installed: apt-get install dbus-daemon")
)
struct AgentAppThreadTests {
    @Test("The delegate and the content provider, by whatever call of the agent") func appCode() async throws {
        let world = try await AgentWorld()
        let app = ProbedApp()
        try await world.agent {
            let center = world.center { options in
                options.contentProvider = { delivery in
                    app.note("contentProvider")
                    return delivery.content
                }
            }
            try await center.run { center in
                await center.setDelegate(app)
                var job = NoticeRequest(id: "job", title: "Job")
                job.content.isDisplayed = false
                try await center.add([NoticeRequest(id: "tea", title: "Tea"), job])
                try await world.clock.settle()
                try world.recorder().simulate(.open, on: "tea")
                await app.threads.wait { $0.count == 4 }
            }
        }
        let parts = ["contentProvider", "presentation(of:)", "handle(_:)", "handleUndisplayed(_:)"]
        #expect(app.threads.current == Dictionary(uniqueKeysWithValues: parts.map { ($0, "belfry-app") }))
    }

    /// Remembers on which thread each of its parts ran.
    private final class ProbedApp: NoticeCenterDelegate {
        let threads = AwaitedState<[String: String]>([:])

        func note(_ part: String = #function) {
            let thread = currentThreadName() ?? "?"
            threads.withLock { $0[part] = thread }
        }

        func presentation(of delivery: Delivery) async -> NoticeCenter.Presentation {
            note()
            return .present
        }

        func handle(_ response: NoticeResponse) async { note() }
        func handleUndisplayed(_ delivery: Delivery) async { note() }
    }
}
