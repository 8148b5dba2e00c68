import BelfryRecurrence
import Foundation

/// The object an app talks to: it takes requests, fires them on time through its backend, and brings back the answers.
///
/// ```swift
/// let center = NoticeCenter(app: AppIdentity(id: "org.example.Tea"), backend: LibnotifyBackend(appName: "Tea"))
/// try await center.running { center in
///     try await center.add(NoticeRequest(id: "tea", title: "Tea is ready", trigger: .after(.seconds(240))))
///     for await response in await center.responses() { print(response.kind); break }
/// }
/// ```
///
/// Requests are taken before ``run()`` as well; they fire while it runs. The actor feeds a pure schedule with what
/// happens and performs, in order, what that decides.
public actor NoticeCenter {
    public nonisolated let app: AppIdentity
    nonisolated let backend: any DeliveryBackend
    nonisolated let store: any RequestStore
    nonisolated let clock: any TriggerClock
    nonisolated let prompt: (any AuthorizationPrompt)?
    nonisolated let options: CenterOptions

    var schedule: Schedule
    var alarm: (any WakeAlarm)?
    var isLoaded = false
    var hasRun = false
    var hasBegun = false
    var beginWaiters: [CheckedContinuation<Void, Never>] = []

    // The mailbox: what happens, in order, until the pump takes it in.
    var mailbox = FIFOQueue<Mail>()
    var isPumping = false
    var waiting: [Ticket: CheckedContinuation<Result<TicketAnswer, NoticeError>, Never>] = [:]
    var nextTicket: Ticket = 1
    nonisolated let inbox = BackendInbox()
    /// Events about deliveries whose receipt has not come back yet; no more than ``heldLimit``, the newest.
    var heldEvents: [BackendEvent] = []
    static let heldLimit = 1_024
    /// How many deliveries are begun whose outcome the schedule does not know yet.
    var unresolvedDeliveries = 0

    // The lane: what the backend is to do, one after the other.
    var lane = FIFOQueue<LaneItem>()
    var isLaneBusy = false
    /// The backend's last call took longer than the limit.
    var isBackendStuck = false
    /// The center is about to stop and finishes what is under way.
    var isEnding = false
    var knownCapabilities: DeliveryCapabilities?

    // What the app sees.
    var categoriesByID: [String: NoticeCategory] = [:]
    var authorization: AuthorizationStatus?
    /// Who waits for the person's answer to the question.
    var askers: [CheckedContinuation<Result<AuthorizationStatus, NoticeError>, Never>] = []
    var delegate: (any NoticeCenterDelegate)?
    var unclaimed: [NoticeResponse] = []
    var isHandlingResponses = false
    var responseSerial: Int64 = 0
    nonisolated let responseBroadcast = Broadcast<NoticeResponse>()
    /// What opening the store found, while nobody listens.
    var unheardFindings: [NoticeError] = []
    nonisolated let eventBroadcast = Broadcast<CenterEvent>()
    var quietWaiters: [QuietWaiter] = []

    /// - Parameters:
    ///   - store: Where requests are kept; the default lasts as long as the process.
    ///   - prompt: Asks the person for permission; nil never asks, and delivers.
    public init(
        app: AppIdentity,
        backend: any DeliveryBackend,
        store: any RequestStore = MemoryRequestStore(),
        clock: any TriggerClock = SystemTriggerClock(),
        prompt: (any AuthorizationPrompt)? = nil,
        options: CenterOptions = CenterOptions()
    ) {
        self.app = app
        self.backend = backend
        self.store = store
        self.clock = clock
        self.prompt = prompt
        self.options = options
        schedule = Schedule(limit: options.pendingLimit, zone: clock.systemZone(), at: clock.now())
    }

    // MARK: Requests

    /// Returns when the request is stored. An identifier that is pending is replaced whole.
    ///
    /// Throws what is wrong with the request (permanent), ``NoticeError/Code/notAuthorized``,
    /// ``NoticeError/Code/pendingLimitReached`` or ``NoticeError/Code/storeFailed`` (transient). O(log n).
    @discardableResult
    public func add(_ request: NoticeRequest) async throws(NoticeError) -> AddReport { try await add([request]) }

    /// Requests that are stored together, or not at all.
    @discardableResult
    public func add(_ requests: [NoticeRequest]) async throws(NoticeError) -> AddReport {
        try await checkAuthorization()
        for request in requests { try RequestValidation.validate(request) }
        return try await added(warnings: requests.flatMap(warnings)) { .added(requests, $0) }
    }

    /// A series: where a pending limit leaves less room than its count, it is cut and the report says how much was kept.
    @discardableResult
    public func add(_ series: NoticeSeries) async throws(NoticeError) -> AddReport {
        try await checkAuthorization()
        let now = clock.now().date
        let elements = try series.requests(startingAt: now)
        if let first = elements.first { try RequestValidation.validate(first) }
        if let last = elements.last { try RequestValidation.validate(last) }
        let first = series.first ?? now
        guard now.timeIntervalSince(first) < series.spacing.seconds else {
            throw NoticeError(
                .neverFires,
                "The series '\(series.base)' begins at \(first.formatted(.iso8601)), more than one spacing ago: "
                    + "begin it now or later."
            )
        }
        return try await added(warnings: []) { .addedSeries(elements, $0) }
    }

    /// Shows a notice now, in one attempt, and returns when it stands on the screen.
    ///
    /// The request's trigger is left out of account. Throws why it can't be shown: ``NoticeError/Code/noBus``,
    /// ``NoticeError/Code/noServer``, ``NoticeError/Code/serverTimedOut`` (transient), and the permanent ones.
    public func show(_ request: NoticeRequest) async throws(NoticeError) -> DeliveredNotice {
        try await checkAuthorization()
        var request = request
        request.trigger = nil
        try RequestValidation.validate(request)
        guard case .shown(let reference, let receipt, let shownAt) = try await call({ .shown(request, $0) }) else {
            throw NoticeError(.centerStopped, "The center answered something else than a delivery.")
        }
        return DeliveredNotice(
            id: request.id,
            deliveryID: reference.deliveryID,
            content: request.content,
            dueAt: shownAt.date,
            shownAt: shownAt.date,
            late: .zero,
            series: request.series,
            receipt: receipt
        )
    }

    /// Removed requests deliver nothing afterwards; what is on the screen stays and can be answered. Unknown identifiers
    /// are no error; the base of a series stands for its elements.
    public func remove(_ ids: [String]) async throws(NoticeError) { _ = try await call { .removed(ids, $0) } }

    public func remove(_ id: String) async throws(NoticeError) { try await remove([id]) }

    public func removeAll() async throws(NoticeError) { _ = try await call { .removedAll($0) } }

    /// Removes the elements of a series that are pending and takes those on the screen down.
    public func endSeries(_ base: String) async throws(NoticeError) { _ = try await call { .endedSeries(base, $0) } }

    /// The pending requests, those that fire first at the front. O(n log n).
    public func pending() async throws(NoticeError) -> [PendingNotice] {
        try await settle()
        var all: [(entry: ScheduleEntry, next: Int64?)] = []
        for id in schedule.entries.ids {
            if let entry = schedule.entries[id] { all.append((entry, schedule.nextDue(of: id))) }
        }
        all.sort { ($0.next ?? .max, $0.entry.revision) < ($1.next ?? .max, $1.entry.revision) }
        var notices: [PendingNotice] = []
        // Some thousands of contents at a time: others want the store too.
        for start in stride(from: 0, to: all.count, by: 4_096) {
            let part = all[start..<min(all.count, start + 4_096)]
            let requests = try await store.requests(revisions: part.map(\.entry.revision))
            for (entry, next) in part {
                guard let request = requests[entry.revision] else {
                    // Removed in the meantime, or spoilt.
                    if schedule.entries[entry.id]?.revision == entry.revision { tellUnreadable(entry.id) }
                    continue
                }
                let date = next.map { Date(microsecondsSince1970: $0) }
                notices.append(PendingNotice(request: request, next: date, fired: entry.progress.fired))
            }
        }
        return notices
    }

    /// When the next request of all fires; nil where none waits for a time. O(1).
    public func nextFireDate() async throws(NoticeError) -> Date? {
        try await settle()
        return schedule.nextDue.map { Date(microsecondsSince1970: $0) }
    }

    /// When a request fires next; nil where it waits for no time or is not pending.
    public func nextFireDate(of id: String) async throws(NoticeError) -> Date? {
        try await settle()
        return schedule.nextDue(of: id).map { Date(microsecondsSince1970: $0) }
    }

    private func tellUnreadable(_ id: String) {
        let message = "The content of the pending request '\(id)' can't be read: add it anew, or remove it."
        eventBroadcast.send(.problem(NoticeError(.contentUnreadable, message)))
    }

    // MARK: What is on the screen

    /// The notices that stand on the screen or in the server's history, oldest first.
    public func delivered() async throws(NoticeError) -> [DeliveredNotice] {
        try await settle()
        let standing = schedule.notices.ids.compactMap { id in
            schedule.notices[id].flatMap { state in state.standing.map { (id, $0) } }
        }
        var notices: [DeliveredNotice] = []
        for (id, notice) in standing.sorted(by: {
            ($0.1.shownAt.wall, $0.1.deliveryID) < ($1.1.shownAt.wall, $1.1.deliveryID)
        }) {
            guard let request = try await store.request(revision: notice.revision) else { continue }
            notices.append(
                DeliveredNotice(
                    id: id,
                    deliveryID: notice.deliveryID,
                    content: request.content,
                    dueAt: notice.dueAt.date,
                    shownAt: notice.shownAt.date,
                    late: .microseconds(max(0, notice.shownAt.boot - notice.dueAt.boot)),
                    series: notice.traits.series,
                    receipt: notice.receipt
                )
            )
        }
        return notices
    }

    /// Takes notices off the screen; returns when the backend has done so.
    public func removeDelivered(_ ids: [String]) async throws(NoticeError) {
        _ = try await call { .removedDelivered(ids, $0) }
    }

    public func removeDelivered(_ id: String) async throws(NoticeError) { try await removeDelivered([id]) }

    public func removeAllDelivered() async throws(NoticeError) {
        _ = try await call { .removedDelivered(nil, $0) }
    }

    /// What became of the requests, oldest first.
    public func history(_ query: LedgerQuery = LedgerQuery()) async throws(NoticeError) -> [LedgerEntry] {
        try await settle()
        return try await store.ledger(query)
    }

    // MARK: Categories, answers, events

    /// Replaces all categories; stored. Throws ``NoticeError/Code/invalidContent`` (permanent) and
    /// ``NoticeError/Code/storeFailed``.
    public func setCategories(_ categories: [NoticeCategory]) async throws(NoticeError) {
        try RequestValidation.validate(categories)
        _ = try await call { .settings([.putCategories(categories)], $0) }
        categoriesByID = Dictionary(categories.map { ($0.identifier, $0) }, uniquingKeysWith: { _, last in last })
    }

    public func categories() async throws(NoticeError) -> [NoticeCategory] {
        try await settle()
        return categoriesByID.values.sorted { $0.identifier < $1.identifier }
    }

    /// The answers from now on, for any number of listeners; the first listener also gets those that nobody has taken.
    public func responses() -> NoticeResponses {
        let stream = responseBroadcast.listen()
        if delegate == nil { handUnclaimedToListeners() }
        return NoticeResponses(stream: stream)
    }

    /// What the center does from now on, for any number of listeners.
    /// The first listener also hears what opening the store has found.
    public func events() -> CenterEvents {
        let stream = eventBroadcast.listen()
        for finding in unheardFindings { eventBroadcast.send(.problem(finding)) }
        unheardFindings = []
        return CenterEvents(stream: stream)
    }

    /// The app's say in what is shown, and its designated handler of answers.
    public func setDelegate(_ delegate: (any NoticeCenterDelegate)?) {
        self.delegate = delegate
        if delegate != nil { handleResponses() } else { handUnclaimedToListeners() }
    }

    /// What the backend can show right now. Throws as the backend does.
    public func capabilities() async throws(NoticeError) -> DeliveryCapabilities {
        if let knownCapabilities { return knownCapabilities }
        let asked = try await askCapabilities()
        knownCapabilities = asked
        return asked
    }
}
