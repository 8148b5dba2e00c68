import Belfry
import BelfryRecurrence

/// The state of a manual clock. It is changed only under the clock's lock.
struct ManualClockState: Sendable {
    struct Alarm: Sendable {
        enum Phase: Sendable {
            /// The alarm is not running yet; calls that move time wait until it is.
            case made
            case running(any WakeListener)
            case ended
        }

        var phase = Phase.made
        var deadline: WakeDeadline?
        /// The wake-up that the listener has not handled completely yet.
        var wake: WakeReason?

        var isRunning: Bool { if case .running = phase { true } else { false } }
        var isAwaited: Bool { if case .made = phase { true } else { wake != nil } }
    }

    var now: TriggerInstant
    var zone: ZoneRules
    var boots = 1
    var isSynchronized = true
    var wakes = 0
    /// The alarms by id; ids ascend in the order of creation.
    var alarms: [UInt64: Alarm] = [:]
    var lastID: UInt64 = 0

    /// The calls that move time, in the order in which they came: the first one does, the others wait.
    var turns: [UInt64] = []
    /// The number of quiet requests that have begun.
    var quietBegun = 0
    var quietFinished = 0

    /// The real time that one wait may take.
    var patience: Duration

    init(now: TriggerInstant, zone: ZoneRules, patience: Duration) {
        self.now = now
        self.zone = zone
        self.patience = patience
    }

    mutating func makeID() -> UInt64 {
        lastID += 1
        return lastID
    }

    mutating func addAlarm() -> UInt64 {
        let id = makeID()
        alarms[id] = Alarm()
        return id
    }

    /// The listeners of running alarms, in the order in which the alarms were made.
    var running: [(id: UInt64, listener: any WakeListener)] {
        var all: [(id: UInt64, listener: any WakeListener)] = []
        for (id, alarm) in alarms { if case .running(let listener) = alarm.phase { all.append((id, listener)) } }
        if all.count > 1 { all.sort { $0.id < $1.id } }
        return all
    }

    var isEveryAlarmIdle: Bool { alarms.allSatisfy { !$0.value.isAwaited } }

    /// Returns the alarm with the earliest deadline and the microseconds until then, 0 if it has passed.
    func earliest() -> (id: UInt64, remaining: Int64)? {
        var best: (id: UInt64, remaining: Int64)?
        for (id, alarm) in alarms {
            guard alarm.isRunning, let deadline = alarm.deadline else { continue }
            let wall = deadline.wall.map { Self.difference($0, now.wall) } ?? .max
            let boot = deadline.boot.map { Self.difference($0, now.boot) } ?? .max
            let remaining = max(0, min(wall, boot))
            if let known = best, (known.remaining, known.id) < (remaining, id) { continue }
            best = (id, remaining)
        }
        return best
    }

    mutating func wake(_ id: UInt64, _ reason: WakeReason) {
        guard alarms[id]?.isRunning == true else { return }
        wakes += 1
        alarms[id]?.wake = reason
    }

    mutating func move(by microseconds: Int64) {
        now.wall = Self.sum(now.wall, microseconds)
        now.boot = Self.sum(now.boot, microseconds)
    }

    /// Returns the reading of the boot clock when the wall clock shows `wall`.
    func boot(when wall: Int64) -> Int64 { Self.sum(now.boot, Self.difference(wall, now.wall)) }

    mutating func reboot(taking microseconds: Int64) {
        now.wall = Self.sum(now.wall, microseconds)
        now.boot = 0
        boots += 1
    }

    /// Returns the sum, clamped to the range of `Int64`: a test may use the end of time.
    static func sum(_ left: Int64, _ right: Int64) -> Int64 {
        let (sum, overflow) = left.addingReportingOverflow(right)
        return overflow ? (right < 0 ? .min : .max) : sum
    }

    static func difference(_ left: Int64, _ right: Int64) -> Int64 {
        let (difference, overflow) = left.subtractingReportingOverflow(right)
        return overflow ? (right < 0 ? .max : .min) : difference
    }
}
