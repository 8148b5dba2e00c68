import CLinux
import FoundationEssentials
import Glibc

/// The timer of one alarm, on the wall clock, whose owner must call ``close()`` exactly once.
///
/// One timer is enough for deadlines on both clocks. The wall clock and the boot clock run at the same rate, so a
/// deadline on the boot clock has a wall time. That time changes only when the wall clock is set, which wakes the
/// timer.
///
/// The timer expires ``headStart`` before the deadline, and ``waitOut(_:)`` waits for the rest without sleeping: a
/// processor takes about as long to wake up.
struct AlarmTimer: Sendable {
    /// Microseconds. On a virtual machine, a processor was found to take 80 to 170 to wake up.
    static let headStart: Int64 = 200
    /// A nearer deadline gets no head start: the processor is awake, and others may need it.
    private static let shortWait: Int64 = 1_000

    let descriptor: Int32

    init() throws(NoticeError) {
        descriptor = timerfd_create(CLOCK_REALTIME, Int32(TFD_NONBLOCK) | Int32(TFD_CLOEXEC))
        guard descriptor >= 0 else { throw .kernel("A timer", errno) }
        do throws(NoticeError) { _ = try arm(nil) } catch {
            close()
            throw error
        }
    }

    func close() { _ = Glibc.close(descriptor) }

    /// Arms the timer for the nearer deadline, or only for the wall clock being set (timerfd_create(2)).
    ///
    /// - Returns: True if the wall clock was set since the last call. The timer is armed nevertheless.
    func arm(_ deadline: WakeDeadline?) throws(NoticeError) -> Bool {
        let now = SystemTriggerClock.read()
        var time = deadline?.wallTime(at: now) ?? .max
        if time > now.wall + Self.shortWait { time -= Self.headStart }
        var value = itimerspec()
        value.it_value = timespec(tv_sec: Int(time / 1_000_000), tv_nsec: Int(time % 1_000_000) * 1_000)
        let flags = Int32(TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET)
        guard timerfd_settime(descriptor, flags, &value, nil) < 0 else { return false }
        guard errno == ECANCELED else { throw .kernel("Arming a timer", errno) }
        return true
    }

    /// Returns when the deadline has passed, or at once if it is farther away than the head start.
    func waitOut(_ deadline: WakeDeadline) {
        var rest: Int64
        repeat {
            let now = SystemTriggerClock.read()
            rest = deadline.wallTime(at: now) - now.wall
        } while rest > 0 && rest <= Self.headStart
    }

    /// Makes the timer unreadable. Returns true if the wall clock was set.
    func read() throws(NoticeError) -> Bool {
        var expirations: UInt64 = 0
        while Glibc.read(descriptor, &expirations, MemoryLayout<UInt64>.size) < 0 {
            switch errno {
            case EINTR: continue
            case EAGAIN: return false
            case ECANCELED: return true
            default: throw .kernel("Reading a timer", errno)
            }
        }
        return false
    }
}

extension WakeDeadline {
    /// Returns when the nearer deadline is due on the wall clock, if nobody sets it; for a time before 1970, the first
    /// instant after it. Such a timer expires at once, and zero would disarm it.
    fileprivate func wallTime(at now: TriggerInstant) -> Int64 {
        // The readings are rounded down: a microsecond more, and the timer does not expire before the deadline.
        let offset = now.wall - now.boot + 1
        // A deadline may have any value; one that overflows is too far in the future to come.
        let (converted, isFar) = (boot ?? .max).addingReportingOverflow(offset)
        return max(1, min(wall ?? .max, isFar ? .max : converted))
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
