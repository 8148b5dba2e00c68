public import FoundationEssentials

/// The object an app talks to: it takes requests, fires them on time, and returns the responses.
///
/// ```swift
/// let center = NoticeCenter(app: app, backend: .auto(for: app))
/// try await center.run { center in
///     try await center.add(NoticeRequest(id: "tea", title: "Tea is ready", trigger: .after(.seconds(240))))
///     for await response in await center.responses() { print(response.kind); break }
/// }
/// ```
///
/// Requests can be added before ``run()``; they fire while it runs. This process fires them, through a backend, or the
/// agent does, which goes on when the app has ended.
public final class NoticeCenter: Sendable {
    /// The app that the center shows notices for.
    public let app: AppIdentity
    package let engine: any CenterEngine
    let outbox = Outbox()

    /// A center over another engine than this process.
    package init(app: AppIdentity, engine: any CenterEngine) {
        self.app = app
        self.engine = engine
    }

    /// A center in this process.
    ///
    /// - Parameters:
    ///   - app: The app that the desktop shows as the sender.
    ///   - backend: What shows notices and reports responses.
    ///   - store: Where requests are kept; the default lasts as long as the process.
    ///   - clock: What to fire by; the default is the machine's.
    ///   - prompt: Asks the user for permission; nil never asks, and delivers.
    ///   - location: Tells positions, for requests that wait for a place; without one those are refused. It runs only
    ///     while such a request is pending and the center runs. When it gives up, ``CenterEvent/error(_:)`` says why,
    ///     and it is run again after 10 s, 20 s and so on up to 10 minutes; after ``NoticeError/Code/locationDenied``
    ///     an hour later.
    ///   - options: Limits, timeouts, languages and the content provider.
    public convenience init(
        app: AppIdentity,
        backend: any DeliveryBackend,
        store: NoticeStore = .memory,
        clock: NoticeCenter.Clock = .system,
        prompt: (any AuthorizationPrompt)? = nil,
        location: (any LocationProvider)? = nil,
        options: CenterOptions = CenterOptions()
    ) {
        self.init(
            app: app,
            engine: EmbeddedEngine(
                EngineSetup(
                    app: app,
                    backend: backend,
                    store: store.requests,
                    clock: clock.clock,
                    prompt: prompt,
                    location: location,
                    options: options
                )
            )
        )
    }

    // MARK: Requests

    /// Returns when the request is stored. An identifier that is pending is replaced whole.
    ///
    /// Throws what is wrong with the request (permanent), ``NoticeError/Code/notAuthorized``,
    /// ``NoticeError/Code/pendingLimitReached`` or ``NoticeError/Code/storeFailed`` (transient). O(log n).
    @discardableResult
    public func add(_ request: NoticeRequest) async throws(NoticeError) -> AddReport {
        try await add([request])
    }

    /// Adds requests in one transaction.
    ///
    /// ```swift
    /// let report = try await center.add(reminders, allOrNothing: false)
    /// for error in report.refused { print(error.requestID ?? "", error.message) }
    /// ```
    ///
    /// - Parameters:
    ///   - requests: The requests, in the order in which they are delivered when they are due at the same time.
    ///   - allOrNothing: True: an error in one request adds none of them, and ``NoticeError/requestID`` says which one
    ///     it is. False: the others are added, and ``AddReport/refused`` has the errors.
    /// - Throws: What ``add(_:)-(NoticeRequest)`` throws; without `allOrNothing` only what concerns all requests.
    @discardableResult
    public func add(
        _ requests: [NoticeRequest],
        allOrNothing: Bool = true
    ) async throws(NoticeError) -> AddReport {
        try await engine.add(requests, allOrNothing: allOrNothing)
    }

    /// A series: where a pending limit leaves less room than its count, it is cut and the report says how much was
    /// kept.
    @discardableResult
    public func add(_ series: NoticeSeries) async throws(NoticeError) -> AddReport {
        try await engine.add(series)
    }

    /// Shows a notice now, in one attempt, and returns when it stands on the screen.
    ///
    /// The request's trigger is left out of account. Throws why it can't be shown: ``NoticeError/Code/noBus``,
    /// ``NoticeError/Code/noServer``, ``NoticeError/Code/serverTimedOut`` (transient), and the permanent ones.
    public func show(_ request: NoticeRequest) async throws(NoticeError) -> DeliveredNotice {
        try await engine.show(request)
    }

    /// Removes everything that would still be shown: requests, and deliveries that are under way, deferred or snoozed.
    ///
    /// What was removed delivers nothing afterwards. The ``NoticeSeries/id`` of a series stands for all its elements.
    /// Unknown identifiers are no error; the report lists them. Throws ``NoticeError/Code/storeFailed`` (transient).
    ///
    /// - Parameters:
    ///   - ids: Identifiers of requests or series.
    ///   - includingDelivered: True: notices on the screen are taken down too, and the call returns when the backend
    ///     has done so. False: they stay, and the user can respond to them.
    @discardableResult
    public func remove(
        _ ids: [String],
        includingDelivered: Bool = false
    ) async throws(NoticeError) -> RemovalReport {
        try await engine.remove(ids, includingDelivered: includingDelivered)
    }

    /// Removes everything of one request, or of one series, that would still be shown, as
    /// ``remove(_:includingDelivered:)-([String],_)``.
    @discardableResult
    public func remove(
        _ id: String,
        includingDelivered: Bool = false
    ) async throws(NoticeError) -> RemovalReport {
        try await remove([id], includingDelivered: includingDelivered)
    }

    /// Removes everything that would still be shown; what is on the screen stays.
    @discardableResult
    public func removeAll() async throws(NoticeError) -> RemovalReport {
        try await engine.removeAll()
    }

    /// Everything that will still be shown, each with its state, what comes first at the front. O(n log n).
    public func pending() async throws(NoticeError) -> [PendingNotice] {
        try await engine.pending()
    }

    /// When the next request of all fires; nil where none waits for a time. O(1).
    public func nextFireDate() async throws(NoticeError) -> Date? {
        try await engine.nextFireDate()
    }

    /// When a request fires next; nil where it waits for no time or is not pending.
    public func nextFireDate(of id: String) async throws(NoticeError) -> Date? {
        try await engine.nextFireDate(of: id)
    }

    // MARK: What is on the screen

    /// The notices that stand on the screen or in the server's history, oldest first.
    public func delivered() async throws(NoticeError) -> [DeliveredNotice] {
        try await engine.delivered()
    }

    /// Takes notices off the screen; returns when the backend has done so.
    public func removeDelivered(_ ids: [String]) async throws(NoticeError) {
        try await engine.removeDelivered(ids)
    }

    /// Takes the notice of one request off the screen; returns when the backend has done so.
    public func removeDelivered(_ id: String) async throws(NoticeError) {
        try await removeDelivered([id])
    }

    /// Takes all notices of this app off the screen; returns when the backend has done so.
    public func removeAllDelivered() async throws(NoticeError) {
        try await engine.removeAllDelivered()
    }

    /// What became of the requests, oldest first unless the query says otherwise. The store keeps so many lines, and
    /// for so long, as its options say.
    public func history(_ query: HistoryQuery = HistoryQuery()) async throws(NoticeError) -> [HistoryEntry] {
        try await engine.history(query)
    }

    // MARK: Categories, answers, events

    /// Replaces all categories; stored. Throws ``NoticeError/Code/invalidContent`` (permanent) and
    /// ``NoticeError/Code/storeFailed``.
    public func setCategories(_ categories: [NoticeCategory]) async throws(NoticeError) {
        try await engine.setCategories(categories)
    }

    /// The categories that were set last, sorted by identifier.
    public func categories() async throws(NoticeError) -> [NoticeCategory] {
        try await engine.categories()
    }

    /// The responses from now on, for any number of listeners, and those that nobody has handled.
    ///
    /// Without a delegate a response is handled when one listener asks for the next one or leaves its loop. Until then
    /// it is kept, and comes again after a restart. With a delegate listeners hear of every response, and the delegate
    /// handles it.
    public func responses() async -> Responses { await engine.responses() }

    /// What the center does from now on, for any number of listeners. Errors that nobody has heard wait for the first
    /// one, up to 100 different ones: a damaged file, requests of unknown kinds, a backend that gave up.
    public func events() async -> Events { await engine.events() }

    /// The app's say in what is shown, and its designated handler of answers.
    public func setDelegate(_ delegate: (any NoticeCenterDelegate)?) async {
        await engine.setDelegate(delegate)
    }

    /// What the backend can show right now. Throws as the backend does.
    public func capabilities() async throws(NoticeError) -> DeliveryCapabilities {
        try await engine.capabilities()
    }

    // MARK: Permission

    /// Whether the user allows this app's notices. Without a prompt nobody is asked: authorized.
    public func authorizationStatus() async throws(NoticeError) -> AuthorizationStatus {
        try await engine.authorizationStatus()
    }

    /// Asks the user, once: an answer is stored and not asked for again. Who calls while the question stands waits for
    /// the same answer. A question that is not answered within ``CenterOptions/promptTimeLimit`` leaves it not
    /// determined; an answer that comes later still counts.
    @discardableResult
    public func requestAuthorization() async throws(NoticeError) -> AuthorizationStatus {
        try await engine.requestAuthorization()
    }

    /// For an app's own settings page.
    public func setAuthorization(_ status: AuthorizationStatus) async throws(NoticeError) {
        try await engine.setAuthorization(status)
    }

    // MARK: Running

    /// Fires what is due and takes in answers, until the task is cancelled. Once per center.
    ///
    /// Throws ``NoticeError/Code/systemFailure`` where the clock has no alarm, and what the backend's run throws.
    public func run() async throws(NoticeError) { try await engine.run() }

    /// Returns when nothing that was begun is under way: no event, no commit, no delivery, no answer being handled.
    public func quiet() async { await engine.quiet() }

    /// Runs the center beside `body`, and ends it when that is done or has thrown: what is under way then is finished
    /// first, unless the task was cancelled.
    ///
    /// `body` runs where the caller does. Rethrows what `body` throws, and throws what ``run()`` does.
    @discardableResult
    public func run<Value: Sendable>(
        isolation: isolated (any Actor)? = #isolation,
        _ body: @escaping @Sendable (NoticeCenter) async throws -> Value
    ) async throws -> Value {
        let executor = AppThreads.preference
        return try await withTaskExecutorPreference(executor) {
            try await withThrowingTaskGroup(of: Value?.self) { group in
                group.addTask(executorPreference: CenterThread.shared) {
                    try await self.run()
                    return nil
                }
                // Said again: an immediate task doesn't inherit it in an optimized build (Swift 6.3).
                group.addImmediateTask(executorPreference: executor) {
                    _ = isolation
                    await self.engine.begun()
                    do {
                        let value = try await body(self)
                        await self.outbox.emptied()
                        await self.engine.finishWork()
                        return value
                    } catch {
                        if !Task.isCancelled { await self.engine.finishWork() }
                        throw error
                    }
                }
                var value: Value?
                while let finished = try await group.next() {
                    if let finished {
                        value = finished
                        group.cancelAll()
                    }
                }
                guard let value else { throw CancellationError() }
                return value
            }
        }
    }
}
