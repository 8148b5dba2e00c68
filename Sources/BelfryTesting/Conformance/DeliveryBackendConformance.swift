import Belfry
import Foundation

/// The rules that every ``DeliveryBackend`` obeys, as checks to run on one's own.
///
/// ```swift
/// let report = await DeliveryBackendConformance { MyBackend() }.runAll()
/// print(report)          // what was skipped, and why
/// try report.verify()    // throws with every rule that is broken
/// ```
///
/// Each check makes a backend, runs it, and takes off the screen what it has put there. Each may be called by itself,
/// from any test library; it throws ``ConformanceFailure``, or what the backend threw.
public struct DeliveryBackendConformance: Sendable {
    let makeBackend: @Sendable () async throws -> any DeliveryBackend
    let pressAction: (@Sendable (any DeliveryBackend, DeliveryReceipt, _ action: String) async throws -> Void)?
    let limit: Duration

    /// - Parameters:
    ///   - limit: How long one call of the backend may take, in real time.
    ///   - pressAction: Plays the person who presses a button; without it answers are not checked.
    ///   - makeBackend: A backend that is ready to be run. Its environment (bus, server) must be there.
    public init(
        limit: Duration = .seconds(10),
        pressAction: (@Sendable (any DeliveryBackend, DeliveryReceipt, _ action: String) async throws -> Void)? = nil,
        _ makeBackend: @escaping @Sendable () async throws -> any DeliveryBackend
    ) {
        self.makeBackend = makeBackend
        self.pressAction = pressAction
        self.limit = limit
    }

    /// Runs every check, one after another. Nothing it finds is thrown: ask the report.
    public func runAll() async -> ConformanceReport {
        let name = (try? await makeBackend().name) ?? "a backend that can't be made"
        return await ConformanceCheck.run(checks, of: "The backend \"\(name)\"", within: limit * 12)
    }

    private var checks: [ConformanceCheck] {
        [
            ConformanceCheck("It has a name, and always the same", keepsItsName),
            ConformanceCheck("It says what it can show", answersCapabilities),
            ConformanceCheck("A receipt names the backend and has a handle", namesItselfInReceipts),
            ConformanceCheck("Two deliveries have two handles", givesEachDeliveryAHandle),
            ConformanceCheck("Deliveries at the same time have a handle each", deliversConcurrently),
            ConformanceCheck("A replacement keeps the handle", replacesInPlace),
            ConformanceCheck("Replacing what is gone shows it anew", replacesWhatIsGone),
            ConformanceCheck("Withdrawing twice, or what never was, is no error", withdrawsTwice),
            ConformanceCheck("Odd content is shown or refused, and harms nothing", survivesOddContent),
            ConformanceCheck("An answer names the delivery and the action", reportsAnswers),
            ConformanceCheck("Cancelling ends the run", endsWhenCancelled),
            ConformanceCheck("Calls after the run answer", answersAfterTheRun),
        ]
    }
}

extension DeliveryBackendConformance {
    /// What a check works with: the backend while it runs, and what it reports.
    struct Running: Sendable {
        let backend: any DeliveryBackend
        let events: AsyncStream<BackendEvent>
        let limit: Duration

        func capabilities() async throws -> DeliveryCapabilities {
            try await within(limit, "capabilities()") { try await backend.capabilities() }
        }

        func deliver(_ delivery: Delivery) async throws -> DeliveryReceipt {
            try await within(limit, "deliver(_:) of \"\(delivery.requestID)\"") { try await backend.deliver(delivery) }
        }

        func withdraw(_ receipt: DeliveryReceipt) async throws {
            try await within(limit, "withdraw(_:) of \(receipt.handle)") { try await backend.withdraw(receipt) }
        }
    }

    /// Runs a backend while `body` does, and takes off the screen what `body` returns.
    func withRunning(
        _ body: @escaping @Sendable (Running) async throws -> (ConformanceOutcome, [DeliveryReceipt])
    ) async throws -> ConformanceOutcome {
        let backend = try await makeBackend()
        let (events, continuation) = AsyncStream.makeStream(of: BackendEvent.self)
        let run = Task { try await backend.run { continuation.yield($0) } }
        let running = Running(backend: backend, events: events, limit: limit)
        do {
            try await waitUntilReady(running)
            let (outcome, receipts) = try await body(running)
            for receipt in receipts { try await running.withdraw(receipt) }
            run.cancel()
            try await ended(run)
            return outcome
        } catch {
            run.cancel()
            // The first failure counts; a run that does not end has a check of its own.
            _ = try? await ended(run)
            throw error
        }
    }

    /// The run begins in a task of its own; until it has, a backend may say that it does not run.
    private func waitUntilReady(_ running: Running) async throws {
        let expiry = ContinuousClock.now + limit
        while true {
            do {
                _ = try await running.capabilities()
                return
            } catch let error as NoticeError where error.code == .backendStopped && ContinuousClock.now < expiry {
                try await Task.sleep(for: .milliseconds(5))
            }
        }
    }

    func ended(_ run: Task<Void, any Error>) async throws {
        do {
            try await within(limit, "run(reporting:) after its task was cancelled") { try await run.value }
        } catch is CancellationError {}
    }

    static func delivery(
        _ requestID: String,
        content: NoticeContent? = nil,
        replaces: DeliveryReceipt? = nil
    ) -> Delivery {
        Delivery(
            id: UUID().uuidString,
            requestID: requestID,
            app: AppIdentity(id: "org.belfry.Conformance", name: "Belfry"),
            content: content ?? NoticeContent(title: "Conformance", body: requestID),
            dueAt: Date(timeIntervalSince1970: 1_800_000_000),
            replaces: replaces
        )
    }
}
