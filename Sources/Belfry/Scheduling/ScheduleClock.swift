import BelfryRecurrence

/// The schedule's state of time: the instant of the current event, the zone, the change of the wall clock, and whether
/// that is in doubt.
struct ScheduleClock: Sendable {
    /// The instant of the current event.
    private(set) var now: TriggerInstant
    /// The system's zone, as passed to triggers.
    private(set) var context: TriggerContext
    /// Wall clock minus boot clock at the last processed clock change. An event that overtakes the report of a change
    /// must not hide it.
    private(set) var wallOffset: Int64
    private var bootID = ""
    /// Set while the wall clock is in doubt.
    var doubt: ClockDoubt?

    /// The largest difference that slewing and leap seconds explain, in microseconds.
    private static let tolerance: Int64 = 1_000_000

    init(zone: ZoneRules, at now: TriggerInstant) {
        self.now = now
        context = TriggerContext(zone: zone)
        wallOffset = now.wall - now.boot
    }

    /// The amount by which the wall clock was set since the last mapping, in microseconds.
    var jump: Int64 { jump(at: now) }

    /// Returns true if the wall clock has changed since the last processed clock change, by more than slewing and leap
    /// seconds explain.
    func wasSet(at instant: TriggerInstant) -> Bool { jump(at: instant).magnitude > Self.tolerance }

    private func jump(at instant: TriggerInstant) -> Int64 { instant.wall - instant.boot - wallOffset }

    mutating func advance(to instant: TriggerInstant) { now = instant }

    /// Sets the boot whose clock is read from now on.
    mutating func begin(bootID: String) { self.bootID = bootID }

    mutating func setZone(_ zone: ZoneRules) { context.zone = zone }

    /// Accepts the current wall clock. Returns the new mapping.
    mutating func map() -> ClockMapping {
        let jump = jump
        doubt?.clockWasSet(by: jump)
        wallOffset = now.wall - now.boot
        return mapping
    }

    /// The mapping by which a restart converts stored instants. It leaves out a change of the clock that has not been
    /// processed yet.
    var mapping: ClockMapping {
        let instant = TriggerInstant(wall: now.boot + wallOffset, boot: now.boot)
        return ClockMapping(bootID: bootID, instant: instant, zone: context.zone.identifier, doubt: doubt?.stored)
    }
}
