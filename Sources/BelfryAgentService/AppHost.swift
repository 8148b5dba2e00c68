import Belfry
import BelfryAgent
import BelfryBus
import FoundationEssentials
import Synchronization

/// One app's center in the agent, and the app's connections to it.
final class AppHost: Sendable {
    let app: AppIdentity
    let options: AgentServiceOptions
    let bus: BusConnection
    let queue = AppQueue()
    /// Another center is about to be opened.
    private let makeRoom: @Sendable () async -> Void
    /// Something may have ended that the agent stayed for.
    private let look: @Sendable () -> Void
    private let gate: OpeningGate
    private let opening = Opening()
    let state = Mutex(State())

    struct State {
        var record: AppRecord?
        var sessions = AppSessions()
        var isLaunching = false
        /// Of a start that is not survived yet.
        var mark: StartMark?
        /// Why its center does not run; nil where it does, or need not.
        var failure: NoticeError?
        /// How often in a row it could not be opened.
        var failures = 0
        var isRetrySet = false
        var isIdleCheckSet = false
    }

    /// How long a center may take to come to rest before its start counts as survived.
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

    /// Whether something is stored for the app. A file in the place of its folder is: opening tells of it.
    func hasStore() throws(NoticeError) -> Bool {
        let folder = try options.place.folder(of: app.id)
        var isFolder = false
        guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder) else { return false }
        return !isFolder || options.hasStore(folder)
    }

    /// Opens the store and runs the center; who comes meanwhile waits.
    func open() async throws(NoticeError) {
        _ = try await opening.acquire { () async throws(NoticeError) in try await self.attempt() }
        await released()
    }

    /// Gives `body` the app's center. It is opened where that has not been done, and stays open until `body` is done.
    func use<Value>(_ body: (NoticeCenter) async throws -> Value) async throws -> Value {
        let center = try await opening.acquire { () async throws(NoticeError) in try await self.attempt() }
        do {
            let value = try await body(center)
            await released()
            return value
        } catch {
            await released()
            throw error
        }
    }

    private func released() async {
        await opening.release()
        checkIdle()
    }

    /// Gives `body` a center that knows nothing, for an app that has stored nothing: asking leaves nothing behind.
    func useNothing<Value: Sendable>(
        _ body: @escaping @Sendable (NoticeCenter) async throws -> Value
    ) async throws -> Value {
        try await center(over: MemoryRequestStore(), options.makeClock(), prompt: prompt()).run(body)
    }

    /// A center that fails to open is tried again, later and later.
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
        let folder = try options.place.folder(of: app.id)
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

    /// What crashes the process at a start does so before the center has come to rest: it is what is due by then.
    private func settle(_ running: RunningCenter, _ isSuspect: Bool) async {
        // Others need not wait for a center that nobody suspects.
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
        let record = try await queue.perform { _ throws(NoticeError) in AppRecordFile(folder: folder).read() }
        state.withLock { $0.record = record ?? $0.record }
        let prompt = prompt()
        let center = center(over: store, clock, prompt: prompt)
        await center.setDelegate(self)
        await center.whenQuiet { [weak self] in
            self?.look()
            self?.checkIdle()
        }
        let running = RunningCenter(center, prompt: prompt)
        try await running.begin { [weak self] event in
            await self?.happened(event)
        } failed: { [weak self] error in
            self?.failed(error)
        }
        return running
    }

    // MARK: Failing, resting, ending

    /// Tells of it once, and tries again: what is stored for the app must not stay silent until somebody calls.
    private func failed(_ error: NoticeError) {
        // Where nothing is stored only the caller loses anything, who hears of it.
        guard (try? hasStore()) == true else { return }
        let (isNews, delay) = state.withLock { state -> (Bool, Duration?) in
            defer { state.failure = error }
            let isNews = state.failure != error
            // Nobody but the user ends a quarantine.
            guard error.code != .appQuarantined, !state.isRetrySet else { return (isNews, nil) }
            state.isRetrySet = true
            state.failures += 1
            return (isNews, options.retries.delay(after: state.failures))
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
        // What is wrong still is reported by the attempt.
        Task(executorPreference: CenterThread.shared) { try? await self.open() }
    }

    /// The user wants an app that crashed the process to be tried again.
    func release() async throws(NoticeError) {
        let mark = StartMark(folder: try options.place.folder(of: app.id), bootID: options.makeClock().bootID)
        try await queue.perform { _ throws(NoticeError) in mark.clear() }
        state.withLock { $0.failure = nil }
        if try hasStore() { try await open() }
    }

    /// A center that nobody needs is closed after a while, and opened again by who does: a thousand apps that have
    /// nothing pending hold nothing open.
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
            // Used in the meantime: its rest begins anew.
            if await self.opening.opened != nil { self.checkIdle() }
            self.look()
        }
    }

    /// An end in order is no crash, whatever was being started.
    func close() async {
        await clearMark()
        _ = await withTimeout(.seconds(10)) { [opening] in await opening.close() }
    }

    /// Nothing pending, nothing on the screen, nothing that the app has not taken; and nothing stored that can't be
    /// looked at.
    func isIdle() async -> Bool {
        guard state.withLock({ $0.failure == nil || $0.failure?.code == .appQuarantined }) else { return false }
        return await opening.isIdle()
    }

    /// Why its center does not run though something is stored for it.
    var failure: NoticeError? { state.withLock { $0.failure } }

    /// How many reports of damage to its store nobody has acknowledged.
    func damageCount() async throws(NoticeError) -> Int {
        let folder = try options.place.folder(of: app.id)
        return try await queue.perform { [options] _ throws(NoticeError) in options.damageCount(folder) }
    }

    /// Nil where the center is not open.
    func pendingCount() async -> Int? { await opening.opened?.pendingCount() }

    /// Offers anew what waited to be taken.
    func offerResponses() async { await opening.opened?.setDelegate(self) }

    private func prompt() -> EndablePrompt? { options.prompt.map { EndablePrompt($0(named)) } }

    private var named: AppIdentity {
        let record = state.withLock { $0.record }
        return AppIdentity(id: app.id, name: record?.name ?? app.name, icon: app.icon ?? record?.icon)
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
