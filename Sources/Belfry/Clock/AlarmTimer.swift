import CLinuxClock
import FoundationEssentials
import Glibc

/// The timer of one alarm, on the wall clock, whose owner must call ``close()`` exactly once.
///
/// One timer is enough for deadlines on both clocks. The wall clock and the boot clock run at the same rate, so a
/// deadline on the boot clock has a wall time. That time changes only when the wall clock is set, which wakes the timer.
struct AlarmTimer: Sendable {
    let descriptor: Int32

    init() throws(NoticeError) {
        descriptor = belfry_clock_timer_open()
        guard descriptor >= 0 else { throw .kernel("A timer", -descriptor) }
        do throws(NoticeError) { _ = try arm(nil) } catch {
            close()
            throw error
        }
    }

    func close() { _ = Glibc.close(descriptor) }

    /// Arms the timer for the nearer deadline, or only for the wall clock being set.
    ///
    /// - Returns: True if the wall clock was set since the last call. The timer is armed nevertheless.
    func arm(_ deadline: WakeDeadline?) throws(NoticeError) -> Bool {
        let time = deadline?.wallTime(at: SystemTriggerClock.read()) ?? .max
        let status = belfry_clock_timer_arm(descriptor, belfry_clock_time(microseconds: time))
        let wasSet = status == -ECANCELED
        guard status >= 0 || wasSet else { throw .kernel("Arming a timer", -status) }
        return wasSet
    }

    /// Makes the timer unreadable. Returns true if the wall clock was set.
    func read() throws(NoticeError) -> Bool {
        let status = belfry_clock_timer_read(descriptor)
        guard status >= 0 else { throw .kernel("Reading a timer", -status) }
        return status == BELFRY_CLOCK_TIMER_CLOCK_SET
    }
}

extension WakeDeadline {
    /// Returns when the nearer deadline is due on the wall clock, if nobody sets it.
    fileprivate func wallTime(at now: TriggerInstant) -> Int64 {
        // The readings are rounded down: a microsecond more, and the timer does not expire before the deadline.
        let offset = now.wall - now.boot + 1
        // A deadline may have any value; one that overflows is too far in the future to come.
        let (converted, isFar) = (boot ?? .max).addingReportingOverflow(offset)
        return min(wall ?? .max, isFar ? .max : converted)
    }
}

extension NoticeError {
    /// The error for a failed kernel call, with its errno.
    package static func kernel(_ what: String, _ number: Int32) -> NoticeError {
        NoticeError(
            .systemFailure,
            "\(what) failed. Look for descriptors that are not closed, and at ulimit -n.",
            cause: String(cString: strerror(number))
        )
    }
}
