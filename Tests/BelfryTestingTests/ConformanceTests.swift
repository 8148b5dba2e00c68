import Belfry
import BelfryRecorder
import BelfryTestSupport
import BelfryTesting
import StoreConformance
import Synchronization
import Testing

@Suite("The conformance suites pass what obeys and name what does not", .takesTurns)
struct ConformanceTests {
    @Test("The recorder obeys every rule of backends")
    func recorderConforms() async throws {
        let report = await Self.suite(limit: .seconds(60)) { RecorderBackend() }.runAll()
        try report.verify()
        #expect(report.skipped.isEmpty)
        #expect(report.results.count == 18)
    }

    @Test("What a backend can't do is skipped, with the reason")
    func skipsWithReason() async throws {
        let poor = DeliveryCapabilities(server: "a poor server", features: [])
        let suite = DeliveryBackendConformance(timeout: .seconds(60)) { RecorderBackend(offering: poor) }
        let report = await suite.runAll()
        try report.verify()
        // Replacing, and the four rules for which the suite was given no hands and eyes.
        #expect(report.skipped.count == 5)
        #expect(report.description.contains("a poor server can't replace"))
    }

    @Test("The memory store obeys every rule of stores")
    func memoryStoreConforms() async throws {
        let report = await RequestStoreConformance { MemoryRequestStore() }.runAll()
        try report.verify()
        #expect(report.skipped.count == 2)
    }

    @Test("A failing store over a good one is atomic, and reopening is checked")
    func failingStoreConforms() async throws {
        let suite = RequestStoreConformance(
            reopen: { $0 },
            breakNextTransaction: { try #require($0 as? FailingRequestStore).failNextTransactions() }
        ) { FailingRequestStore() }
        let report = await suite.runAll()
        try report.verify()
        #expect(report.skipped.isEmpty)
    }

    @Test("Each fault of a store is found", arguments: FaultyStore.Fault.allCases)
    func findsFaultyStores(fault: FaultyStore.Fault) async throws {
        let suite = RequestStoreConformance(
            reopen: { $0 },
            breakNextTransaction: { await ($0 as? FaultyStore)?.breakNextTransaction() }
        ) { FaultyStore(fault) }
        let report = await suite.runAll()
        #expect(!report.failures.isEmpty, "\(fault)")
        let error = #expect(throws: ConformanceError.self) { try report.verify() }
        #expect(error?.message.contains(report.failures[0].rule) == true)
    }

    @Test("Each fault of a backend is found, and none hangs the suite", arguments: FaultyBackend.Fault.allCases)
    func findsFaultyBackends(fault: FaultyBackend.Fault) async throws {
        let report = await Self.suite(limit: .milliseconds(200)) { FaultyBackend(fault) }.runAll()
        #expect(!report.failures.isEmpty, "\(fault): \(report)")
    }

    @Test("A backend without a fault behind the same double is found in order")
    func passesTheDouble() async throws {
        try await Self.suite(limit: .seconds(60)) { FaultyBackend(nil) }.runAll().verify()
    }

    @Test("A server that is busy for longer than a call may take is no fault")
    func passesTheBusy() async throws {
        let timeouts = Atomic(0)
        let recorders = Mutex<[RecorderBackend]>([])
        try await Self.suite(limit: .seconds(60)) {
            let backend = FaultyBackend(nil) { timeouts.add(1, ordering: .relaxed) }
            recorders.withLock { $0.append(backend.recorder) }
            return backend
        }.runAll().verify()
        // Two megabytes and the retry of each, which a center cuts; uncut, and the plain notice after each.
        #expect(timeouts.load(ordering: .relaxed) == 8)
        // The two megabytes that a center cuts, and the plain notice after each that is uncut.
        let deliveries = recorders.withLock { $0 }.flatMap(\.deliveries)
        #expect(deliveries.count(where: \.isPossiblyRepeated) == 4)
    }

    @Test(
        "A run that never begins is reported with its own reason, if it ends",
        arguments: [(false, "The library is in use."), (true, "The backend is not running.")]
    )
    func reportsTheRunsReason(hangs: Bool, reason: String) async throws {
        let report = await Self.suite(limit: .milliseconds(200)) { UnstartableBackend(hangs: hangs) }.runAll()
        // On a busy machine some rules may come to the end of the timeout instead.
        #expect(report.failures.contains { $0.outcome == .failed(reason) }, "\(report)")
    }

    /// With everything that a suite can be given.
    private static func suite(
        limit: Duration,
        _ make: @escaping @Sendable () async throws -> any DeliveryBackend
    ) -> DeliveryBackendConformance {
        let recorder: @Sendable (any DeliveryBackend) throws -> RecorderBackend = { backend in
            try #require((backend as? FaultyBackend)?.recorder ?? backend as? RecorderBackend)
        }
        return DeliveryBackendConformance(
            timeout: limit,
            pressAction: { backend, receipt, action in
                if let faulty = backend as? FaultyBackend { return faulty.press(action) }
                let shown = try #require(try recorder(backend).shown.first { $0.receipt == receipt })
                try recorder(backend).simulate(.action(action), on: shown.id)
            },
            closeByHand: { backend, receipt in
                if let faulty = backend as? FaultyBackend { return try faulty.closeByHand() }
                let shown = try #require(try recorder(backend).shown.first { $0.receipt == receipt })
                try recorder(backend).simulate(.dismiss, on: shown.id)
            },
            shownTitles: { backend in
                let titles = try recorder(backend).deliveries.map(\.content.title)
                return (backend as? FaultyBackend)?.fault == .reversesOrder ? titles.reversed() : titles
            },
            removeServer: { try recorder($0).removeServer() },
            restoreServer: { try recorder($0).restoreServer() },
            make
        )
    }
}

/// A memory store that breaks one rule.
actor FaultyStore: RequestStore {
    enum Fault: String, CaseIterable, Sendable {
        case forgetsProgress, dropsContentOnRemove, reversesLedger, ignoresLimit, loadsUnsorted, reusesRevisions
        case reversesBatches, keepsResponses, isNotAtomic, wrongCode, losesZone
        case losesPlaces, mixesRegions
    }

    private let fault: Fault
    private let store = MemoryRequestStore()
    private var mustFail = false

    init(_ fault: Fault) { self.fault = fault }

    func breakNextTransaction() { mustFail = true }

    func load() async throws(NoticeError) -> StoredState {
        var state = try await store.load()
        switch fault {
        case .loadsUnsorted: state.pending.sort { $0.id < $1.id }
        case .reusesRevisions: state.nextRevision = (state.pending.last?.revision ?? 0) + 1
        case .losesZone: state.clockMapping?.zone = ""
        case .losesPlaces: state.places = [:]
        case .mixesRegions:
            // As a store that understands equal texts once, and forgets what they don't have in common.
            guard case .place(let first, _)? = state.pending.first?.stored else { break }
            for index in state.pending.indices {
                guard case .place(_, let shared) = state.pending[index].stored else { continue }
                state.pending[index].stored = .place(first, shared)
            }
        default: break
        }
        return state
    }

    func commit(_ batch: [StoreChange]) async throws(NoticeError) {
        if mustFail {
            mustFail = false
            if fault == .isNotAtomic { try await store.commit(Array(batch.prefix(2))) }
            throw NoticeError(fault == .wrongCode ? .systemFailure : .storeFailed, "as told")
        }
        var changes = fault == .reversesBatches ? batch.reversed() : batch
        changes = changes.flatMap { change -> [StoreChange] in
            switch (fault, change) {
            case (.forgetsProgress, .updateProgress): []
            case (.dropsContentOnRemove, .removeRequest(let revision)): [change, .dropContent(revision: revision)]
            case (.keepsResponses, .removeResponse): []
            default: [change]
            }
        }
        try await store.commit(changes)
    }

    func request(revision: Int64) async throws(NoticeError) -> NoticeRequest? {
        try await store.request(revision: revision)
    }

    func history(_ query: HistoryQuery) async throws(NoticeError) -> [HistoryEntry] {
        switch fault {
        case .reversesLedger: try await store.history(query).reversed()
        case .ignoresLimit: try await store.history(HistoryQuery(requestID: query.requestID))
        default: try await store.history(query)
        }
    }
}

/// A backend whose run ends before it has begun, or hangs there.
struct UnstartableBackend: DeliveryBackend {
    let name = "unstartable"
    let hangs: Bool

    func capabilities() async throws(NoticeError) -> DeliveryCapabilities { throw stopped }
    func deliver(_: Delivery) async throws(NoticeError) -> DeliveryReceipt { throw stopped }
    func withdraw(_: DeliveryReceipt) async throws(NoticeError) { throw stopped }

    func run(reporting _: @escaping @Sendable (BackendEvent) -> Void) async throws(NoticeError) {
        if hangs { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }
        throw NoticeError(.serverBusy, "The library is in use.")
    }

    private var stopped: NoticeError { NoticeError(.backendStopped, "The backend is not running.") }
}

/// A recorder that breaks one rule, or none.
final class FaultyBackend: DeliveryBackend {
    enum Fault: String, CaseIterable, Sendable {
        case changesName, namesAnother, reusesHandles, throwsOnWithdraw, hangsOnOddContent, neverEnds, wrongAction
        case saysNothing, hangsAfterRun, ignoresServers, answersTwice, closesTwice, reportsStrangers, blamesApp
        case answersWithdrawals, refusesForNow, isPermanentlyAlone, talksAfterRun, reversesOrder, deniesServer
        case hangsOnMegabytes, losesReplacements, timesOutOnOddContent
    }

    let name: String
    let fault: Fault?
    let recorder = RecorderBackend()
    private let hasRun = Mutex(false)
    private let listener = Mutex<(@Sendable (BackendEvent) -> Void)?>(nil)
    private let onTimeout: (@Sendable () -> Void)?
    private let busy = Mutex<(isDrawing: Bool, begun: Set<String>)>((false, []))
    private static let made = Mutex(0)

    /// - Parameter onTimeout: If given, a long body keeps the server busy until two calls have timed out.
    init(_ fault: Fault?, onTimeout: (@Sendable () -> Void)? = nil) {
        self.fault = fault
        self.onTimeout = onTimeout
        let number = Self.made.withLock { made in
            made += 1
            return made
        }
        name = fault == .changesName ? "faulty \(number)" : "faulty"
    }

    func press(_ action: String) {
        guard fault != .saysNothing, let shown = recorder.shown.last else { return }
        let answer = BackendEvent.responded(
            DeliveryReceipt.Reference(shown.receipt),
            action: fault == .wrongAction ? "yes" : action,
            text: nil,
            activationToken: nil
        )
        recorder.report(answer)
        if fault == .answersTwice { recorder.report(answer) }
    }

    func closeByHand() throws {
        guard fault != .saysNothing, let shown = recorder.shown.last else { return }
        try recorder.simulate(fault == .blamesApp ? .close(rawReason: 3) : .dismiss, on: shown.id)
        if fault == .closesTwice { recorder.report(.closed(DeliveryReceipt.Reference(shown.receipt), .dismissed)) }
        if fault == .reportsStrangers {
            recorder.report(.closed(DeliveryReceipt.Reference(handle: "strange"), .dismissed))
        }
    }

    func capabilities() async throws(NoticeError) -> DeliveryCapabilities { try await recorder.capabilities() }

    func deliver(_ delivery: Delivery) async throws(NoticeError) -> DeliveryReceipt {
        let content = delivery.content
        if fault == .hangsOnOddContent, content.title.isEmpty { await hang() }
        if fault == .hangsOnMegabytes, content.body.utf8.count > 1 << 19 { await hang() }
        if fault == .hangsAfterRun, hasRun.withLock({ $0 }) { await hang() }
        if fault == .timesOutOnOddContent, content.title.isEmpty { throw NoticeError(.serverTimedOut, "too slow") }
        if let onTimeout, timesOut(delivery) {
            onTimeout()
            throw NoticeError(.serverTimedOut, "still drawing")
        }
        if fault == .refusesForNow, content.title.isEmpty { throw NoticeError(.serverBusy, "not now") }
        var delivery = delivery
        if fault == .ignoresServers { delivery.replaces?.server = recorder.shown.last?.receipt.server }
        if fault == .losesReplacements, delivery.content.progress == 0.5 { delivery.replaces = nil }
        var receipt: DeliveryReceipt
        do throws(NoticeError) { receipt = try await recorder.deliver(delivery) } catch {
            throw fault == .isPermanentlyAlone ? NoticeError(.rejected, error.message) : error
        }
        receipt.backend = fault == .namesAnother ? "another" : name
        if fault == .reusesHandles { receipt.handle = "1" }
        return receipt
    }

    func withdraw(_ receipt: DeliveryReceipt) async throws(NoticeError) {
        let isThere = recorder.shown.contains { $0.receipt.handle == receipt.handle }
        if fault == .throwsOnWithdraw, !isThere { throw NoticeError(.notFound, "no such notice") }
        if fault == .answersWithdrawals, isThere {
            recorder.report(
                .responded(DeliveryReceipt.Reference(receipt), action: "no", text: nil, activationToken: nil)
            )
        }
        if fault == .talksAfterRun, hasRun.withLock({ $0 }) { listener.withLock { $0 }?(.serverCame(server: nil)) }
        try await recorder.withdraw(receipt)
    }

    func run(reporting report: @escaping @Sendable (BackendEvent) -> Void) async throws(NoticeError) {
        listener.withLock { $0 = report }
        try await recorder.run { [fault] event in
            if case .serverGone = event, fault == .deniesServer { return }
            report(event)
        }
        hasRun.withLock { $0 = true }
        if fault == .neverEnds { await hang() }
    }

    private func timesOut(_ delivery: Delivery) -> Bool {
        busy.withLock { busy in
            let isLong = delivery.content.body.utf8.count > 1 << 10
            let begins = !busy.isDrawing && isLong && busy.begun.insert(delivery.id).inserted
            defer { busy.isDrawing = begins }
            return begins || busy.isDrawing
        }
    }

    /// Left behind by the suite; it holds nothing but itself.
    private func hang() async { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }
}
