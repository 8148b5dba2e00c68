/// The received location fixes and the current demand. Nothing here is stored, or undone when a transaction fails: the
/// fixes of a failed transaction are evaluated again.
struct LocationWatch: Sendable {
    private(set) var last: LocationFix?
    /// The time of the last fix on the current wall clock; after a restart, that of the last fix that changed anything.
    var lastAt: Int64?
    private(set) var accepted = 0
    private(set) var coarse = 0
    private(set) var ignored: [NoticeCenter.LocationReport.Reason: Int] = [:]
    /// The reasons reported since the last accepted fix.
    private var reported: Set<NoticeCenter.LocationReport.Reason> = []
    /// The fixes to evaluate when the store accepts the resulting changes; at most the newest ``waitingLimit``.
    private(set) var waiting: [LocationFix] = []
    static let waitingLimit = 64

    /// When to run a failed provider again, on the boot clock.
    private(set) var retryAt: Int64?
    private var failures = 0
    private(set) var error: NoticeError?

    /// The last demand.
    var demand: LocationDemand?

    private static let futureTolerance = NoticeCenter.LocationReport.futureTolerance.microseconds
    private static let deniedRetry: Int64 = 3_600_000_000

    /// Microseconds until the next retry: 10 s, doubled after each error, up to 10 minutes.
    static func retryDelay(after failures: Int) -> Int64 { min(600_000_000, 10_000_000 << Int64(min(failures, 10))) }

    /// Returns why a fix is invalid, or nil.
    ///
    /// - Parameter jump: the amount by which the wall clock was set since the schedule last processed a clock change.
    func reasonToIgnore(_ fix: LocationFix, at now: TriggerInstant, jump: Int64) -> NoticeCenter.LocationReport.Reason?
    {
        guard (-90...90).contains(fix.latitude), (-180...180).contains(fix.longitude) else { return .invalidPosition }
        if let accuracy = fix.accuracy, !(accuracy >= 0 && accuracy.isFinite) { return .invalidAccuracy }
        let at = fix.date.microsecondsSince1970
        if at > now.wall + Self.futureTolerance { return .fromTheFuture }
        if let lastAt, at < lastAt + jump { return .outOfOrder }
        return nil
    }

    mutating func accept(_ fix: LocationFix, at now: TriggerInstant) {
        last = fix
        // A fix that is ahead of the clock must not make later ones seem out of order.
        lastAt = min(fix.date.microsecondsSince1970, now.wall)
        accepted += 1
        if fix.accuracy.map({ $0 > RegionMarks.finest }) ?? false { coarse += 1 }
        reported = []
        (failures, error) = (0, nil)
    }

    /// Counts ignored fixes. Returns true if that must be reported: once for each reason, until a fix is accepted.
    mutating func ignore(_ reason: NoticeCenter.LocationReport.Reason, count: Int = 1) -> Bool {
        ignored[reason, default: 0] += count
        return reported.insert(reason).inserted
    }

    /// Appends fixes to evaluate. Returns the number of oldest fixes dropped.
    mutating func wait(_ fixes: [LocationFix]) -> Int { keep(waiting + fixes) }

    /// Inserts fixes to evaluate again, before those that arrived since.
    mutating func waitAgain(_ fixes: [LocationFix]) -> Int { keep(fixes + waiting) }

    private mutating func keep(_ fixes: [LocationFix]) -> Int {
        waiting = fixes.suffix(Self.waitingLimit)
        return fixes.count - waiting.count
    }

    mutating func takeWaiting() -> [LocationFix] {
        defer { waiting = [] }
        return waiting
    }

    /// Records that the provider failed. Returns true if the error is new.
    mutating func lose(_ error: NoticeError, at boot: Int64) -> Bool {
        let isNews = self.error != error
        self.error = error
        retryAt = boot + (error.code == .locationDenied ? Self.deniedRetry : Self.retryDelay(after: failures))
        failures += 1
        demand = nil
        return isNews
    }

    mutating func endRetry(at boot: Int64) {
        if let retryAt, retryAt <= boot { self.retryAt = nil }
    }

    /// Resets the demand when no location fix is needed any more.
    mutating func rest() {
        (retryAt, demand) = (nil, nil)
        (failures, error) = (0, nil)
    }
}

extension LocationDemand {
    /// The demand that finds out as soon as possible which regions the device is inside.
    static let first = LocationDemand(accuracy: 100, distance: 0)

    /// The distance in meters up to which the nearest border is searched. Farther ones make no difference.
    static let horizon = 20_000.0

    /// The demand for a nearest border `slack` meters away: a new fix after half that distance, so that no border is
    /// missed, and after each stride of a feed. Distances are powers of two, and `old` is kept while it fits: a walk
    /// along a border must not change the demand at each step.
    static func toward(border slack: Double, stride: Double, replacing old: LocationDemand?) -> LocationDemand {
        let half = max(0, slack / 2)
        if let old, old.distance > 0, old.distance <= stride, half >= old.distance, half < 2.5 * old.distance {
            return old
        }
        var distance = 8.0
        while distance * 2 <= min(half, stride) { distance *= 2 }
        return LocationDemand(accuracy: min(max(distance, 10), 1_000), distance: distance)
    }
}
