package import FoundationEssentials

/// Where a center's requests live and who fires them: this process (the default), or another one such as the agent.
///
/// An app never calls an engine: it talks to a ``NoticeCenter``, whose documentation says what each call promises. The
/// embedded engine and the agent's client answer alike, which is tested by running one suite over both.
package protocol CenterEngine: AnyObject, Sendable {
    /// What "now" and "here" are where dates are computed in this process.
    var clock: any TriggerClock { get }
    func add(_ requests: [NoticeRequest], allOrNothing: Bool) async throws(NoticeError) -> NoticeCenter.AddReport
    func add(_ series: NoticeSeries) async throws(NoticeError) -> NoticeCenter.AddReport
    func show(_ request: NoticeRequest) async throws(NoticeError) -> DeliveredNotice
    /// What is known of an owner's entries: fingerprints by key.
    func fingerprints(of owner: String) async throws(NoticeError) -> [String: String]
    func synchronize(_ wanted: OwnedRequests, isTrial: Bool) async throws(NoticeError)
        -> NoticeCenter.SynchronizationReport
    func remove(_ ids: [String], includingDelivered: Bool) async throws(NoticeError) -> NoticeCenter.RemovalReport
    func removeAll() async throws(NoticeError) -> NoticeCenter.RemovalReport
    func pendingSeries() async throws(NoticeError) -> [NoticeSeries.Pending]
    func snooze(_ response: NoticeResponse, _ choice: SnoozeChoice) async throws(NoticeError)
    func setQuietHours(_ hours: QuietHours?) async throws(NoticeError)
    func quietHours() async throws(NoticeError) -> QuietHours?
    func pending() async throws(NoticeError) -> [PendingNotice]
    func nextFireDate() async throws(NoticeError) -> Date?
    func nextFireDate(of id: String) async throws(NoticeError) -> Date?

    func delivered() async throws(NoticeError) -> [DeliveredNotice]
    func removeDelivered(_ ids: [String]) async throws(NoticeError)
    func removeAllDelivered() async throws(NoticeError)
    func history(_ query: HistoryQuery) async throws(NoticeError) -> [HistoryEntry]

    func setCategories(_ categories: [NoticeCategory]) async throws(NoticeError)
    func categories() async throws(NoticeError) -> [NoticeCategory]
    func responses() async -> NoticeCenter.Responses
    func events() async -> NoticeCenter.Events
    /// `observer` gets every event from now on, without being one of the listeners of ``events()``. It must not block.
    func observe(_ observer: @escaping @Sendable (CenterEvent) -> Void) async
    /// An error that concerns no call that anybody waits for: ``events()`` has it.
    func report(_ error: NoticeError)
    func setDelegate(_ delegate: (any NoticeCenterDelegate)?) async
    func capabilities() async throws(NoticeError) -> DeliveryCapabilities
    func previewDelivery(
        of content: NoticeContent,
        id: String,
        languages: [String]?
    ) async throws(NoticeError) -> Delivery.Preview
    func doNotDisturb() async -> DeliveryCapabilities.DoNotDisturb
    func desktopPermission() async -> DesktopPermission
    func setBadge(_ count: Int) async throws(NoticeError)

    func authorizationStatus() async throws(NoticeError) -> AuthorizationStatus
    func requestAuthorization() async throws(NoticeError) -> AuthorizationStatus
    func setAuthorization(_ status: AuthorizationStatus) async throws(NoticeError)

    func position() async throws(NoticeError) -> NoticeCenter.LocationReport
    func startMonitoring(_ feed: RegionFeed) async throws(NoticeError)
    func stopMonitoring(_ id: String) async throws(NoticeError)
    func monitoredFeeds() async throws(NoticeError) -> [RegionFeed.Report]

    /// Works until the task is cancelled. Once per engine.
    func run() async throws(NoticeError)
    /// Returns when a run has begun, so that what is added from then on fires on time, or has failed to begin.
    func begun() async
    /// Finishes what is under way, within bounds, before the end of a run.
    func finishWork() async
    /// Returns when nothing that was begun is under way.
    func quiet() async
}

extension CenterEngine {
    /// An engine that has no positions of its own to tell of.
    package func position() async throws(NoticeError) -> NoticeCenter.LocationReport {
        throw NoticeError(.unsupported, "This center does not tell positions: ask a center in your own process.")
    }
}
