import Belfry
import BelfryConsole
import Foundation
import Synchronization

/// What a writer was given.
final class TextLog: Sendable {
    private let texts = Mutex<[String]>([])
    var all: [String] { texts.withLock { $0 } }
    var text: String { all.joined() }
    var output: ConsoleOutput { .writer { [self] text in texts.withLock { $0.append(text) } } }
}

/// Keeps what a backend reports, and lets a test wait for it.
actor Reports {
    private var events: [BackendEvent] = []
    private var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

    func add(_ event: BackendEvent) {
        events.append(event)
        for waiter in waiters where waiter.count <= events.count { waiter.continuation.resume() }
        waiters.removeAll { $0.count <= events.count }
    }

    /// The first so many; fewer where the test's time limit cancels it.
    func first(_ count: Int) async -> [BackendEvent] {
        if events.count < count {
            await withTaskCancellationHandler {
                await withCheckedContinuation { waiters.append((count, $0)) }
            } onCancel: {
                Task { await giveUp() }
            }
        }
        return Array(events.prefix(count))
    }

    private func giveUp() {
        for waiter in waiters { waiter.continuation.resume() }
        waiters = []
    }
}

/// Runs a backend while `body` does.
func running(_ backend: ConsoleBackend, _ body: (Reports) async throws -> Void) async throws {
    let reports = Reports()
    let (stream, continuation) = AsyncStream.makeStream(of: BackendEvent.self)
    let pump = Task { for await event in stream { await reports.add(event) } }
    let run = Task { try await backend.run { continuation.yield($0) } }
    var failure: (any Error)?
    do { try await body(reports) } catch { failure = error }
    run.cancel()
    try await run.value
    continuation.finish()
    await pump.value
    if let failure { throw failure }
}

func makeDelivery(
    _ id: String = "tea",
    _ content: NoticeContent = NoticeContent(title: "Tea is ready"),
    late: Duration = .zero,
    replaces: DeliveryReceipt? = nil
) -> Delivery {
    Delivery(
        id: "delivery of \(id)",
        requestID: id,
        app: AppIdentity(id: "org.example.Tea"),
        content: content,
        dueDate: Date(timeIntervalSince1970: 1_800_000_000),
        late: late,
        replaces: replaces
    )
}

/// Returns when the run in another task has taken the terminal; the test's process has a limit of its own.
func singleKeys(of terminal: Int32) async throws {
    var settings = termios()
    repeat {
        await Task.yield()
        guard tcgetattr(terminal, &settings) == 0 else { throw CancellationError() }
    } while settings.c_lflag & tcflag_t(ICANON) != 0
}
