import Belfry
import BelfryLocationReplay
import BelfryTestSupport
import BelfryTesting
import Foundation
import Testing

@Suite("Replaying a track", .takesTurns, .timeLimit(.minutes(5)))
struct ReplayTests {
    /// One step north every so many seconds after the first.
    private func track(_ seconds: [Double]) -> [LocationFix] {
        let start = Date(timeIntervalSince1970: 1_000_000_000)
        return seconds.enumerated().map { number, second in
            LocationFix(latitude: Double(number), longitude: 13, accuracy: 5, date: start.addingTimeInterval(second))
        }
    }

    /// Runs it on a manual clock; the first fix says that it runs.
    private func playing(
        _ provider: ReplayLocationProvider,
        _ body: (ProviderRun) async throws -> Void
    ) async throws {
        try await running(provider) { run in
            _ = try await run.fixes.wait(for: 1)
            try await body(run)
        }
    }

    @Test("Each position comes when it is due by the clock, with the clock's time, and nothing after the last")
    func timeline() async throws {
        let clock = ManualTriggerClock()
        let start = clock.date
        let provider = try ReplayLocationProvider(track([0, 10, 10.5, 60]), clock: .manual(clock))
        try await playing(provider) { run in
            #expect(run.fixes.all.map(\.latitude) == [0])
            try await clock.advance(by: .milliseconds(9_999))
            #expect(run.fixes.all.count == 1)
            try await clock.advance(by: .milliseconds(501))
            #expect(run.fixes.all.map(\.latitude) == [0, 1, 2])
            try await clock.advance(by: .seconds(86_400))
            #expect(run.fixes.all.map { $0.date.timeIntervalSince(start) } == [0, 10, 10.5, 60])
            #expect(run.fixes.all.allSatisfy { $0.accuracy == 5 && $0.longitude == 13 })
        }
    }

    @Test("It may be played faster and slower; times that go backwards are the time before")
    func speed() async throws {
        let clock = ManualTriggerClock()
        let start = clock.date
        let provider = try ReplayLocationProvider(track([0, 60, 30, 120]), speed: 60, clock: .manual(clock))
        try await playing(provider) { run in
            try await clock.advance(by: .seconds(2))
            #expect(run.fixes.all.map { $0.date.timeIntervalSince(start) } == [0, 1, 1, 2])
        }
        for speed in [0, -1, .nan, .infinity] {
            let error = #expect(throws: NoticeError.self) { try ReplayLocationProvider(track([0]), speed: speed) }
            #expect(error?.code == .invalidInterval)
        }
        #expect(throws: NoticeError.self) { try ReplayLocationProvider([]) }
    }

    @Test("The journey goes on while nobody looks: a later run begins with where it has come to")
    func laterRun() async throws {
        let clock = ManualTriggerClock()
        let provider = try ReplayLocationProvider(track([0, 10, 20, 30, 40]), clock: .manual(clock))
        try await playing(provider) { _ in try await clock.advance(by: .seconds(10)) }
        try await clock.advance(by: .seconds(15))
        try await playing(provider) { run in
            try await clock.advance(by: .seconds(5))
            #expect(run.fixes.all.map(\.latitude) == [2, 3])
        }
    }

    @Test("A machine that slept on the way wakes where the track has come to, and is not flooded with what was passed")
    func suspend() async throws {
        let clock = ManualTriggerClock()
        let start = clock.date
        let everySecond = Array(stride(from: 100.0, to: 5_100, by: 1))
        let provider = try ReplayLocationProvider(track([0, 10, 20, 90] + everySecond), clock: .manual(clock))
        try await playing(provider) { run in
            func times() -> [Double] { run.fixes.all.map { $0.date.timeIntervalSince(start) } }
            try await clock.suspend(for: .seconds(60))
            #expect(times() == [0, 20])
            // What was due in the last 10 s is only a little late.
            try await clock.suspend(for: .seconds(35))
            #expect(times() == [0, 20, 90])
            try await clock.suspend(for: .seconds(4_000))
            let last = Array(stride(from: 4_085.0, through: 4_095, by: 1))
            #expect(times() == [0, 20, 90] + last)
        }
    }

    @Test("Times at the ends of the world don't trap")
    func extremes() async throws {
        let clock = ManualTriggerClock()
        let far = [-1e18, 0, 1e18, .infinity, -.infinity].map {
            LocationFix(latitude: 1, longitude: 2, date: Date(timeIntervalSinceReferenceDate: $0))
        }
        let provider = try ReplayLocationProvider(far, speed: 1e-300, clock: .manual(clock))
        try await playing(provider) { run in
            try await clock.advance(by: .seconds(1e9))
            #expect(run.fixes.all.count == 1)
        }
    }

    @Test("A GPX file and an NMEA file of the same walk are played alike, by the real clock")
    func files() async throws {
        let folder = try TemporaryFolder()
        let points = (0..<3).map { second in
            "<trkpt lat='52.5' lon='13.\(second)'><time>2026-11-21T12:00:0\(second)Z</time></trkpt>"
        }
        let gpx = try folder.write("walk.gpx", "\n <gpx><trk><trkseg>\(points.joined())</trkseg></trk></gpx>")
        let log = (0..<3).map { NMEA.epoch(52.5, 13 + Double($0) / 10, time: "12000\($0)", dilution: "") }
        let nmea = try folder.write("walk.nmea", log.joined())
        #expect(try LocationTrack(contentsOf: gpx).fixes == LocationTrack(contentsOf: nmea).fixes)
        for file in [gpx, nmea] {
            let provider = try ReplayLocationProvider(file: file, speed: 50)
            try await running(provider) { run in
                let fixes = try await run.fixes.wait(for: 3)
                #expect(fixes.map(\.longitude) == [13, 13.1, 13.2])
                let seconds = fixes[2].date.timeIntervalSince(fixes[0].date)
                #expect(abs(seconds - 0.04) < 0.001)
            }
        }
    }

    @Test("It obeys the rules of providers")
    func conformance() async throws {
        let fixes = track((0..<10_000).map { Double($0) })
        let suite = LocationProviderConformance(timeout: .seconds(60)) {
            try ReplayLocationProvider(fixes, speed: 100)
        }
        try await suite.runAll().verify()
    }
}
