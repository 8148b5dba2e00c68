package import BelfryRecurrence
import CLinuxClock
import FoundationEssentials

/// The machine's clocks, waited for through timerfd.
///
/// The wall clock is CLOCK_REALTIME, the boot clock CLOCK_BOOTTIME, which counts the time spent suspended and never
/// jumps. An alarm fires at its deadline or after, never before. It holds no timer but that of the nearest deadline,
/// and with none it causes no wake-ups at all. It learns of a wall clock that is set from the kernel
/// (timerfd_create(2), TFD_TIMER_CANCEL_ON_SET), and of another time zone from the folder that holds `localtime`, which
/// all alarms of a process watch together.
package struct SystemTriggerClock: TriggerClock {
    package let bootID: String
    private let zones: ZoneWatch

    /// - Parameters:
    ///   - zoneFolder: Where `localtime` stands.
    ///   - zoneDataFolder: Where the zone data stands; its update is told of like a change of zone.
    package init(zoneFolder: String = "/etc", zoneDataFolder: String = "/usr/share/zoneinfo") {
        self.init(zones: .shared(for: [zoneFolder, zoneDataFolder]))
    }

    init(zones: ZoneWatch) {
        self.zones = zones
        bootID = Self.readBootID()
    }

    package func now() -> TriggerInstant { Self.read() }

    /// A kernel that doesn't answer has not said so.
    package var isSynchronized: Bool { belfry_clock_is_synchronised() > 0 }

    package func systemZone() -> ZoneRules { ZoneRules.system() }

    /// Throws ``NoticeError/Code/systemFailure`` where descriptors have run out. Without inotify instances, of which a
    /// user has 128 on many systems, a change of zone is learned of later.
    package func makeAlarm() throws(NoticeError) -> any WakeAlarm { try SystemAlarm(zones: zones) }

    /// Both clocks at one instant, rounded down: a deadline that a reading has reached has truly come.
    static func read() -> TriggerInstant {
        var reading = belfry_clock_reading()
        let status = belfry_clock_read(&reading)
        // Both clocks have existed since Linux 2.6.39; without them there is nothing that a caller could do.
        precondition(status == 0, "the kernel has no CLOCK_REALTIME or no CLOCK_BOOTTIME (error \(-status))")
        return TriggerInstant(wall: reading.wall.microseconds, boot: reading.boot.microseconds)
    }

    private static func readBootID() -> String {
        let text = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
        let id = text?.filter { !$0.isWhitespace } ?? ""
        // Without /proc nobody knows whether the machine was restarted; a name of its own makes a later process take
        // stored boot readings through the wall clock, as after a restart.
        return id.isEmpty ? UUID().uuidString.lowercased() : id
    }
}

extension belfry_clock_time {
    /// Rounded down.
    fileprivate var microseconds: Int64 { seconds * 1_000_000 + Int64(nanoseconds) / 1000 }

    init(microseconds: Int64) {
        let (whole, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        // The shim wants nanoseconds of 0 or more, also before 1970.
        self.init(
            seconds: rest < 0 ? whole - 1 : whole,
            nanoseconds: Int32((rest < 0 ? rest + 1_000_000 : rest) * 1000)
        )
    }
}
