package import BelfryRecurrence
import CLinuxClock
import FoundationEssentials

/// The machine's clocks, with alarms through timerfd.
///
/// The wall clock is CLOCK_REALTIME. The boot clock is CLOCK_BOOTTIME, which counts suspend and never jumps. An alarm
/// fires at its deadline or later, never before. It arms a timer only for the nearest deadline; without one it causes
/// no wake-ups. The kernel reports when the wall clock is set (timerfd_create(2), TFD_TIMER_CANCEL_ON_SET). A change of
/// the zone is found by watching the directory of `localtime`; all alarms of a process share that watch.
package struct SystemTriggerClock: TriggerClock {
    package let bootID: String
    private let zones: ZoneWatch

    package init() { self.init(zones: .shared) }

    init(zones: ZoneWatch) {
        self.zones = zones
        bootID = Self.readBootID()
    }

    package func now() -> TriggerInstant { Self.read() }

    /// False if the kernel does not report it.
    package var isSynchronized: Bool { belfry_clock_is_synchronized() > 0 }

    package func systemZone() -> ZoneRules { ZoneRules.system() }

    /// Throws ``NoticeError/Code/systemFailure`` if descriptors have run out. Without inotify instances (128 per user
    /// on many systems), changes of the zone are found later.
    package func makeAlarm() throws(NoticeError) -> any WakeAlarm { try SystemAlarm(zones: zones) }

    /// Reads both clocks at one instant, rounded down: a deadline that is reached by a reading has really passed.
    static func read() -> TriggerInstant {
        var reading = belfry_clock_reading()
        let status = belfry_clock_read(&reading)
        // Both clocks have existed since Linux 2.6.39. Without them a caller could do nothing.
        precondition(status == 0, "the kernel has no CLOCK_REALTIME or no CLOCK_BOOTTIME (error \(-status))")
        return TriggerInstant(wall: reading.wall.microseconds, boot: reading.boot.microseconds)
    }

    private static func readBootID() -> String {
        let text = (try? RegularFile.bytes(of: "/proc/sys/kernel/random/boot_id", limit: 64)) ?? []
        let id = String(String(decoding: text, as: UTF8.self).trimmed)
        // Without /proc a restart can't be detected. With a unique ID a later process converts stored boot readings
        // through the wall clock, as after a restart.
        return id.isEmpty ? UUID().uuidString.lowercased() : id
    }
}

extension belfry_clock_time {
    /// The time in microseconds, rounded down.
    fileprivate var microseconds: Int64 { seconds * 1_000_000 + Int64(nanoseconds) / 1000 }

    init(microseconds: Int64) {
        let (whole, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        // The shim requires nonnegative nanoseconds, even before 1970.
        self.init(
            seconds: rest < 0 ? whole - 1 : whole,
            nanoseconds: Int32((rest < 0 ? rest + 1_000_000 : rest) * 1000)
        )
    }
}
