import Belfry
import BelfryTerminal
import BelfryTestSupport
import Foundation

extension ScriptedTerminal {
    /// A backend on this terminal; without variables, it knows what the terminal says alone.
    func backend(
        listens: Bool = true,
        sequence: TerminalSequence? = nil,
        environment: [String: String] = ["TERM": "xterm-256color"],
        reply: Duration = .seconds(30)
    ) -> TerminalBackend {
        TerminalBackend(
            sequence: sequence,
            listens: listens,
            device: path,
            environment: environment,
            timeouts: .init(reply: reply)
        )
    }
}

/// Runs a backend while `body` does.
func running(_ backend: TerminalBackend, _ body: (BackendEvents) async throws -> Void) async throws {
    let events = BackendEvents()
    let run = Task { try await backend.run { events.add($0) } }
    var failure: (any Error)?
    do { try await body(events) } catch { failure = error }
    run.cancel()
    try await run.value
    events.end()
    if let failure { throw failure }
}

/// What a backend reports, in order, for one test to wait for.
final class BackendEvents: Sendable {
    private let stream: AsyncStream<BackendEvent>
    private let continuation: AsyncStream<BackendEvent>.Continuation
    let log = EventLog()

    init() { (stream, continuation) = AsyncStream.makeStream() }

    func add(_ event: BackendEvent) {
        log.add(event)
        continuation.yield(event)
    }

    func end() { continuation.finish() }

    /// The next so many; fewer at the end of the run.
    func next(_ count: Int) async -> [BackendEvent] {
        var events: [BackendEvent] = []
        for await event in stream {
            events.append(event)
            if events.count == count { break }
        }
        return events
    }
}

func makeDelivery(
    _ content: NoticeContent = NoticeContent(title: "Tea is ready"),
    replaces: DeliveryReceipt? = nil
) -> Delivery {
    Delivery(
        id: UUID().uuidString,
        requestID: "tea",
        app: AppIdentity(id: "org.example.Tea"),
        content: content,
        dueDate: Date(timeIntervalSince1970: 1_800_000_000),
        replaces: replaces
    )
}
