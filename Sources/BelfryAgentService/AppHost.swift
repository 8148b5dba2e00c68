import Belfry
import BelfryAgent
import BelfryBus
import BelfrySQLite
import FoundationEssentials
import Synchronization

/// The host of one app's center in the agent, with the app's connections.
final class AppHost: Sendable {
    let app: AppIdentity
    let options: AgentServiceOptions
    let bus: BusConnection
    let queue = AppQueue()
    /// Called before another center is opened.
    private let makeRoom: @Sendable () async -> Void
    /// Called when work may have ended that kept the agent running.
    let look: @Sendable () -> Void
    private let gate: OpeningGate
    private let opening = Opening()
    let state = Mutex(State())

    struct State {
        var record: AppRecord?
        var sessions = AppSessions()
        /// When another response may start the app again; nil if it is not being started.
        var launchEnd: SuspendingClock.Instant?
        /// The mark of a start that is not known to have succeeded yet.
        var mark: StartMark?
        /// The error that keeps the center from running; nil if it runs or need not run.
        var failure: NoticeError?
        /// The number of consecutive errors of opening the center.
        var failures = 0
        var isRetrySet = false
        var isIdleCheckSet = false
    }

    /// The longest wait for a center to become quiet before its start counts as survived.
    private static let settlingTime = Duration.seconds(10)

    init(
        _ app: AppIdentity,
        _ options: AgentServiceOptions,
        bus: BusConnection,
        gate: OpeningGate,
        makeRoom: @escaping @Sendable () async -> Void,
        look: @escaping @Sendable () -> Void
    ) {
        self.app = app
        self.options = options
        self.bus = bus
        self.gate = gate
        self.makeRoom = makeRoom
        self.look = look
    }

    // MARK: The center

    /// Whether something is stored for the app. A file instead of its directory counts: opening reports the error.
    func hasStore() throws(NoticeError) -> Bool {
        let folder = try options.storage.folder(of: app.id)
        var isFolder = false
        guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder) else { return false }
        return !isFolder || SQLiteRequestStore.exists(in: folder)
    }

    /// Whether the process may have crashed because of the app's last start.
    func isSuspect() async -> Bool {
        guard let mark = try? startMark() else { return false }
        return (try? await queue.perform { _ throws(NoticeError) in mark.crashes > 0 }) ?? false
    }

    private func startMark() throws(NoticeError) -> StartMark {
        StartMark(folder: try options.storage.folder(of: app.id), bootID: options.makeClock().bootID)
    }

    /// Opens the store and runs the center. Concurrent callers wait.
    func open() async throws { try await use { _ in } }

    /// Passes the app's center to `body`. The center is opened if necessary and stays open until `body` returns.
    func use<Value>(_ body: (NoticeCenter) async throws -> Value) async throws -> Value {
        let center = try await opening.acquire { () async throws(NoticeError) in try await self.attempt() }
        let result = await Result { try await body(center) }
        await opening.release()
        checkIdle()
        return try result.get()
    }

    /// Passes an empty center to `body`, for an app that has stored nothing. Queries leave nothing behind.
    func useNothing<Value: Sendable>(
        _ body: @escaping @Sendable (NoticeCenter) async throws -> Value
    ) async throws -> Value {
        try await center(over: MemoryRequestStore(), options.makeClock(), prompt: prompt()).run(body)
    }

    /// Opens the center; after an error it is retried with increasing delays.
    private func attempt() async throws(NoticeError) -> RunningCenter {
        do throws(NoticeError) {
            let running = try await begin()
            state.withLock { $0.failure = nil }
            return running
        } catch {
            failed(error)
            throw error
        }
    }

    private func begin() async throws(NoticeError) -> RunningCenter {
        let folder = try options.storage.folder(of: app.id)
        let clock = options.makeClock()
        let mark = StartMark(folder: folder, bootID: clock.bootID)
        let id = app.id
        let isSuspect = try await queue.perform { _ throws(NoticeError) in
            if let date = mark.quarantined() { throw NoticeError(quarantined: id, since: date) }
            return mark.crashes > 0
        }
        await gate.enter(alone: isSuspect)
        await makeRoom()
        do throws(NoticeError) {
            state.withLock { $0.mark = mark }
            try await queue.perform { _ throws(NoticeError) in mark.begin(at: Date()) }
            let running = try await start(in: folder, clock)
            Task(executorPreference: CenterThread.shared) { await self.settle(running, isSuspect) }
            return running
        } catch {
            await clearMark()
            await gate.leave(alone: isSuspect)
            throw error
        }
    }

    /// Ends the start when the center is quiet: a crash at the start is caused by what is due by then.
    private func settle(_ running: RunningCenter, _ isSuspect: Bool) async {
        // Other apps need not wait for a center that is not a suspect.
        if !isSuspect { await gate.leave(alone: false) }
        _ = await withTimeout(Self.settlingTime) { await running.center.quiet() }
        await clearMark()
        state.withLock { if $0.failure == nil { $0.failures = 0 } }
        if isSuspect { await gate.leave(alone: true) }
    }

    private func clearMark() async {
        let mark = state.withLock { state in
            defer { state.mark = nil }
            return state.mark
        }
        if let mark { try? await queue.perform { _ throws(NoticeError) in mark.clear() } }
    }

    private func start(in folder: String, _ clock: any TriggerClock) async throws(NoticeError) -> RunningCenter {
        let store = try await options.openStore(folder)
        try await queue.perform { _ throws(NoticeError) in
            let stored = AppRecord.read(in: folder)
            let record = self.state.withLock { state in
                state.record = state.record ?? stored
                return state.record
            }
            // Sent before there was a store. If it can't be written, the app sends it again when it connects.
            if let record, record != stored { try? record.write(in: folder) }
        }
        let prompt = prompt()
        let center = center(over: store, clock, prompt: prompt)
        await center.setDelegate(self)
        await center.whenQuiet { [weak self] in
            self?.look()
            self?.checkIdle()
        }
        let running = RunningCenter(center, over: store, prompt: prompt)
        try await running.begin { [weak self] event in
            await self?.happened(event)
        } failed: { [weak self] error in
            self?.failed(error)
        }
        return running
    }

    // MARK: Errors, idling, ending

    /// Reports an error once and schedules a retry: stored requests must not stay silent until the next call.
    private func failed(_ error: NoticeError) {
        // If nothing is stored, only the caller is affected, and it receives the error.
        guard (try? hasStore()) == true else { return }
        let (isNews, delay) = state.withLock { state -> (Bool, Duration?) in
            defer { state.failure = error }
            let isNews = state.failure != error
            // Only the user ends a quarantine.
            guard error.code != .appQuarantined, !state.isRetrySet else { return (isNews, nil) }
            state.isRetrySet = true
            state.failures += 1
            return (isNews, options.retries.delay(before: state.failures - 1))
        }
        if isNews { options.report("\(app.id): \(error)") }
        if let delay { CenterThread.shared.wait(until: .now + delay) { [weak self] in self?.retry() } }
    }

    private func retry() {
        let isWanted = state.withLock { state in
            state.isRetrySet = false
            return state.failure != nil
        }
        guard isWanted else { return }
        // The attempt reports an error that persists.
        Task(executorPreference: CenterThread.shared) { try? await self.open() }
    }

    /// Ends the quarantine of an app and starts it again.
    func release() async throws {
        let mark = try startMark()
        try await queue.perform { _ throws(NoticeError) in mark.clear() }
        state.withLock { $0.failure = nil }
        if try hasStore() { try await open() }
    }

    /// Closes an unused center after a while; the next call opens it again. A thousand apps without pending requests
    /// keep nothing open.
    private func checkIdle() {
        let isFirst = state.withLock { state in
            defer { state.isIdleCheckSet = true }
            return !state.isIdleCheckSet
        }
        guard isFirst else { return }
        Task(executorPreference: CenterThread.shared) { [weak self, opening, options] in
            let uses = await opening.uses
            guard await opening.isIdle(), await opening.opened != nil else {
                self?.state.withLock { $0.isIdleCheckSet = false }
                return
            }
            CenterThread.shared.wait(until: .now + options.lifetime.idle) { [weak self] in self?.rest(since: uses) }
        }
    }

    func closeIfIdle() async { await opening.closeUnused(since: opening.uses) }

    private func rest(since uses: Int) {
        state.withLock { $0.isIdleCheckSet = false }
        Task(executorPreference: CenterThread.shared) {
            await self.opening.closeUnused(since: uses)
            // Used in the meantime: the idle time begins again.
            if await self.opening.opened != nil { self.checkIdle() }
            self.look()
        }
    }

    /// Closes the center. An orderly end is no crash, whatever was being started.
    func close() async {
        await clearMark()
        _ = await withTimeout(.seconds(10)) { [opening] in await opening.close() }
    }

    /// Whether the app is not connected and has no badge, nothing is pending or on the screen, no response waits for
    /// the app, and no stored data is inaccessible.
    func isIdle() async -> Bool {
        guard !isConnected, failure == nil || failure?.code == .appQuarantined else { return false }
        return await opening.isIdle()
    }

    /// The error that keeps the center from running although data is stored for it.
    var failure: NoticeError? { state.withLock { $0.failure } }

    /// The number of unacknowledged reports of damage to its store.
    func damageCount() async throws(NoticeError) -> Int {
        let folder = try options.storage.folder(of: app.id)
        return try await queue.perform { _ throws(NoticeError) in StoreDamageLog(folder: folder).reports().count }
    }

    /// The number of pending requests; nil if the center is not open.
    func pendingCount() async -> Int? { await opening.opened?.pendingCount() }

    /// Offers the waiting responses again.
    func offerResponses() async { await opening.opened?.setDelegate(self) }

    private func prompt() -> EndablePrompt? { options.prompt(named).map(EndablePrompt.init) }

    private var named: AppIdentity {
        let record = state.withLock { $0.record }
        return AppIdentity(id: app.id, name: record?.name ?? app.name, icon: record?.icon ?? app.icon)
    }

    private func center(
        over store: any RequestStore,
        _ clock: any TriggerClock,
        prompt: EndablePrompt?
    ) -> NoticeCenter {
        var centerOptions = CenterOptions()
        centerOptions.triggers = .agent
        return NoticeCenter(
            app: named,
            backend: options.backend(named),
            store: NoticeStore(store),
            clock: NoticeCenter.Clock(clock),
            prompt: prompt,
            location: options.location?(named),
            options: centerOptions
        )
    }
}
