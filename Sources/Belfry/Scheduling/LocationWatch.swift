/// The fixes that came and the demands that go out. None of it is stored, and none of it is
/// undone when a transaction fails: a fix that was evaluated in vain waits here again.
struct LocationWatch: Sendable {
    private(set) var last: LocationFix?
    /// When the last one was made, on the wall clock of now; after a restart that of the last one that told anything.
    var lastAt: Int64?
    private(set) var taken = 0
    private(set) var coarse = 0
    private(set) var ignored: [NoticeCenter.LocationReport.Reason: Int] = [:]
    /// Reasons that were told since the last fix that was taken.
    private var told: Set<NoticeCenter.LocationReport.Reason> = []
    /// Fixes that are evaluated when the store takes what follows from them; no more than ``waitingLimit``, the newest.
    private(set) var waiting: [LocationFix] = []
    static let waitingLimit = 64

    /// The provider gave up: when it is run again, on the boot clock.
    private(set) var retryAt: Int64?
    private var failures = 0
    private(set) var failure: NoticeError?

    /// What was demanded last, and how many changes there had been then.
    var demand: LocationDemand?
    private var demandedCount = -1
    /// Rises with each change that may ask for other positions.
    private(set) var changeCount = 0

    private static let futureTolerance = NoticeCenter.LocationReport.futureTolerance.microseconds
    private static let deniedRetry: Int64 = 3_600_000_000

    /// Microseconds until what has failed is tried again: 10 s, and twice as long after each failure, up to 10 minutes.
    static func retryDelay(after failures: Int) -> Int64 { min(600_000_000, 10_000_000 << Int64(min(failures, 10))) }

    /// What is wrong with a fix, or nil.
    ///
    /// - Parameter jump: by how much the wall clock was set since the schedule was told.
    func fault(of fix: LocationFix, at now: TriggerInstant, jump: Int64) -> NoticeCenter.LocationReport.Reason? {
        guard (-90...90).contains(fix.latitude), (-180...180).contains(fix.longitude) else { return .invalidPosition }
        if let accuracy = fix.accuracy, !(accuracy >= 0 && accuracy.isFinite) { return .invalidAccuracy }
        let at = fix.date.microsecondsSince1970
        if at > now.wall + Self.futureTolerance { return .fromTheFuture }
        if let lastAt, at < lastAt + jump { return .outOfOrder }
        return nil
    }

    mutating func take(_ fix: LocationFix, at now: TriggerInstant) {
        last = fix
        // One that is ahead of the clock must not hide those that are not.
        lastAt = min(fix.date.microsecondsSince1970, now.wall)
        taken += 1
        if fix.accuracy.map({ $0 > RegionMarks.finest }) ?? false { coarse += 1 }
        told = []
        (failures, failure) = (0, nil)
        changeCount += 1
    }

    /// True where that is to be told: once for each reason, until a fix is taken.
    mutating func ignore(_ reason: NoticeCenter.LocationReport.Reason, count: Int = 1) -> Bool {
        ignored[reason, default: 0] += count
        return told.insert(reason).inserted
    }

    /// To be evaluated, in their order. Returns how many of the oldest had to go.
    mutating func wait(_ fixes: [LocationFix]) -> Int { keep(waiting + fixes) }

    /// To be evaluated again, before those that came since.
    mutating func waitAgain(_ fixes: [LocationFix]) -> Int { keep(fixes + waiting) }

    private mutating func keep(_ fixes: [LocationFix]) -> Int {
        waiting = fixes.suffix(Self.waitingLimit)
        return fixes.count - waiting.count
    }

    mutating func takeWaiting() -> [LocationFix] {
        defer { waiting = [] }
        return waiting
    }

    /// The provider gave up. True where it says something new.
    mutating func lose(_ error: NoticeError, at boot: Int64) -> Bool {
        let isNews = failure != error
        failure = error
        retryAt = boot + (error.code == .locationDenied ? Self.deniedRetry : Self.retryDelay(after: failures))
        failures += 1
        demand = nil
        changeCount += 1
        return isNews
    }

    mutating func endRetry(at boot: Int64) {
        guard let retryAt, retryAt <= boot else { return }
        self.retryAt = nil
        changeCount += 1
    }

    /// The center has begun to run, or has stopped.
    mutating func noteRunning() { changeCount += 1 }

    /// Whether anything has changed since this was asked last.
    ///
    /// - Parameter changes: how many there were elsewhere.
    mutating func isDemandStale(after changes: Int) -> Bool {
        defer { demandedCount = changes + changeCount }
        return demandedCount != changes + changeCount
    }

    /// No position is wanted any more: the next demand begins anew.
    mutating func rest() {
        (retryAt, demand) = (nil, nil)
        (failures, failure) = (0, nil)
    }
}

extension LocationDemand {
    /// What finds out as soon as may be on which side of their borders regions are.
    static let first = LocationDemand(accuracy: 100, distance: 0)

    /// How far the nearest border is looked for; metres. Farther ones make no difference.
    static let horizon = 20_000.0

    /// What is wanted with the nearest border so far away, in metres: after half the way to it there is a new fix, so
    /// that none is passed over. Powers of two, and where `old` is still right that, so that a walk along a border
    /// doesn't ask for something else at each step.
    static func toward(border slack: Double, replacing old: LocationDemand?) -> LocationDemand {
        let half = max(0, slack / 2)
        if let old, old.distance > 0, half >= old.distance, half < 2.5 * old.distance { return old }
        var distance = 8.0
        while distance * 2 <= half { distance *= 2 }
        return LocationDemand(accuracy: min(max(distance, 10), 1_000), distance: distance)
    }
}
