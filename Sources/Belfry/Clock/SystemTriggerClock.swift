package import BelfryRecurrence
import CLinux
import FoundationEssentials
import Glibc

/// The machine's clocks, with alarms through timerfd.
///
/// The wall clock is CLOCK_REALTIME. The boot clock is CLOCK_BOOTTIME, which counts suspend and never jumps. An alarm
/// wakes its listener at the deadline or later, never before. It arms a timer only for the nearest deadline; without
/// one it causes no wake-ups. The kernel reports when the wall clock is set (timerfd_create(2),
/// TFD_TIMER_CANCEL_ON_SET). A change of the zone is found by watching the directory of `localtime`; all alarms of a
/// process share that watch.
package struct SystemTriggerClock: TriggerClock {
    package let bootID: String
    private let zones: ZoneWatch

    package init() { self.init(zones: .shared) }

    init(zones: ZoneWatch) {
        self.zones = zones
        bootID = Self.readBootID()
    }

    package func now() -> TriggerInstant { Self.read() }

    /// False if the kernel does not report it (adjtimex(2)).
    package var isSynchronized: Bool {
        var state = timex()
        return adjtimex(&state) >= 0 && state.status & STA_UNSYNC == 0
    }

    package func systemZone() -> ZoneRules { ZoneRules.system() }

    /// Throws ``NoticeError/Code/systemFailure`` if descriptors have run out. Without inotify instances (128 per user
    /// on many systems), changes of the zone are found later.
    package func makeAlarm() throws(NoticeError) -> any WakeAlarm { try SystemAlarm(zones: zones) }

    /// Reads both clocks at one instant, rounded down: a deadline that is reached by a reading has really passed.
    ///
    /// The boot clock is read before and after the wall clock, and the middle counts. If the thread was interrupted
    /// there, it tries again, up to 8 times in all, and keeps the closest pair.
    static func read() -> TriggerInstant {
        var (closest, instant) = (Int64.max, TriggerInstant(wall: 0, boot: 0))
        for _ in 0..<8 where closest > 20_000 {
            let (before, wall, after) = (
                nanoseconds(CLOCK_BOOTTIME), nanoseconds(CLOCK_REALTIME), nanoseconds(CLOCK_BOOTTIME)
            )
            let width = after - before
            guard width < closest else { continue }
            (closest, instant) = (width, TriggerInstant(wall: wall / 1_000, boot: (before + width / 2) / 1_000))
        }
        return instant
    }

    /// The kernel counts nanoseconds in 64 bits, too, and no clock of it is negative.
    private static func nanoseconds(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        let status = clock_gettime(clock, &time)
        // Both clocks have existed since Linux 2.6.39. Without them a caller could do nothing.
        precondition(status == 0, "the kernel has no clock \(clock) (error \(errno))")
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    private static func readBootID() -> String {
        let text = (try? RegularFile.bytes(of: "/proc/sys/kernel/random/boot_id", limit: 64)) ?? []
        let id = String(String(decoding: text, as: UTF8.self).trimmed)
        // Without /proc a restart can't be detected. With a unique ID a later process converts stored boot readings
        // through the wall clock, as after a restart.
        return id.isEmpty ? UUID().uuidString.lowercased() : id
    }
}
