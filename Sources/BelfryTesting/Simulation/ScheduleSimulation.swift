public import Belfry
public import BelfryRecurrence
public import FoundationEssentials

/// What a user would be shown of some requests, and when: Belfry's own scheduling in simulated time, with nothing
/// around it that takes time.
///
/// There is no center, no store, no server, no delegate and no position: a request that waits for a place is pending
/// and never fires; requests are decided by the rules that decide them in a center. Where a test is about those, a
/// center with a ``ManualTriggerClock`` is the one to use.
///
/// ```swift
/// var simulation = try ScheduleSimulation(from: start, zone: .named("Europe/Berlin"))
/// let daily = CalendarTrigger(matching: DateFields(hour: 16), repeats: true)
/// try simulation.add(NoticeRequest(id: "tea", title: "Tea", trigger: daily))
/// let week = try simulation.run(until: start.addingTimeInterval(7 * 86_400))
/// print(week.shown.map(\.date))
/// ```
public struct ScheduleSimulation: Sendable {
    /// What came of a span of time.
    public struct Outcome: Sendable, Hashable {
        /// The notices, in order. Their content is as the user saw it: escalated, in their language, with the
        /// category's actions.
        public var shown: [DeliveredNotice]
        /// What was not shown, and why: missed, suppressed (not displayed, or gathered in a summary), dropped under the
        /// pending limit, removed by an answer, failed.
        public var unshown: [HistoryEntry]
        /// True: there was more than was asked for, and the simulation ended there.
        public var isCut: Bool
    }

    private var simulated: SimulatedRun

    /// - Parameters:
    ///   - start: The instant at which simulated time begins.
    ///   - zone: The time zone of floating triggers.
    ///   - quietHours: When notices are deferred; nil is never.
    ///   - pendingLimit: How many requests may be pending; nil is without limit.
    ///   - categories: The categories that contents name.
    ///   - languages: Best first, for requests that name none; nil follows the environment of now.
    ///
    /// Throws what is wrong with the quiet hours and the categories; permanent.
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

    /// At the simulated time. Throws what is wrong with the request, as a center does; permanent. O(log n).
    /// Adds a request; throws what is wrong with it, as a center does.
    @discardableResult
    public mutating func add(_ request: NoticeRequest) throws(NoticeError) -> NoticeCenter.AddReport {
        try add([request])
    }

    /// Adds requests: all of them, or none.
    @discardableResult
    public mutating func add(_ requests: [NoticeRequest]) throws(NoticeError) -> NoticeCenter.AddReport {
        try simulated.add(requests)
    }

    /// Adds a series; throws what is wrong with it, as a center does.
    @discardableResult
    public mutating func add(_ series: NoticeSeries) throws(NoticeError) -> NoticeCenter.AddReport {
        try simulated.add(series)
    }

    /// Unknown identifiers are no error; the identifier of a series stands for its elements.
    public mutating func remove(_ ids: [String]) throws(NoticeError) { try simulated.remove(ids) }

    /// Sets the quiet hours from now on; nil ends them.
    public mutating func setQuietHours(_ hours: QuietHours?) throws(NoticeError) {
        try simulated.setQuietHours(hours)
    }

    /// The way that the machine goes from now on, in the order of its times: what is judged of a position, is when it
    /// was made. Without one no place is ever reached. It takes the place of a way that was set before.
    public mutating func travel(_ fixes: [LocationFix]) { simulated.travel(fixes) }

    /// Moves time on, and tells what was shown meanwhile, that last instant included. O(n log n) in the showings.
    ///
    /// - Parameters:
    ///   - end: The instant to run until, inclusive.
    ///   - atMost: After so many showings it is over, for this and all later runs, and the outcome says so.
    ///   - user: What they do about each notice; nil is nothing, as it is by default. A notice that has left the
    ///     screen by then isn't answered.
    ///
    /// Throws ``Belfry/NoticeError/Code/invalidContent`` where the user presses a button that the notice does not have.
    @discardableResult
    public mutating func run(
        until end: Date,
        atMost: Int = 100_000,
        user: (DeliveredNotice) -> SimulatedAnswer? = { _ in nil }
    ) throws(NoticeError) -> Outcome {
        let outcome = try simulated.run(until: end, atMost: atMost) { notice in
            user(notice).map { ($0.kind, $0.delay) }
        }
        return Outcome(shown: outcome.shown, unshown: outcome.unshown, isCut: outcome.isCut)
    }
}
