import Belfry
import BelfryRecorder
import BelfryTestSupport
import Testing

@testable import BelfryCommand

@Suite("An interruption of a command", .takesTurns, .timeLimit(.minutes(5)))
struct InterruptionTests {
    private let center = NoticeCenter(app: AppIdentity(id: "org.example.Command"), backend: RecorderBackend())

    @Test("It reaches the work of a center that begins only afterwards")
    func early() async throws {
        let command = Task { [center] in
            await untilCancelled()
            try await center.runInterruptibly { _ in
                await untilCancelled()
                try Task.checkCancellation()
            }
        }
        command.cancel()
        await #expect(throws: CancellationError.self) { try await command.value }
    }

    @Test("A center passes the error of its work on")
    func session() async throws {
        let error = await #expect(throws: NoticeError.self) {
            try await center.runInterruptibly { _ in
                throw NoticeError.usage("Wrong.")
            }
        }
        #expect(error?.status == .usage)
    }
}
