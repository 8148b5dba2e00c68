public import Belfry
public import BelfryRecurrence
public import FoundationEssentials

/// A clock whose time stands still until a test moves it.
///
/// ``advance(by:)`` stops at every deadline on the way and wakes its listener. It returns when all resulting work is
/// done, by handshake with the center. A test needs no sleep, yield or poll. Ten years take only the time of their
/// work, and a test behaves the same each time.
///
/// ```swift
/// let clock = ManualTriggerClock()
/// let recorder = RecorderBackend()
/// let center = NoticeCenter(app: app, backend: recorder, clock: .manual(clock))
/// // … add a request that is due in an hour, and run the center …
/// try await clock.advance(by: .seconds(3600))
/// try recorder.expectDelivery(of: "tea")
/// ```
///
/// Calls that move time take turns. A canceled call leaves the time where it was reached. If a listener does not
/// become quiet within ``patience`` of real time, they throw a ``ManualClockError`` that names it.
public final class ManualTriggerClock: TriggerClock {
    /// The real time that one wake-up may take.
    public var patience: Duration { state.withLock { $0.patience } }
    /// The number of wake-ups without time advancing that counts as an endless loop.
    public let wakesPerInstant: Int
    /// Never locked while a listener is called.
    let state: AwaitedState<ManualClockState>

    /// Creates a clock that stands still.
    ///
    /// - Parameters:
    ///   - date: The wall clock; by default 15 January 2027, 8:00:00 UTC.
    ///   - boot: The time since the machine started.
    ///   - zone: The system's time zone; by default UTC, so that a test behaves the same on every machine. Pass
    ///     `.system()` if the app computes with `Calendar.current` or `TimeZone.current`.
    ///   - patience: The real time that one wake-up may take before the call fails.
    ///   - wakesPerInstant: The number of wake-ups without time advancing before an endless loop is reported.
    public init(
        date: Date = Date(timeIntervalSince1970: 1_800_000_000),
        boot: Duration = .seconds(1000),
        zone: ZoneRules = .utc,
        patience: Duration = .seconds(60),
        wakesPerInstant: Int = 1_000_000
    ) {
        self.wakesPerInstant = wakesPerInstant
        let instant = TriggerInstant(wall: date.microsecondsSince1970, boot: boot.microseconds)
        state = AwaitedState(ManualClockState(now: instant, zone: zone, patience: patience))
        // Waits look at the real time when the state is touched, at the latest by this task. It is on Swift's pool,
        // because a listener may block the centers' thread, which has the other timers.
        Task { [weak state] in
            while let patience = state?.withLock({ $0.patience }) {
                try? await Task.sleep(for: min(max(patience / 4, .milliseconds(10)), .seconds(60)))
            }
        }
    }

    package func now() -> TriggerInstant { state.withLock { $0.now } }
    /// The wall clock.
    public var date: Date { now().date }
    package var bootID: String { state.withLock { "manual-boot-\($0.boots)" } }
    package func systemZone() -> ZoneRules { state.withLock { $0.zone } }
    /// Whether the kernel reports the wall clock as synchronized; true until a test changes it.
    public var isSynchronized: Bool {
        get { state.withLock { $0.isSynchronized } }
        set { state.withLock { $0.isSynchronized = newValue } }
    }
    /// The number of wake-ups since the clock was made.
    public var wakes: Int { state.withLock { $0.wakes } }

    package func makeAlarm() throws(NoticeError) -> any WakeAlarm {
        ManualAlarm(of: state)
    }

    /// Advances both clocks, stopping at every deadline on the way.
    ///
    /// - Throws: ``ManualClockError/Code/intoThePast`` for a negative duration, ``ManualClockError/Code/notQuiet``,
    ///   ``ManualClockError/Code/endlessWakes`` and ``ManualClockError/Code/cancelled``; all permanent.
    public func advance(by duration: Duration) async throws(ManualClockError) {
        try await advance("by \(duration.seconds) s") { ManualClockState.sum($0.now.boot, duration.microseconds) }
    }

    /// Advances both clocks until the wall clock shows `date`.
    ///
    /// - Throws: ``ManualClockError/Code/intoThePast`` for an earlier date; else the errors of ``advance(by:)``, all
    ///   permanent.
    public func advance(to date: Date) async throws(ManualClockError) {
        try await advance("to \(date)") { $0.boot(when: date.microsecondsSince1970) }
    }

    /// Returns when all due work is done and all listeners are quiet.
    ///
    /// - Throws: ``ManualClockError/Code/notQuiet``, ``ManualClockError/Code/endlessWakes`` and
    ///   ``ManualClockError/Code/cancelled``; all permanent.
    public func settle() async throws(ManualClockError) { try await advance(by: .zero) }

    /// Sets the wall clock forward or back; the boot clock does not change. Every alarm is notified.
    ///
    /// - Throws: The errors of ``settle()``, all permanent.
    public func set(wall date: Date) async throws(ManualClockError) {
        try await change(.clockSet) { $0.now.wall = date.microsecondsSince1970 }
    }

    /// Suspends the machine: both clocks advance, and alarms that became due are woken at the end.
    ///
    /// - Throws: ``ManualClockError/Code/intoThePast`` for a negative duration; else the errors of ``settle()``, all
    ///   permanent.
    public func suspend(for duration: Duration) async throws(ManualClockError) {
        guard duration >= .zero else {
            throw ManualClockError(.intoThePast, "The machine can't sleep for \(duration.seconds) s.")
        }
        try await change(nil) { $0.move(by: duration.microseconds) }
    }

    /// Changes the system's time zone. Every alarm is notified.
    ///
    /// - Throws: The errors of ``settle()``, all permanent.
    public func changeZone(to zone: ZoneRules) async throws(ManualClockError) {
        try await change(.zoneChanged) { $0.zone = zone }
    }

    /// Reboots the machine: the boot clock restarts at zero with a new boot identifier, and the wall clock advances by
    /// `duration`.
    ///
    /// - Throws: ``ManualClockError/Code/stillRunning`` if an alarm is running: a process does not survive a reboot, so
    ///   stop its center first. ``ManualClockError/Code/cancelled`` if the task is canceled. Both are permanent.
    public func reboot(taking duration: Duration = .seconds(30)) async throws(ManualClockError) {
        try await drive { [self] () async throws(ManualClockError) in
            let isPossible = state.withLock { state in
                guard state.running.isEmpty else { return false }
                state.reboot(taking: duration.microseconds)
                return true
            }
            guard isPossible else {
                throw ManualClockError(
                    .stillRunning,
                    "The machine can't reboot while an alarm runs: stop the center first."
                )
            }
        }
    }
}

extension NoticeCenter.Clock {
    /// A clock that a test moves.
    public static func manual(_ clock: ManualTriggerClock) -> NoticeCenter.Clock { NoticeCenter.Clock(clock) }
}
