public import Belfry
import FoundationEssentials
import Synchronization

/// Replays a track as if this machine were moving along it: for tests and demonstrations.
///
/// The journey begins with the first run and continues on CLOCK_BOOTTIME even while nothing runs: a later run reports
/// the current position at once. After a suspend it behaves like a receiver: positions reached more than 10 s ago are
/// skipped, except the last one if no later one follows. Each position is reported with the wall clock's date at which
/// it is reached, not the recorded one. A recorded time that goes backwards counts as the time before it. Demands have
/// no effect. Nothing is reported after the last position.
///
/// It waits on a center's clock, so that a test can advance it:
///
/// ```swift
/// let clock = ManualTriggerClock()
/// let provider = try ReplayLocationProvider(file: "/home/me/walk.gpx", clock: .manual(clock))
/// // … a center with this clock and this provider …
/// try await clock.advance(by: .seconds(600))
/// ```
public final class ReplayLocationProvider: LocationProvider {
    public let name = "replay"
    public var mayBlock: Bool { false }
    fileprivate let fixes: [LocationFix]
    fileprivate let speed: Double
    fileprivate let clock: any TriggerClock
    /// The start of the journey on CLOCK_BOOTTIME, in microseconds.
    private let departure = Mutex<Int64?>(nil)

    /// Creates a provider that replays location fixes.
    ///
    /// - Parameters:
    ///   - fixes: The positions in the order of travel.
    ///   - speed: The factor by which to accelerate the recording; 1 is the recorded speed.
    ///   - clock: The clock of the journey; use the center's.
    /// - Throws: ``Belfry/NoticeError/Code/invalidInterval`` for a speed that is not above zero, and
    ///   ``Belfry/NoticeError/Code/invalidNotation`` for a track without a position; both permanent.
    public init(
        _ fixes: [LocationFix],
        speed: Double = 1,
        clock: NoticeCenter.Clock = .system
    ) throws(NoticeError) {
        guard speed > 0, speed.isFinite else {
            throw NoticeError(
                .invalidInterval,
                "A track can't be played \(speed) times as fast: give a number above zero."
            )
        }
        guard !fixes.isEmpty else {
            throw NoticeError(.invalidNotation, "The track has no position: there is nothing to play.")
        }
        self.fixes = fixes
        self.speed = speed
        self.clock = clock.clock
    }

    /// Replays a GPX or NMEA file. Also throws the errors of ``LocationTrack``, permanent until the file is corrected.
    public convenience init(
        file path: String,
        pace: TrackPace = TrackPace(),
        speed: Double = 1,
        clock: NoticeCenter.Clock = .system
    ) throws(NoticeError) {
        try self.init(LocationTrack(contentsOf: path, pace: pace).fixes, speed: speed, clock: clock)
    }

    public func run(
        demands: LocationDemand.Updates,
        reporting report: @escaping @Sendable (LocationFix) -> Void
    ) async throws(NoticeError) {
        let alarm = try clock.makeAlarm()
        let departure = departure.withLock { departure in
            let began = departure ?? clock.now().boot
            departure = began
            return began
        }
        let journey = Journey(of: self, departure, alarm, report)
        journey.arrive()
        try await alarm.run(waking: journey)
    }
}

/// One run along the track.
private final class Journey: WakeListener {
    private let provider: ReplayLocationProvider
    private let departure: Int64
    private let alarm: any WakeAlarm
    private let report: @Sendable (LocationFix) -> Void
    private let place = Mutex(Place())

    /// The longest lag in microseconds. A longer one means that the machine was suspended at the time.
    private static let longestLag: Int64 = 10_000_000

    private struct Place {
        /// The number of positions that were passed.
        var passed = 0
        /// The latest time in the track so far.
        var latest = -Double.infinity
        var isUnderWay = false
    }

    init(
        of provider: ReplayLocationProvider,
        _ departure: Int64,
        _ alarm: any WakeAlarm,
        _ report: @escaping @Sendable (LocationFix) -> Void
    ) {
        (self.provider, self.departure) = (provider, departure)
        (self.alarm, self.report) = (alarm, report)
    }

    func woke(_ reason: WakeReason) { arrive() }
    func processedWakeUps() async {}
    func quiet() async {}

    /// Reports positions that have been reached, and sets the alarm for the next. Of those passed before this run or
    /// during a suspend, only the last is reported.
    func arrive() {
        let now = provider.clock.now()
        let fixes = provider.fixes
        let reached = place.withLock { place -> [LocationFix] in
            var reached: [LocationFix] = []
            var wasAsleep = false
            while place.passed < fixes.count {
                let due = due(place)
                guard due <= now.boot else { break }
                var fix = fixes[place.passed]
                place.latest = max(place.latest, fix.date.timeIntervalSinceReferenceDate)
                place.passed += 1
                let wall = now.wall.subtractingReportingOverflow(now.boot - due)
                fix.date = TriggerInstant(wall: wall.overflow ? now.wall : wall.partialValue, boot: due).date
                if !place.isUnderWay || wasAsleep { reached = [] }
                reached.append(fix)
                wasAsleep = now.boot - due > Self.longestLag
            }
            place.isUnderWay = true
            alarm.set(place.passed < fixes.count ? WakeDeadline(wall: nil, boot: due(place)) : nil)
            return reached
        }
        for fix in reached { report(fix) }
    }

    /// The time on CLOCK_BOOTTIME at which a position is reached.
    private func due(_ place: Place) -> Int64 {
        let fixes = provider.fixes
        let time = max(place.latest, fixes[place.passed].date.timeIntervalSinceReferenceDate)
        let elapsed = (time - fixes[0].date.timeIntervalSinceReferenceDate) * 1e6 / provider.speed
        // Limits the track to about a thousand years.
        return departure &+ Int64(elapsed.isFinite ? min(max(elapsed, 0), 3e16) : 0)
    }
}
