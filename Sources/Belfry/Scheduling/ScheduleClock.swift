import BelfryRecurrence

/// What the schedule knows of time: the instant of the event at hand, the zone, by how much the wall clock was set, and
/// whether it can be believed.
struct ScheduleClock: Sendable {
    /// The instant of the event at hand.
    private(set) var now: TriggerInstant
    /// The system's zone, as triggers are given it.
    private(set) var context: TriggerContext
    /// Wall clock minus boot clock when the wall clock was last known to be set. Events that overtake the news of a
    /// clock set must not hide it.
    private(set) var wallOffset: Int64
    private var bootID = ""
    /// Not nil while nobody vouches for the wall clock.
    var doubt: ClockDoubt?

    /// What slewing and leap seconds explain, in microseconds.
    private static let tolerance: Int64 = 1_000_000

    init(zone: ZoneRules, at now: TriggerInstant) {
        self.now = now
        context = TriggerContext(zone: zone)
        wallOffset = now.wall - now.boot
    }

    /// By how much the wall clock was set since the last mapping, in microseconds.
    var jump: Int64 { jump(at: now) }

    /// True where the wall clock differs from what it was when it was last known to be set, by more than slewing and
    /// leap seconds explain.
    func wasSet(at instant: TriggerInstant) -> Bool { jump(at: instant).magnitude > Self.tolerance }

    private func jump(at instant: TriggerInstant) -> Int64 { instant.wall - instant.boot - wallOffset }

    mutating func advance(to instant: TriggerInstant) { now = instant }

    /// The boot whose clock is read from now on.
    mutating func begin(bootID: String) { self.bootID = bootID }

    /// Returns by how much local time moves, in microseconds; positive going east.
    mutating func setZone(_ zone: ZoneRules) -> Int64 {
        let second = now.wall / 1_000_000
        let shift = Int64(zone.offset(at: second) - context.zone.offset(at: second)) * 1_000_000
        context.zone = zone
        return shift
    }

    /// Believes the wall clock as it is now. Returns what a restart reads stored instants by.
    mutating func map() -> ClockMapping {
        wallOffset = now.wall - now.boot
        return ClockMapping(bootID: bootID, instant: now, zone: context.zone.identifier)
    }
}
