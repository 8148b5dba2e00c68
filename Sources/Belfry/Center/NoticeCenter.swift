public import FoundationEssentials
import Synchronization

/// The object an app talks to: it stores requests, fires them on time, and delivers the user's responses.
///
/// ```swift
/// let center = NoticeCenter(app: app, backend: .auto(for: app))
/// try await center.run { center in
///     try await center.add(NoticeRequest(id: "tea", title: "Tea is ready", trigger: .after(.seconds(240))))
///     for await response in await center.responses() { print(response.kind); break }
/// }
/// ```
///
/// Requests can be added before ``run()``, and fire while it runs. Either this process fires them, through a backend,
/// or the agent, which continues after the app has ended.
///
/// Errors are permanent or transient (``NoticeError/isTransient``): after a transient one, the same call may succeed
/// later. Each call of a center that uses the agent can also throw `agentUnavailable` and ``NoticeError/Code/noBus``,
/// which are transient.
public final class NoticeCenter: Sendable {
    /// The app that the center shows notices for.
    public let app: AppIdentity
    package let engine: any CenterEngine
    let outbox = Outbox()
    private let isRunClaimed = Atomic(false)

    /// Creates a center with another engine than this process.
    package init(app: AppIdentity, engine: any CenterEngine) {
        self.app = app
        self.engine = engine
    }

    /// Creates a center in this process.
    ///
    /// - Parameters:
    ///   - app: The app that the desktop shows as the sender.
    ///   - backend: What shows notices and reports responses.
    ///   - store: Where requests are kept; by default in memory.
    ///   - clock: The clock to fire by; by default the machine's.
    ///   - prompt: Asks the user for permission; with nil the user is not asked, and notices are delivered.
    ///   - location: Reports location fixes, for requests that wait for a region; without one those are refused. It
    ///     runs only while such a request is pending and the center runs. When it fails, ``CenterEvent/error(_:)`` has
    ///     the reason. It is run again after 10 s, 20 s and so on up to 10 minutes; after
    ///     ``NoticeError/Code/locationDenied`` an hour later.
    ///   - options: Limits, timeouts, trigger kinds and the content provider.
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
                    backendExecutor: backend.executor,
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

    /// Adds a request, and returns when it is stored. A pending request with the same identifier is replaced. O(log n).
    ///
    /// - Throws: Permanent: an error about the request, such as ``NoticeError/Code/emptyContent``,
    ///   ``NoticeError/Code/fileUnreadable`` or ``NoticeError/Code/neverFires``, and
    ///   ``NoticeError/Code/notAuthorized``. Transient: ``NoticeError/Code/pendingLimitReached`` and
    ///   ``NoticeError/Code/storeFailed``.
    @discardableResult
    public func add(_ request: NoticeRequest) async throws(NoticeError) -> AddReport {
        try await add([request])
    }

    /// Adds requests in one transaction.
    ///
    /// ```swift
    /// let departure = Date(timeIntervalSinceNow: 3_000)
    /// let reminders = [60, 30, 10].map { minutes in
    ///     let title = "The train leaves in \(minutes) minutes"
    ///     return NoticeRequest(id: "train-\(minutes)", title: title, trigger: .date(departure - Double(60 * minutes)))
    /// }
    /// let report = try await center.add(reminders, allOrNothing: false)
    /// for error in report.refused { print(error.requestID ?? "", error.message) }
    /// ```
    ///
    /// - Parameters:
    ///   - requests: The requests, in the order in which they are delivered if they are due at the same time.
    ///   - allOrNothing: True: an error in one request adds none of them, and ``NoticeError/requestID`` identifies it.
    ///     False: the others are added, and ``AddReport/refused`` has the errors.
    /// - Throws: What ``add(_:)-(NoticeRequest)`` throws. Without `allOrNothing` only the errors that concern all
    ///   requests: ``NoticeError/Code/notAuthorized`` (permanent) and ``NoticeError/Code/storeFailed`` (transient).
    @discardableResult
    public func add(
        _ requests: [NoticeRequest],
        allOrNothing: Bool = true
    ) async throws(NoticeError) -> AddReport {
        try await engine.add(requests, allOrNothing: allOrNothing)
    }

    /// Adds a series. If a pending limit leaves room for fewer elements, the series is cut, and the report lists the
    /// kept elements.
    ///
    /// - Throws: ``NoticeError/Code/invalidSeries`` for a count or spacing that is out of range, and
    ///   ``NoticeError/Code/neverFires`` for a series that began more than one spacing ago; permanent. Also what
    ///   ``add(_:)-(NoticeRequest)`` throws.
    @discardableResult
    public func add(_ series: NoticeSeries) async throws(NoticeError) -> AddReport {
        try await engine.add(series)
    }

    /// Shows a notice now, in one attempt, and returns when it is on the screen. The request's trigger is ignored.
    ///
    /// - Throws: Why the notice is not shown. Transient: ``NoticeError/Code/noBus``, ``NoticeError/Code/noServer``,
    ///   ``NoticeError/Code/serverTimedOut``, ``NoticeError/Code/serverBusy``, ``NoticeError/Code/failedForNow``,
    ///   ``NoticeError/Code/backendStopped`` if the backend does not run, and ``NoticeError/Code/storeFailed``.
    ///   Permanent: ``NoticeError/Code/notAuthorized``, an error about the content, and ``NoticeError/Code/rejected``
    ///   by the server or by the app's delegate, or because the delegate or content provider itself is the caller.
    public func show(_ request: NoticeRequest) async throws(NoticeError) -> DeliveredNotice {
        try await engine.show(request)
    }

    /// Removes everything that would still be shown: requests, and deliveries that are in flight, deferred or snoozed.
    ///
    /// Removed requests deliver nothing afterwards. A series' ``NoticeSeries/id`` selects all its elements. Unknown
    /// identifiers are no error; the report lists them.
    ///
    /// - Parameters:
    ///   - ids: Identifiers of requests or series.
    ///   - includingDelivered: True: notices on the screen are withdrawn, too, and the call returns when the backend
    ///     has done so. False: they stay, and the user can respond to them.
    /// - Throws: ``NoticeError/Code/storeFailed`` if the removal can't be stored; transient, and nothing was removed.
    @discardableResult
    public func remove(
        _ ids: [String],
        includingDelivered: Bool = false
    ) async throws(NoticeError) -> RemovalReport {
        try await engine.remove(ids, includingDelivered: includingDelivered)
    }

    /// Removes everything of one request, or of one series, that would still be shown. See
    /// ``remove(_:includingDelivered:)-([String],_)``.
    ///
    /// - Throws: ``NoticeError/Code/storeFailed`` if the removal can't be stored; transient, and nothing was removed.
    @discardableResult
    public func remove(
        _ id: String,
        includingDelivered: Bool = false
    ) async throws(NoticeError) -> RemovalReport {
        try await remove([id], includingDelivered: includingDelivered)
    }

    /// Removes everything that would still be shown; notices on the screen stay.
    ///
    /// - Throws: ``NoticeError/Code/storeFailed`` if the removal can't be stored; transient, and nothing was removed.
    @discardableResult
    public func removeAll() async throws(NoticeError) -> RemovalReport {
        try await engine.removeAll()
    }

    /// Returns everything that will still be shown, with its states, sorted by what comes first. O(n log n).
    ///
    /// - Throws: ``NoticeError/Code/storeFailed`` if the store can't be opened or read; transient.
    public func pending() async throws(NoticeError) -> [PendingNotice] {
        try await engine.pending()
    }

    /// Returns when the next request fires; nil if none waits for a time. O(1).
    ///
    /// - Throws: ``NoticeError/Code/storeFailed`` if the store can't be opened; transient.
    public func nextFireDate() async throws(NoticeError) -> Date? {
        try await engine.nextFireDate()
    }

    /// Returns when a request fires next; nil if it waits for no time or is not pending.
    ///
    /// - Throws: ``NoticeError/Code/storeFailed`` if the store can't be opened; transient.
    public func nextFireDate(of id: String) async throws(NoticeError) -> Date? {
        try await engine.nextFireDate(of: id)
    }

    // MARK: What is on the screen

    /// Returns the notices on the screen or in the server's history, oldest first: the newest 5,000.
    ///
    /// Servers tell only the process that has shown a notice when it is closed. A notice that was closed while that
    /// process did not run, or that was shown by an earlier one, stays listed until the server ends or it is removed.
    ///
    /// - Throws: ``NoticeError/Code/storeFailed`` if the store can't be opened or read; transient.
    public func delivered() async throws(NoticeError) -> [DeliveredNotice] {
        try await engine.delivered()
    }

    /// Withdraws notices from the screen; returns when the backend has done so.
    ///
    /// - Throws: ``NoticeError/Code/storeFailed`` if the removal can't be stored; transient. If the backend can't
    ///   withdraw a notice, ``CenterEvent/error(_:)`` reports it.
    public func removeDelivered(_ ids: [String]) async throws(NoticeError) {
        try await engine.removeDelivered(ids)
    }

    /// Withdraws the notice of one request from the screen; returns when the backend has done so.
    ///
    /// - Throws: ``NoticeError/Code/storeFailed`` if the removal can't be stored; transient.
    public func removeDelivered(_ id: String) async throws(NoticeError) {
        try await removeDelivered([id])
    }

    /// Withdraws all notices of this app from the screen; returns when the backend has done so.
    ///
    /// - Throws: ``NoticeError/Code/storeFailed`` if the removal can't be stored; transient.
    public func removeAllDelivered() async throws(NoticeError) {
        try await engine.removeAllDelivered()
    }

    /// Returns the history of requests, oldest first unless the query says otherwise. The options of the store limit
    /// the number and the age of entries.
    ///
    /// - Throws: ``NoticeError/Code/storeFailed`` if the store can't be opened or read; transient.
    public func history(_ query: HistoryQuery = HistoryQuery()) async throws(NoticeError) -> [HistoryEntry] {
        try await engine.history(query)
    }

    // MARK: Categories, responses, events

    /// Replaces and stores all categories.
    ///
    /// - Throws: ``NoticeError/Code/invalidContent`` for an identifier of a category or an action that is empty,
    ///   repeated or too long, or for too many actions; permanent. ``NoticeError/Code/storeFailed`` if they can't be
    ///   stored; transient.
    public func setCategories(_ categories: [NoticeCategory]) async throws(NoticeError) {
        try await engine.setCategories(categories)
    }

    /// Returns the current categories, sorted by identifier.
    ///
    /// - Throws: ``NoticeError/Code/storeFailed`` if the store can't be opened; transient.
    public func categories() async throws(NoticeError) -> [NoticeCategory] {
        try await engine.categories()
    }

    /// Returns the responses from now on, for any number of listeners, and those that have not been handled.
    ///
    /// Without a delegate, a response is handled when one listener requests the next one or leaves its loop. Until then
    /// it is stored, and sent again after a restart. With a delegate, listeners receive every response, and the
    /// delegate handles it.
    public func responses() async -> Responses { await engine.responses() }

    /// Returns the center's events from now on, for any number of listeners. The first listener also receives up to 100
    /// different earlier errors: a damaged file, requests of unknown kinds, a failed backend.
    ///
    /// A listener that is more than 1,024 events behind loses the oldest of those that the center also records
    /// (``CenterEvent/history(_:)``, ``CenterEvent/delivered(_:)``). Of the others, the oldest 1,024 are kept for it.
    public func events() async -> Events { await engine.events() }

    /// Sets the delegate, which can change or suppress notices and handles responses.
    public func setDelegate(_ delegate: (any NoticeCenterDelegate)?) async {
        await engine.setDelegate(delegate)
    }

    /// Returns what the backend can show right now.
    ///
    /// - Throws: The backend's error. Transient: ``NoticeError/Code/noBus``, ``NoticeError/Code/noServer``,
    ///   ``NoticeError/Code/serverTimedOut``, and ``NoticeError/Code/backendStopped`` if the backend does not run.
    ///   Permanent: ``NoticeError/Code/unsupported``, ``NoticeError/Code/pluginMisbehaved`` and
    ///   ``NoticeError/Code/systemFailure``.
    public func capabilities() async throws(NoticeError) -> DeliveryCapabilities {
        try await engine.capabilities()
    }

    // MARK: Permission

    /// Returns whether the user allows this app's notices. Without a prompt, the status is authorized.
    ///
    /// - Throws: ``NoticeError/Code/storeFailed`` if the store can't be opened; transient.
    public func authorizationStatus() async throws(NoticeError) -> AuthorizationStatus {
        try await engine.authorizationStatus()
    }

    /// Asks the user once, and stores the decision. Calls during the prompt wait for the same decision. Without a
    /// decision within ``CenterOptions/promptTimeout`` the status stays not determined; a later decision still
    /// counts.
    ///
    /// - Throws: ``NoticeError/Code/storeFailed`` if the store can't be opened, or the decision can't be stored;
    ///   transient.
    @discardableResult
    public func requestAuthorization() async throws(NoticeError) -> AuthorizationStatus {
        try await engine.requestAuthorization()
    }

    /// Sets the status, for an app's own settings page.
    ///
    /// - Throws: ``NoticeError/Code/storeFailed`` if the status can't be stored; transient, and nothing has changed.
    public func setAuthorization(_ status: AuthorizationStatus) async throws(NoticeError) {
        try await engine.setAuthorization(status)
    }

    // MARK: Running

    /// Fires due requests and processes responses, until the task is canceled. Call it once per center.
    ///
    /// - Throws: ``NoticeError/Code/centerStopped`` if the center has run before, and
    ///   ``NoticeError/Code/systemFailure`` if the clock has no alarm; permanent. ``NoticeError/Code/storeFailed`` if
    ///   the store can't be opened; transient, but only another center can run then. Also the errors of the backend's
    ///   run.
    public func run() async throws(NoticeError) {
        try claimRun()
        try await engine.run()
    }

    /// Claims the center's only run.
    private func claimRun() throws(NoticeError) {
        guard !isRunClaimed.exchange(true, ordering: .sequentiallyConsistent) else {
            throw NoticeError(.centerStopped, "This center has run already: make another one.")
        }
    }

    /// Returns when no work is in progress: no event, no transaction, no delivery, no response handler.
    public func quiet() async { await engine.quiet() }

    /// Runs the center concurrently with `body`. When `body` returns or throws, the center finishes its work in
    /// progress and ends; if the task was canceled, it ends at once.
    ///
    /// `body` runs where the caller does. It is not called if the center has run before.
    ///
    /// - Throws: The errors of `body`, and those of ``run()``, which are permanent for this center.
    @discardableResult
    public func run<Value: Sendable>(
        isolation: isolated (any Actor)? = #isolation,
        _ body: @escaping @Sendable (NoticeCenter) async throws -> Value
    ) async throws -> Value {
        // Before the body: at its end it would finish the work of the run that is in progress.
        try claimRun()
        let executor = AppThreads.preference
        return try await withTaskExecutorPreference(executor) {
            try await withThrowingTaskGroup(of: Value?.self) { group in
                group.addTask(executorPreference: CenterThread.shared) {
                    try await self.engine.run()
                    return nil
                }
                // Repeated, because an immediate task doesn't inherit it in an optimized build (Swift 6.3).
                group.addImmediateTask(executorPreference: executor) {
                    _ = isolation
                    await self.engine.begun()
                    do {
                        let value = try await body(self)
                        await self.outbox.emptied()
                        await self.engine.finishWork()
                        return value
                    } catch {
                        if !Task.isCancelled {
                            await self.outbox.emptied()
                            await self.engine.finishWork()
                        }
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
