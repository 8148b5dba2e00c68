import Belfry
import BelfryConsole
import BelfryTestSupport
import Foundation
import Synchronization

/// What a writer was given.
final class TextLog: Sendable {
    private let texts = Mutex<[String]>([])
    var all: [String] { texts.withLock { $0 } }
    var text: String { all.joined() }
    var output: ConsoleOutput { .writer { [self] text in texts.withLock { $0.append(text) } } }
}

/// Runs a backend while `body` does.
func running(_ backend: ConsoleBackend, _ body: (EventLog) async throws -> Void) async throws {
    let reports = EventLog()
    let run = Task { try await backend.run { reports.add($0) } }
    var failure: (any Error)?
    do { try await body(reports) } catch { failure = error }
    run.cancel()
    try await run.value
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
