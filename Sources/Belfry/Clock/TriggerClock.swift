package import BelfryRecurrence
package import FoundationEssentials

/// Wall clock and boot clock read together, in microseconds.
package struct TriggerInstant: Sendable, Hashable, Codable {
    /// Microseconds since 1970, by the wall clock (CLOCK_REALTIME).
    package var wall: Int64
    /// Microseconds since the machine was started, suspend counted (CLOCK_BOOTTIME).
    package var boot: Int64

    package init(wall: Int64, boot: Int64) {
        self.wall = wall
        self.boot = boot
    }

    package var date: Date { Date(microsecondsSince1970: wall) }
}

extension TriggerInstant {
    private enum CodingKeys: String, CodingKey { case wall, boot }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        wall = try values.decodeMicroseconds(forKey: .wall)
        boot = try values.decodeMicroseconds(forKey: .boot)
    }
}

/// When to wake next: on the wall clock, on the boot clock, whichever comes first.
package struct WakeDeadline: Sendable, Hashable {
    /// Microseconds since 1970.
    package var wall: Int64?
    /// Microseconds since the machine was started.
    package var boot: Int64?

    /// Nil where both are: there is nothing to wait for.
    package init?(wall: Int64?, boot: Int64?) {
        guard wall != nil || boot != nil else { return nil }
        self.wall = wall
        self.boot = boot
    }

    package func isDue(at instant: TriggerInstant) -> Bool {
        (wall.map { $0 <= instant.wall } ?? false) || (boot.map { $0 <= instant.boot } ?? false)
    }
}

/// Why a clock woke its listener.
package enum WakeReason: Sendable, Hashable {
    case due
    /// The wall clock was set.
    case clockSet
    /// The system's time zone, or the zone data, changed.
    case zoneChanged
}

/// The time: read at once, and waited for through alarms.
package protocol TriggerClock: Sendable {
    func now() -> TriggerInstant
    /// Names this run of the machine: readings of the boot clock compare only within one.
    var bootID: String { get }
    /// Whether the kernel says that the wall clock is synchronised (adjtimex(2), STA_UNSYNC). Asked where a wall clock
    /// shows what can hardly be; a clock that doesn't say otherwise is believed.
    var isSynchronized: Bool { get }
    /// The system's time zone as libc reads it.
    func systemZone() -> ZoneRules
    /// An alarm of the caller's own. Throws ``NoticeError/Code/systemFailure``, permanent.
    func makeAlarm() throws(NoticeError) -> any WakeAlarm
}

extension TriggerClock {
    package var isSynchronized: Bool { true }
}

/// One deadline at a time, and the news of clock and zone.
package protocol WakeAlarm: Sendable {
    /// Sets the deadline anew; nil waits for clock and zone only. From any thread, never blocks.
    func set(_ deadline: WakeDeadline?)
    /// Wakes the listener until the task is cancelled.
    func run(waking listener: any WakeListener) async throws(NoticeError)
}

/// What an alarm wakes.
package protocol WakeListener: Sendable {
    /// Receives a wake-up, from any thread, and returns at once.
    func woke(_ reason: WakeReason)
    /// Returns when the wake-ups received so far are processed and the alarm is set anew. A manual clock waits for it;
    /// a real one does not.
    func processedWakeUps() async
    /// Returns when nothing that was begun is still under way. A manual clock waits for it; a real one does not.
    func quiet() async
}

extension Date {
    /// 2001, from which `Date` counts: going by way of 1970 would cost the last bit.
    private static let reference: Int64 = 978_307_200_000_000

    /// Exact to the microsecond from 1729 to 2273; clamped to what 64 bits hold.
    init(microsecondsSince1970 microseconds: Int64) {
        let (since2001, overflow) = microseconds.subtractingReportingOverflow(Self.reference)
        self.init(timeIntervalSinceReferenceDate: Double(overflow ? microseconds : since2001) / 1e6)
    }

    /// Rounded to the nearest microsecond; clamped to what 64 bits hold.
    package var microsecondsSince1970: Int64 {
        let seconds = timeIntervalSinceReferenceDate
        guard seconds.magnitude < 4e12 else { return seconds < 0 ? .min / 2 : .max / 2 }
        // Apart, so that nothing of the fraction is lost in the product.
        let whole = seconds.rounded(.down)
        return Int64(whole) * 1_000_000 + Int64(((seconds - whole) * 1e6).rounded()) + Self.reference
    }
}

extension NoticeCenter {
    /// The clock by which a center fires.
    ///
    /// ``system`` is the machine's. The module `BelfryTesting` adds `.manual(_:)`, a clock that a test moves.
    public struct Clock: Sendable {
        package let clock: any TriggerClock

        package init(_ clock: any TriggerClock) { self.clock = clock }

        /// The machine's clocks. A request that is due while the machine is suspended fires when it resumes.
        public static let system = Clock(SystemTriggerClock())
    }
}
