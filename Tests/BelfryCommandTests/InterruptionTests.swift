import Belfry
import BelfryRecorder
import BelfryTestSupport
import Synchronization
import Testing

@testable import BelfryCommand

@Suite("An interruption of a command", .takesTurns)
struct InterruptionTests {
    @Test("It cancels what is attached, also what is attached too late, and nothing that is detached")
    func cancels() {
        let cancelled = Mutex<[String]>([])
        let interruption = Interruption()
        #expect(!interruption.detach())
        interruption.attach { cancelled.withLock { $0.append("first") } }
        #expect(!interruption.detach())
        #expect(!interruption.happen(), "nothing is attached, so the process may end")
        interruption.attach { cancelled.withLock { $0.append("second") } }
        #expect(cancelled.withLock { $0 } == ["second"])
        #expect(interruption.happen())
        #expect(interruption.detach())
        #expect(cancelled.withLock { $0 } == ["second", "second"])
    }

    @Test("A center without showing runs its work alone, and passes its result and its error on")
    func session() async throws {
        let recorder = RecorderBackend()
        let app = AppIdentity(id: "org.example.Command")
        let center = NoticeCenter(app: app, backend: recorder)
        let pending = try await center.runInterruptibly(showing: false) { center in
            try await center.add(NoticeRequest(id: "tea", title: "Tea", trigger: .after(.milliseconds(1))))
            return try await center.pending().count
        }
        #expect(pending == 1 && recorder.attempts.isEmpty)
        let error = await #expect(throws: NoticeError.self) {
            try await NoticeCenter(app: app, backend: recorder).runInterruptibly { _ in
                throw NoticeError.usage("Wrong.")
            }
        }
        #expect(error?.status == .usage)
    }
}
