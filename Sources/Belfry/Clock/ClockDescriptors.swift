import CLinuxClock
import FoundationEssentials
import Glibc

/// The descriptors of one alarm: a timer on each clock. The owner must call ``close()`` exactly once.
struct ClockDescriptors: Sendable {
    enum Side { case wall, boot }

    let wallTimer: Int32
    let bootTimer: Int32

    init() throws(NoticeError) {
        var opened: [Int32] = []
        func keep(_ descriptor: Int32, _ what: String) throws(NoticeError) -> Int32 {
            guard descriptor >= 0 else {
                for one in opened { _ = Glibc.close(one) }
                throw NoticeError.kernel(what, -descriptor)
            }
            opened.append(descriptor)
            return descriptor
        }
        wallTimer = try keep(belfry_clock_timer_open(BELFRY_CLOCK_WALL), "A timer on the wall clock")
        bootTimer = try keep(belfry_clock_timer_open(BELFRY_CLOCK_BOOT), "A timer on the boot clock")
        _ = belfry_clock_timer_arm_for_sets(wallTimer)
    }

    var timers: [(side: Side, descriptor: Int32)] { [(.wall, wallTimer), (.boot, bootTimer)] }

    func close() {
        for timer in timers { _ = Glibc.close(timer.descriptor) }
    }

    /// Arms the timer with the nearer deadline. The clocks run at the same rate, so that deadline stays the nearer one
    /// until the wall clock is set, which wakes the wall timer.
    ///
    /// - Returns: True if the wall clock was set since the last call.
    func arm(_ deadline: WakeDeadline?) throws(NoticeError) -> Bool {
        var wallStatus: Int32 = 0
        var bootStatus: Int32 = 0
        switch deadline?.nearer(at: SystemTriggerClock.read()) {
        case (.wall, let time)?:
            wallStatus = belfry_clock_timer_arm(wallTimer, belfry_clock_time(microseconds: time), true)
            bootStatus = belfry_clock_timer_disarm(bootTimer)
        case (.boot, let time)?:
            wallStatus = belfry_clock_timer_arm_for_sets(wallTimer)
            bootStatus = belfry_clock_timer_arm(bootTimer, belfry_clock_time(microseconds: time), false)
        case nil:
            wallStatus = belfry_clock_timer_arm_for_sets(wallTimer)
            bootStatus = belfry_clock_timer_disarm(bootTimer)
        }
        let wasSet = wallStatus == -ECANCELED
        guard wallStatus >= 0 || wasSet else { throw .kernel("Arming the timer on the wall clock", -wallStatus) }
        guard bootStatus >= 0 else { throw .kernel("Arming the timer on the boot clock", -bootStatus) }
        return wasSet
    }

    /// Reads a timer. Returns true if the wall clock was set.
    func readTimer(_ timer: Int32) throws(NoticeError) -> Bool {
        let status = belfry_clock_timer_read(timer)
        guard status >= 0 else { throw .kernel("Reading a timer", -status) }
        return status == BELFRY_CLOCK_TIMER_CLOCK_SET
    }
}

extension WakeDeadline {
    /// Returns the clock of the nearer deadline, and the deadline on that clock.
    fileprivate func nearer(at now: TriggerInstant) -> (ClockDescriptors.Side, Int64) {
        guard let wall else { return (.boot, boot ?? .max) }
        guard let boot else { return (.wall, wall) }
        // Saturating, because a deadline may have any value.
        let wallLeft = wall.subtractingReportingOverflow(now.wall)
        let bootLeft = boot.subtractingReportingOverflow(now.boot)
        let isWall =
            (wallLeft.overflow ? .max : wallLeft.partialValue) <= (bootLeft.overflow ? .max : bootLeft.partialValue)
        return isWall ? (.wall, wall) : (.boot, boot)
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
