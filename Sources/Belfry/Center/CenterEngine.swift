package import FoundationEssentials

/// Stores and fires a center's requests, in this process (the default) or in another one such as the agent.
///
/// Apps never call an engine, but a ``NoticeCenter``, whose documentation describes each call. The embedded engine and
/// the agent's client behave alike: one test suite runs on both.
package protocol CenterEngine: AnyObject, Sendable {
    /// The clock and the time zone for dates that are computed in this process.
    var clock: any TriggerClock { get }
    func add(_ requests: [NoticeRequest], allOrNothing: Bool) async throws(NoticeError) -> NoticeCenter.AddReport
    func add(_ series: NoticeSeries) async throws(NoticeError) -> NoticeCenter.AddReport
    func show(_ request: NoticeRequest) async throws(NoticeError) -> DeliveredNotice
    /// Returns the stored fingerprints of an owner's entries, by key.
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
    /// Sends every event from now on to `observer`, in addition to the listeners of ``events()``. It must not block.
    func observe(_ observer: @escaping @Sendable (CenterEvent) -> Void) async
    /// Reports an error to the listeners of ``events()``, for errors that no call can throw.
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

    func locationReport() async throws(NoticeError) -> NoticeCenter.LocationReport
    func startMonitoring(_ feed: RegionFeed) async throws(NoticeError)
    func stopMonitoring(_ id: String) async throws(NoticeError)
    func monitoredFeeds() async throws(NoticeError) -> [RegionFeed.Report]

    /// Runs until the task is canceled. Called once per engine: the center refuses a second run.
    func run() async throws(NoticeError)
    /// Returns when a run has begun or has failed to begin. Requests that are added after it began fire on time.
    func begun() async
    /// Finishes the work in progress within time limits, before the end of a run.
    func finishWork() async
    /// Returns when no work is in progress.
    func quiet() async
}

extension CenterEngine {
    /// An engine without location fixes of its own.
    package func locationReport() async throws(NoticeError) -> NoticeCenter.LocationReport {
        throw NoticeError(.unsupported, "This center reports no location fixes: ask a center in your own process.")
    }
}
