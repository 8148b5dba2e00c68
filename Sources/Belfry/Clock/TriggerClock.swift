package import BelfryRecurrence
package import FoundationEssentials

/// The wall clock and the boot clock, read together, in microseconds.
package struct TriggerInstant: Sendable, Hashable, Codable {
    /// Microseconds since 1970 on the wall clock (CLOCK_REALTIME).
    package var wall: Int64
    /// Microseconds since boot, including suspend (CLOCK_BOOTTIME).
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

/// The next wake-up: on the wall clock or on the boot clock, whichever comes first.
package struct WakeDeadline: Sendable, Hashable {
    /// Microseconds since 1970.
    package var wall: Int64?
    /// Microseconds since boot.
    package var boot: Int64?

    /// Returns nil if both deadlines are nil.
    package init?(wall: Int64?, boot: Int64?) {
        guard wall != nil || boot != nil else { return nil }
        self.wall = wall
        self.boot = boot
    }

    package func isDue(at instant: TriggerInstant) -> Bool {
        (wall.map { $0 <= instant.wall } ?? false) || (boot.map { $0 <= instant.boot } ?? false)
    }
}

/// The reason why a clock woke its listener.
package enum WakeReason: Sendable, Hashable {
    case due
    /// The wall clock was set.
    case clockSet
    /// The system's time zone or the zone data changed.
    case zoneChanged
}

/// A source of time, with alarms.
package protocol TriggerClock: Sendable {
    func now() -> TriggerInstant
    /// The ID of the current boot. Readings of the boot clock can be compared only within one boot.
    var bootID: String { get }
    /// Whether the kernel reports the wall clock as synchronized (adjtimex(2), STA_UNSYNC). Used when the wall clock
    /// shows an implausible time; the default is true.
    var isSynchronized: Bool { get }
    /// Returns the system's time zone as libc reads it.
    func systemZone() -> ZoneRules
    /// Makes a separate alarm for the caller. Throws ``NoticeError/Code/systemFailure``, permanent.
    func makeAlarm() throws(NoticeError) -> any WakeAlarm
}

extension TriggerClock {
    package var isSynchronized: Bool { true }
}

/// A wake-up for one deadline at a time, and for changes of the clock and the zone.
package protocol WakeAlarm: Sendable {
    /// Replaces the deadline; nil waits for changes of the clock and the zone only. Callable from any thread; never
    /// blocks.
    func set(_ deadline: WakeDeadline?)
    /// Wakes the listener until the task is canceled.
    func run(waking listener: any WakeListener) async throws(NoticeError)
}

/// The receiver of an alarm's wake-ups.
package protocol WakeListener: Sendable {
    /// Receives a wake-up, from any thread, and returns at once.
    func woke(_ reason: WakeReason)
    /// Returns when the wake-ups received so far are processed and the alarm is set anew. A manual clock waits for it;
    /// a real one does not.
    func processedWakeUps() async
    /// Returns when no work is in progress. A manual clock waits for that; a real one does not.
    func quiet() async
}

extension Date {
    /// 2001, the reference of `Date`: converting through 1970 would lose the last bit.
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
        // Converted separately, so that the product doesn't lose part of the fraction.
        let whole = seconds.rounded(.down)
        return Int64(whole) * 1_000_000 + Int64(((seconds - whole) * 1e6).rounded()) + Self.reference
    }
}

extension NoticeCenter {
    /// The clock by which a center fires.
    ///
    /// ``system`` is the machine's clock. The module `BelfryTesting` adds `.manual(_:)`, a clock that tests control.
    public struct Clock: Sendable {
        package let clock: any TriggerClock

        package init(_ clock: any TriggerClock) { self.clock = clock }

        /// The machine's clocks. A request that becomes due during suspend fires when the machine resumes.
        public static let system = Clock(SystemTriggerClock())
    }
}
