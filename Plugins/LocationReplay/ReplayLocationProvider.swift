public import Belfry
import FoundationEssentials
import Synchronization

/// Plays a track as though this machine travelled on it: for tests and demonstrations.
///
/// The journey begins with the first run, and goes on by the boot clock whether or not anybody looks: a later run
/// reports at once where it has come to. So does one that was suspended on the way, as a receiver would: what was
/// reached more than 10 s ago is not told, but for the last position where there is no later one. Each position is
/// reported with the time by the wall clock at which it is reached, however long ago it was recorded; a time in the
/// track that goes backwards is the time before it. What is demanded changes nothing. After the last position it says
/// nothing more.
///
/// It waits on the clock of a center, so that a test may move it:
///
/// ```swift
/// let clock = ManualTriggerClock()
/// let provider = try ReplayLocationProvider(file: "/home/me/walk.gpx", clock: .manual(clock))
/// // … a center with this clock and this provider …
/// try await clock.advance(by: .seconds(600))
/// ```
public final class ReplayLocationProvider: NonblockingLocationProvider {
    public let name = "replay"
    private let fixes: [LocationFix]
    private let speed: Double
    private let clock: any TriggerClock
    /// By the boot clock, microseconds.
    private let departure = Mutex<Int64?>(nil)

    /// - Parameters:
    ///   - fixes: In the order of travel.
    ///   - speed: How much faster than recorded; 1 is as recorded.
    ///   - clock: The clock that the journey runs by; give it the one of the center.
    ///
    /// Throws ``Belfry/NoticeError/Code/invalidInterval`` for a speed that is not above zero,
    /// ``Belfry/NoticeError/Code/invalidNotation`` for a track without a position.
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

    /// Plays a GPX or NMEA file. Throws as ``LocationTrack`` does, too.
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
        let journey = Journey(fixes, departure, speed, clock, alarm, report)
        journey.arrive()
        try await alarm.run(waking: journey)
    }
}

/// One run along the track.
private final class Journey: WakeListener {
    private let fixes: [LocationFix]
    private let departure: Int64
    private let speed: Double
    private let clock: any TriggerClock
    private let alarm: any WakeAlarm
    private let report: @Sendable (LocationFix) -> Void
    private let place = Mutex(Place())

    /// Microseconds. A machine that is awake is not later than that: it slept when the position was reached.
    private static let longestLag: Int64 = 10_000_000

    private struct Place {
        /// How many positions were passed.
        var passed = 0
        /// The latest time in the track so far.
        var latest = -Double.infinity
        var isUnderWay = false
    }

    init(
        _ fixes: [LocationFix],
        _ departure: Int64,
        _ speed: Double,
        _ clock: any TriggerClock,
        _ alarm: any WakeAlarm,
        _ report: @escaping @Sendable (LocationFix) -> Void
    ) {
        (self.fixes, self.departure, self.speed) = (fixes, departure, speed)
        (self.clock, self.alarm, self.report) = (clock, alarm, report)
    }

    func woke(_ reason: WakeReason) { arrive() }
    func processedWakeUps() async {}
    func quiet() async {}

    /// Reports what has been reached, and sets the alarm for the next one. What was passed before this run, or asleep,
    /// is one position, the last.
    func arrive() {
        let now = clock.now()
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

    /// When the next position is reached, by the boot clock.
    private func due(_ place: Place) -> Int64 {
        let time = max(place.latest, fixes[place.passed].date.timeIntervalSinceReferenceDate)
        let elapsed = (time - fixes[0].date.timeIntervalSinceReferenceDate) * 1e6 / speed
        // A track of a thousand years is long enough.
        return departure &+ Int64(elapsed.isFinite ? min(max(elapsed, 0), 3e16) : 0)
    }
}
