public import Belfry
public import BelfryRecurrence
public import FoundationEssentials
import Synchronization

/// A clock that stands still until a test moves it.
///
/// ``advance(by:)`` stops at every deadline on the way, wakes who waits for it, and returns when all that began then is
/// done: by handshake, with the center's own. Nothing sleeps, yields or polls,
/// so that ten years pass in as much time as the work of ten years takes, and the same test does the same each time.
///
/// ```swift
/// let clock = ManualTriggerClock()
/// let center = NoticeCenter(app: app, backend: recorder, clock: .manual(clock))
/// // … add a request that is due in an hour, and run the center …
/// try await clock.advance(by: .seconds(3600))
/// try recorder.expectDelivery(of: "tea")
/// ```
///
/// Calls that move time take turns; each may be cancelled, and leaves the time where it had come to. A listener that
/// does not become quiet within ``patience`` of real time makes them throw ``ManualClockError``, which names it.
public final class ManualTriggerClock: TriggerClock {
    /// How long one wake may take in real time.
    public var patience: Duration { state.withLock { $0.patience } }
    /// How many wakes without time moving are taken for an endless loop.
    public let wakesPerInstant: Int
    /// Never held while a listener is called or a continuation resumed.
    let state: Mutex<ManualClockState>

    /// - Parameters:
    ///   - start: The wall clock; 15 January 2027, 8:00:00 UTC where nothing is said.
    ///   - boot: How long the machine has been running.
    ///   - zone: The system's time zone; UTC where nothing is said, so that a test does the same on every machine. Give
    ///     it `.system()` where the app computes with `Calendar.current` or `TimeZone.current`.
    ///   - patience: How long one wake may take in real time before the listener is given up.
    ///   - wakesPerInstant: How many wakes without time moving are given before an endless loop is reported.
    public init(
        at start: Date = Date(timeIntervalSince1970: 1_800_000_000),
        boot: Duration = .seconds(1000),
        zone: ZoneRules = .utc,
        patience: Duration = .seconds(20),
        wakesPerInstant: Int = 1_000_000
    ) {
        self.wakesPerInstant = wakesPerInstant
        let instant = TriggerInstant(wall: start.microsecondsSince1970, boot: boot.microseconds)
        state = Mutex(ManualClockState(now: instant, zone: zone, patience: patience))
    }

    package func now() -> TriggerInstant { state.withLock { $0.now } }
    /// The wall clock.
    public var date: Date { now().date }
    package var bootID: String { state.withLock { "manual-boot-\($0.boots)" } }
    package func systemZone() -> ZoneRules { state.withLock { $0.zone } }
    /// Whether the kernel would say that the wall clock is synchronised; true until a test says otherwise.
    public var isSynchronized: Bool {
        get { state.withLock { $0.isSynchronized } }
        set { state.withLock { $0.isSynchronized = newValue } }
    }
    /// How often a listener was woken since the clock was made.
    public var wakes: Int { state.withLock { $0.wakes } }

    package func makeAlarm() throws(NoticeError) -> any WakeAlarm {
        ManualAlarm(clock: self, id: state.withLock { $0.addAlarm() })
    }

    /// Moves both clocks on, stopping at every deadline on the way.
    public func advance(by duration: Duration) async throws(ManualClockError) {
        guard duration >= .zero else {
            throw ManualClockError(
                .intoThePast,
                "The clock can't advance by \(duration.seconds) s: time moves forward. Use set(wall:) to set the "
                    + "wall clock back."
            )
        }
        try await drive { [self] () async throws(ManualClockError) in
            let target = state.withLock { ManualClockState.sum($0.now.boot, duration.microseconds) }
            try await wakeAllDue(until: target)
        }
    }

    /// Moves both clocks on until the wall clock shows `date`.
    public func advance(to date: Date) async throws(ManualClockError) {
        try await drive { [self] () async throws(ManualClockError) in
            let (now, target) = state.withLock { ($0.now, $0.boot(when: date.microsecondsSince1970)) }
            guard target >= now.boot else {
                throw ManualClockError(
                    .intoThePast,
                    "The clock can't advance to \(date), it shows \(now.date): time moves forward. Use set(wall:) to "
                        + "set the wall clock back."
                )
            }
            try await wakeAllDue(until: target)
        }
    }

    /// Returns when everything that is due has been done and the world is quiet.
    public func settle() async throws(ManualClockError) { try await advance(by: .zero) }

    /// The wall clock is set, forward or back; the boot clock does not move. Every alarm is told.
    public func set(wall date: Date) async throws(ManualClockError) {
        try await change(.clockSet) { $0.now.wall = date.microsecondsSince1970 }
    }

    /// The machine sleeps: both clocks move on, and what was due meanwhile is woken at the end.
    public func suspend(for duration: Duration) async throws(ManualClockError) {
        guard duration >= .zero else {
            throw ManualClockError(.intoThePast, "The machine can't sleep for \(duration.seconds) s.")
        }
        try await change(nil) { $0.move(by: duration.microseconds) }
    }

    /// The system's time zone changes. Every alarm is told.
    public func changeZone(to zone: ZoneRules) async throws(ManualClockError) {
        try await change(.zoneChanged) { $0.zone = zone }
    }

    /// The machine starts anew: the boot clock begins at zero under another boot identifier, and the wall clock has
    /// gone on by `duration`. Throws while an alarm is running: a process does not outlive this, so stop its center
    /// first.
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
