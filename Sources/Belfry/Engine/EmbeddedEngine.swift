import BelfryRecurrence
import Dispatch
import FoundationEssentials

/// The fixed parts of an engine: the app, its connections to the outside, and its options.
struct EngineSetup: Sendable {
    let app: AppIdentity
    let backend: any DeliveryBackend
    /// The executor on which the backend is called. Determined once: a dynamic cast costs as much as writing a message
    /// to the bus.
    let backendExecutor: any TaskExecutor
    let store: any RequestStore
    let clock: any TriggerClock
    let prompt: (any AuthorizationPrompt)?
    let location: (any LocationProvider)?
    let options: CenterOptions
    /// A queue for looking at the files of notices. A file system that doesn't answer blocks it, and nothing else.
    let fileWork = DispatchQueue(label: "org.belfry.files")

    var validation: RequestValidation {
        RequestValidation(hasPositions: location != nil, attachmentLimit: options.attachmentLimit)
    }
}

/// The engine in this process: an actor that passes events to a pure schedule and performs its decisions in order. It
/// runs on the centers' thread, where its alarm also wakes up.
///
/// The contract of each call is documented at ``NoticeCenter``.
actor EmbeddedEngine: CenterEngine {
    nonisolated let setup: EngineSetup
    nonisolated var clock: any TriggerClock { setup.clock }
    /// A queue for long work that needs no state of the center, such as compiling rules and sorting lists. It keeps
    /// that work off the thread that all centers share.
    nonisolated let longWork = DispatchQueue(label: "org.belfry.center")
    nonisolated var unownedExecutor: UnownedSerialExecutor { CenterThread.shared.actors.asUnownedSerialExecutor() }

    var currentRun = EngineRun()
    var schedule: Schedule
    var commits = CommitQueue()
    /// The callers that wait until the notice is on the screen.
    var showCallers: [DeliveryReference: Caller<NoticeState.Delivered>] = [:]
    nonisolated let inbox = Inbox<Arrival>()
    var deliveries: DeliveryPipeline
    var locating = Locating()

    /// The delivery that waits for the app's delegate or content provider, in which the current task runs.
    @TaskLocal static var undecidedDelivery: String?

    // The state that is visible to the app.
    var categoriesByID: [String: NoticeCategory] = [:]
    var permission = PermissionQuestion()
    var responseCenter = ResponseCenter()
    nonisolated let eventBroadcast = EventBroadcast()
    var pendingCountWatch = PendingCountWatch()
    var waiters: [EngineWaiter] = []

    nonisolated func report(_ error: NoticeError) { eventBroadcast.send(.error(error)) }

    init(_ setup: EngineSetup) {
        self.setup = setup
        // A store that outlives the process allows one at a time, since deliveries in flight at a crash are shown
        // again.
        deliveries = DeliveryPipeline(largestWindow: setup.store.outlivesProcess ? 1 : 64)
        let clock = setup.clock
        schedule = Schedule(limit: setup.options.pendingLimit, zone: clock.systemZone(), at: clock.now())
    }

    // MARK: Requests

    func add(_ requests: [NoticeRequest], allOrNothing: Bool) async throws(NoticeError) -> NoticeCenter.AddReport {
        try await checkAuthorization()
        let (accepted, refused) = try await validated(requests, allOrNothing: allOrNothing)
        var report = try await changed(size: { _ in accepted.count }) { schedule throws(NoticeError) in
            try schedule.add(accepted, allOrNothing: allOrNothing)
        }
        report.refused = refused + report.refused
        report.warnings = await warnings(of: accepted, refused: report.refused)
        return report
    }

    func add(_ series: NoticeSeries) async throws(NoticeError) -> NoticeCenter.AddReport {
        try await checkAuthorization()
        let elements = try await elements(of: series)
        return try await changed(size: { _ in elements.count }) { schedule throws(NoticeError) in
            try schedule.addSeries(elements)
        }
    }

    func show(_ request: NoticeRequest) async throws(NoticeError) -> DeliveredNotice {
        guard !isDelayedByCaller else {
            let message =
                "The notice '\(request.id)' can't be shown from the delegate or content provider that decides about "
                + "another notice, because it comes after that one: add it instead."
            throw NoticeError(.rejected, message)
        }
        try await checkAuthorization()
        var request = request
        request.trigger = nil
        _ = try await validated([request])
        guard request.content.isDisplayed else {
            throw NoticeError(.invalidContent, "The notice '\(request.id)' is not to be displayed: add it instead.")
        }
        let shown = try await shown(request)
        return DeliveredNotice(
            id: shown.deliveryID,
            requestID: request.id,
            content: request.content,
            dueDate: shown.shownAt.date,
            date: shown.shownAt.date,
            late: .zero,
            series: request.series,
            receipt: shown.receipt
        )
    }

    func fingerprints(of owner: String) async throws(NoticeError) -> [String: String] {
        try await settle()
        return schedule.owners[.app(owner)].mapValues(\.fingerprint)
    }

    func synchronize(_ wanted: OwnedRequests, isTrial: Bool) async throws(NoticeError)
        -> NoticeCenter.SynchronizationReport
    {
        if !isTrial { try await checkAuthorization() }
        let known = try await fingerprints(of: wanted.owner)
        var warnings: [String] = []
        // Entries that exist already were validated when they were added.
        let news = wanted.entries.filter { known[$0.key] != $0.fingerprint }
        _ = try await validated(news.flatMap { $0.requests ?? [] })
        for entry in news {
            for request in entry.requests ?? [] {
                warnings += request.warnings.map { "\(entry.key): \($0)" }
            }
        }
        var report = try await changed(size: { $0.size(of: wanted) }) { schedule throws(NoticeError) in
            try schedule.synchronize(wanted, isTrial: isTrial)
        }
        report.warnings += warnings
        return report
    }

    func remove(_ ids: [String], includingDelivered: Bool) async throws(NoticeError) -> NoticeCenter.RemovalReport {
        try await removed(size: { $0.size(of: ids) }) { $0.remove(ids, includingDelivered: includingDelivered) }
    }

    func removeAll() async throws(NoticeError) -> NoticeCenter.RemovalReport {
        try await removed(size: { $0.size }) { $0.removeAll() }
    }

    func snooze(_ response: NoticeResponse, _ choice: SnoozeChoice) async throws(NoticeError) {
        try choice.validate()
        // A response from another process may contain anything. Its request is shown under the response's identifier.
        if var request = response.request {
            request.id = response.requestID
            try setup.validation.validateAgain(request)
        }
        try await withdrawing(size: { $0.size(ofSnoozing: response) }) { schedule throws(NoticeError) in
            try schedule.snooze(response, choice)
        }
    }

    func setQuietHours(_ hours: QuietHours?) async throws(NoticeError) {
        try hours?.validate()
        try await changed(size: { $0.notices.deferrals.count }) { $0.setQuietHours(hours) }
    }

    func quietHours() async throws(NoticeError) -> QuietHours? {
        try await settle()
        return schedule.quiet?.setting
    }

    // MARK: Delivered notices

    func delivered() async throws(NoticeError) -> [DeliveredNotice] {
        try await settle()
        let standing = schedule.notices.ids.compactMap { id in
            schedule.notices[id].flatMap { state in state.delivered.map { (id, $0) } }
        }
        let requests = try await setup.store.requests(revisions: standing.map(\.1.revision))
        var notices: [DeliveredNotice] = []
        for (id, notice) in standing.sorted(by: {
            ($0.1.shownAt.wall, $0.1.revision) < ($1.1.shownAt.wall, $1.1.revision)
        }) {
            guard let request = requests[notice.revision] else {
                if schedule.notices[id]?.delivered?.deliveryID == notice.deliveryID { reportUnreadable(id) }
                continue
            }
            notices.append(DeliveredNotice(notice, Shared(request.content(of: notice.record))))
        }
        return notices
    }

    func removeDelivered(_ ids: [String]) async throws(NoticeError) {
        try await withdrawing(size: { _ in ids.count }) { $0.removeDelivered(ids) }
    }

    func removeAllDelivered() async throws(NoticeError) {
        try await withdrawing(size: { $0.notices.count }) { $0.removeDelivered(nil) }
    }

    func history(_ query: HistoryQuery = HistoryQuery()) async throws(NoticeError) -> [HistoryEntry] {
        try await settle()
        return try await setup.store.history(query)
    }

    // MARK: Categories, responses, events

    func setCategories(_ categories: [NoticeCategory]) async throws(NoticeError) {
        try setup.validation.validate(categories)
        try await changed { $0.store(.putCategories(categories)) }
        categoriesByID = categories.byID
    }

    func categories() async throws(NoticeError) -> [NoticeCategory] {
        try await settle()
        return categoriesByID.values.sorted { $0.id < $1.id }
    }

    func events() -> NoticeCenter.Events {
        let events = NoticeCenter.Events(of: eventBroadcast)
        if responseCenter.delegate == nil { assignResponses() }
        return events
    }
}

extension [NoticeCategory] {
    var byID: [String: NoticeCategory] { Dictionary(map { ($0.id, $0) }, uniquingKeysWith: { _, last in last }) }
}
