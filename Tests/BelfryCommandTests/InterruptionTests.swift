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

    @Test("A center passes the error of its work on")
    func session() async throws {
        let app = AppIdentity(id: "org.example.Command")
        let error = await #expect(throws: NoticeError.self) {
            try await NoticeCenter(app: app, backend: RecorderBackend()).runInterruptibly { _ in
                throw NoticeError.usage("Wrong.")
            }
        }
        #expect(error?.status == .usage)
    }
}
