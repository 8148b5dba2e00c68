import Belfry
import BelfryBus
import FoundationEssentials

/// The engine of an app whose requests the agent keeps. Each call goes over the bus, and the agent calls back.
final class AgentEngine: CenterEngine {
    let app: AppIdentity
    let options: AgentOptions
    var clock: any TriggerClock { options.clock }
    let coding: AgentCoding
    let bus: BusConnection
    let state = AwaitedState(State())
    let responseListeners = ResponseListeners()
    let eventBroadcast = EventBroadcast()

    struct State {
        var delegate: (any NoticeCenterDelegate)?
        var wantsEvents = false
        var wantsResponses = false
        /// Whether the agent keeps triggers whose dates must be renewed.
        var forwards = false
        var renewal = Renewal()
        var hasRun = false
        var hasBegun = false
        /// The wishes of this app that the agent has confirmed last.
        var registeredWishes: Wishes?
        /// The registration that was begun or enqueued last.
        var lastRegistration: Task<Result<Void, BusError>, Never>?
        /// The registration that waits for the end of another one.
        var nextRegistration: (owner: String, task: Task<Result<Void, BusError>, Never>)?
        /// The agent that this client registers at, or has registered at. Its calls may arrive before its reply.
        var agent: String?
        /// The agent that this client has registered at.
        var registeredAt: String?
        /// The number of calls from the agent that the app's code is handling.
        var handling = 0

        func wishes(_ options: AgentOptions) -> Wishes {
            // An app that doesn't run can't be called back.
            Wishes(
                receives: hasRun && (delegate != nil || wantsResponses),
                presents: hasRun && (delegate != nil || options.contentProvider != nil),
                events: hasRun && (wantsEvents || forwards)
            )
        }
    }

    struct Wishes: Equatable {
        var receives, presents, events: Bool
    }

    /// Whether stored dates are being renewed, and whether that was asked for again in the meantime.
    struct Renewal {
        private(set) var isRunning = false
        private var isWantedAgain = false

        /// Returns true if the caller must renew now; otherwise the renewal that runs will be repeated.
        mutating func request() -> Bool {
            isWantedAgain = isRunning
            defer { isRunning = true }
            return !isRunning
        }

        /// Called when a renewal has ended. Returns false if no other one is wanted.
        mutating func mustRepeat() -> Bool {
            isRunning = isWantedAgain
            isWantedAgain = false
            return isRunning
        }
    }

    init(_ app: AppIdentity, _ options: AgentOptions) {
        self.app = app
        self.options = options
        var triggers = options.triggers
        triggers.registerForwarded()
        coding = AgentCoding(triggers: triggers)
        // Its handlers run the app's code, which may block.
        bus = BusConnection(to: options.bus, replyingOn: AppThreads.shared, on: CenterThread.shared.loop)
    }

    /// The timeout of showing a notice. The agent may ask the user first, for two minutes, and then its backend has
    /// half a minute.
    private static let showingTimeout = Duration.seconds(300)

    func report(_ error: NoticeError) { eventBroadcast.send(.error(error)) }

    // MARK: Requests

    func add(_ requests: [NoticeRequest], allOrNothing: Bool) async throws(NoticeError) -> NoticeCenter.AddReport {
        let (sent, refused) = try requests.accepted(allOrNothing: allOrNothing) { request throws(NoticeError) in
            try forwarded(request)
        }
        var report: NoticeCenter.AddReport = try await ask(
            "Add",
            .strings(try coding.texts(sent)),
            .boolean(allOrNothing)
        )
        if allOrNothing, let error = report.refused.first { throw error }
        report.refused = refused + report.refused
        let refusedIDs = Set(report.refused.compactMap(\.requestID))
        report.warnings += requests.filter { !refusedIDs.contains($0.id) }.flatMap { ownWarnings(of: $0) }
        return report
    }

    func add(_ series: NoticeSeries) async throws(NoticeError) -> NoticeCenter.AddReport {
        try await ask("AddSeries", .string(try coding.text(series)))
    }

    func show(_ request: NoticeRequest) async throws(NoticeError) -> DeliveredNotice {
        var request = request
        request.trigger = nil
        return try await ask("Show", .string(try coding.text(request)), within: Self.showingTimeout)
    }

    func fingerprints(of owner: String) async throws(NoticeError) -> [String: String] {
        try await ask("Fingerprints", .string(owner))
    }

    func synchronize(_ wanted: OwnedRequests, isTrial: Bool) async throws(NoticeError)
        -> NoticeCenter.SynchronizationReport
    {
        var entries = wanted.entries
        for index in entries.indices {
            entries[index].requests = try entries[index].requests?.map { request throws(NoticeError) in
                try forwarded(request)
            }
        }
        let texts = try coding.texts(entries)
        return try await ask("Synchronize", .string(wanted.owner), .strings(texts), .boolean(isTrial))
    }

    func remove(_ ids: [String], includingDelivered: Bool) async throws(NoticeError) -> NoticeCenter.RemovalReport {
        try await ask("Remove", .strings(ids), .boolean(includingDelivered))
    }
    func removeAll() async throws(NoticeError) -> NoticeCenter.RemovalReport { try await ask("RemoveAll") }

    func pendingSeries() async throws(NoticeError) -> [NoticeSeries.Pending] { try await list("PendingSeries") }

    func snooze(_ response: NoticeResponse, _ choice: SnoozeChoice) async throws(NoticeError) {
        try await send("Snooze", .string(try coding.text(response)), .string(choice.actionID))
    }

    func pending() async throws(NoticeError) -> [PendingNotice] {
        let notices: [PendingNotice] = try await list("Pending")
        return notices.map { notice in
            var notice = notice
            notice.request = original(notice.request)
            return notice
        }
    }

    func nextFireDate() async throws(NoticeError) -> Date? { try await date("NextFireDate") }

    func nextFireDate(of id: String) async throws(NoticeError) -> Date? {
        try await date("NextFireDateOf", .string(id))
    }

    // MARK: Delivered notices

    func delivered() async throws(NoticeError) -> [DeliveredNotice] { try await list("Delivered") }
    func removeDelivered(_ ids: [String]) async throws(NoticeError) { try await send("RemoveDelivered", .strings(ids)) }
    func removeAllDelivered() async throws(NoticeError) { try await send("RemoveAllDelivered") }

    func history(_ query: HistoryQuery) async throws(NoticeError) -> [HistoryEntry] {
        try await list("History", .string(try coding.text(query)))
    }

    // MARK: Settings

    func setCategories(_ categories: [NoticeCategory]) async throws(NoticeError) {
        try await send("SetCategories", .string(try coding.text(categories)))
    }

    func categories() async throws(NoticeError) -> [NoticeCategory] { try await ask("Categories") }
    func capabilities() async throws(NoticeError) -> DeliveryCapabilities { try await ask("Capabilities") }

    func previewDelivery(
        of content: NoticeContent,
        id: String,
        languages: [String]?
    ) async throws(NoticeError) -> Delivery.Preview {
        try await ask("PreviewDelivery", .string(try coding.text(content)), .string(id), .strings(languages ?? []))
    }

    func doNotDisturb() async -> DeliveryCapabilities.DoNotDisturb {
        do throws(NoticeError) { return try await ask("DoNotDisturb") } catch { return .unknown }
    }

    func desktopPermission() async -> DesktopPermission {
        do throws(NoticeError) { return try await ask("DesktopPermission") } catch { return .unknown }
    }

    func setBadge(_ count: Int) async throws(NoticeError) { try await send("SetBadge", .int64(Int64(count))) }

    func setQuietHours(_ hours: QuietHours?) async throws(NoticeError) {
        try await send("SetQuietHours", .string(try coding.text(hours)))
    }

    func quietHours() async throws(NoticeError) -> QuietHours? { try await ask("QuietHours") }

    func startMonitoring(_ feed: RegionFeed) async throws(NoticeError) { throw Self.noFeed(feed.id) }
    func stopMonitoring(_ id: String) async throws(NoticeError) { throw Self.noFeed(id) }
    func monitoredFeeds() async throws(NoticeError) -> [RegionFeed.Report] { [] }

    private static func noFeed(_ id: String) -> NoticeError {
        let message =
            "The source of the feed '\(id)' is this app's code, which the agent can't ask: use a center in this "
            + "process, or add the places themselves."
        return NoticeError(.needsEmbeddedEngine, message)
    }

    func authorizationStatus() async throws(NoticeError) -> AuthorizationStatus {
        try await ask("AuthorizationStatus")
    }

    func requestAuthorization() async throws(NoticeError) -> AuthorizationStatus {
        try await ask("RequestAuthorization", within: .seconds(86_400))
    }

    func setAuthorization(_ status: AuthorizationStatus) async throws(NoticeError) {
        try await send("SetAuthorization", .string(try coding.text(status)))
    }

    // MARK: Responses, events

    func responses() async -> NoticeCenter.Responses {
        let responses = responseListeners.listen()
        state.withLock { $0.wantsResponses = true }
        await registerAnew()
        return responses
    }

    func events() async -> NoticeCenter.Events {
        let events = NoticeCenter.Events(of: eventBroadcast)
        state.withLock { $0.wantsEvents = true }
        await registerAnew()
        return events
    }

    func observe(_ observer: @escaping @Sendable (CenterEvent) -> Void) async {
        eventBroadcast.observe(observer)
        state.withLock { $0.wantsEvents = true }
        await registerAnew()
    }

    func setDelegate(_ delegate: (any NoticeCenterDelegate)?) async {
        state.withLock { $0.delegate = delegate }
        await registerAnew()
    }
}
