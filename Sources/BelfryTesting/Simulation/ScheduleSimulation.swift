public import Belfry
public import BelfryRecurrence
public import FoundationEssentials

/// Which notices a user would see for some requests, and when. It runs Belfry's own scheduling in simulated time, by
/// the same rules as a center.
///
/// There is no center, store, server or delegate. Regions are evaluated only against the fixes of ``travel(_:)``;
/// without any, region requests stay pending. To test those parts, use a center with a ``ManualTriggerClock``.
///
/// ```swift
/// let start = Date(timeIntervalSince1970: 1_800_000_000)
/// var simulation = try ScheduleSimulation(from: start, zone: .named("Europe/Berlin"))
/// let daily = CalendarTrigger(matching: DateFields(hour: 16), repeats: true)
/// try simulation.add(NoticeRequest(id: "tea", title: "Tea", trigger: daily))
/// let week = try simulation.run(until: start.addingTimeInterval(7 * 86_400))
/// print(week.shown.map(\.date))
/// ```
public struct ScheduleSimulation: Sendable {
    /// The outcome of a span of time.
    public struct Outcome: Sendable, Hashable {
        /// The shown notices, in order. Their content is as the user saw it: escalated, in their language, with the
        /// category's actions.
        public var shown: [DeliveredNotice]
        /// The notices that were not shown, with the reasons: missed, suppressed (not displayed, or coalesced in a
        /// summary), dropped under the pending limit, removed by a response, failed.
        public var unshown: [HistoryEntry]
        /// Whether the simulation ended early because there was more than requested.
        public var isCut: Bool
    }

    private var simulated: SimulatedRun

    /// Creates a simulation. Throws a center's errors for invalid quiet hours or categories; permanent.
    ///
    /// - Parameters:
    ///   - start: The instant at which simulated time begins.
    ///   - zone: The time zone of floating triggers.
    ///   - quietHours: The times when notices are deferred; nil for none.
    ///   - pendingLimit: The limit of pending requests; nil for no limit.
    ///   - categories: The categories that contents name.
    ///   - languages: Best first, for requests that name none; nil follows the current environment.
    public init(
        from start: Date,
        zone: ZoneRules = .system(),
        quietHours: QuietHours? = nil,
        pendingLimit: CenterOptions.PendingLimit? = nil,
        categories: [NoticeCategory] = [],
        languages: [String]? = nil
    ) throws(NoticeError) {
        simulated = try SimulatedRun(
            from: start,
            zone: zone,
            quietHours: quietHours,
            limit: pendingLimit,
            categories: categories,
            languages: languages
        )
    }

    /// The simulated time.
    public var date: Date { simulated.date }

    /// Adds a request at the simulated time. Throws the errors of a center for invalid requests; permanent. O(log n).
    @discardableResult
    public mutating func add(_ request: NoticeRequest) throws(NoticeError) -> NoticeCenter.AddReport {
        try add([request])
    }

    /// Adds all of the requests, or none. Throws the errors of a center for invalid requests; permanent.
    @discardableResult
    public mutating func add(_ requests: [NoticeRequest]) throws(NoticeError) -> NoticeCenter.AddReport {
        try simulated.add(requests)
    }

    /// Adds a series. Throws the errors of a center for an invalid one; permanent.
    @discardableResult
    public mutating func add(_ series: NoticeSeries) throws(NoticeError) -> NoticeCenter.AddReport {
        try simulated.add(series)
    }

    /// Removes requests. Unknown identifiers are ignored; the identifier of a series removes its elements. Declared as
    /// a center's call; without a store, it throws no error.
    public mutating func remove(_ ids: [String]) throws(NoticeError) { try simulated.remove(ids) }

    /// Sets the quiet hours from now on; nil ends them. Throws ``Belfry/NoticeError/Code/invalidComponent`` (permanent)
    /// for no period, for more than 100, and for a period on no weekday.
    public mutating func setQuietHours(_ hours: QuietHours?) throws(NoticeError) {
        try simulated.setQuietHours(hours)
    }

    /// Sets the route of the device from now on, ordered by time; it replaces an earlier route. Each fix is evaluated
    /// at the time it was made. Without a route no region is ever entered.
    public mutating func travel(_ fixes: [LocationFix]) { simulated.travel(fixes) }

    /// Advances time and returns what was shown until `end`, inclusive. O(n log n) in the number of notices shown.
    ///
    /// - Parameters:
    ///   - end: The instant to run until, inclusive.
    ///   - atMost: The largest number of notices to show. When it is reached, this and all later runs end, and
    ///     ``Outcome/isCut`` is true.
    ///   - user: Returns the user's response to each notice, or nil (the default) for none. A response to a notice
    ///     that has left the screen by then is ignored.
    ///
    /// Throws ``Belfry/NoticeError/Code/invalidContent`` (permanent) if the user presses a button that the notice does
    /// not have.
    @discardableResult
    public mutating func run(
        until end: Date,
        atMost: Int = 100_000,
        user: (DeliveredNotice) -> Response? = { _ in nil }
    ) throws(NoticeError) -> Outcome {
        let outcome = try simulated.run(until: end, atMost: atMost) { notice in
            user(notice).map { ($0.kind, $0.delay) }
        }
        return Outcome(shown: outcome.shown, unshown: outcome.unshown, isCut: outcome.isCut)
    }
}
