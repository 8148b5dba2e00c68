import Belfry
import BelfryBus
import BelfryBusTestSupport
import BelfryDBus
import BelfryGeoClue
import BelfryLocationReplay
import BelfryRecorder
import BelfryTestSupport
import BelfryTesting
import Foundation
import Testing

private let app = AppIdentity(id: "org.example.Stage", name: "Stage")
private let berlin = CircularRegion(latitude: 52.52, longitude: 13.405, radius: 200)

@Suite("From a position to a notice", .takesTurns, .timeLimit(.minutes(5)))
struct CenterTests {
    @Test("A track through a place fires once on the way in, at its time by the manual clock")
    func replay() async throws {
        let clock = ManualTriggerClock()
        let start = clock.date
        // A step of 111 m each ten seconds, from a kilometer south of the border to a kilometer north of it.
        let track = (0...22).map { step in
            LocationFix(
                latitude: 52.51 + Double(step) / 1_000,
                longitude: 13.405,
                accuracy: 5,
                date: Date(timeIntervalSince1970: Double(step) * 10)
            )
        }
        let recorder = RecorderBackend()
        let provider = try ReplayLocationProvider(track, clock: .manual(clock))
        let center = NoticeCenter(app: app, backend: recorder, clock: .manual(clock), location: provider)
        try await center.run { center in
            await recorder.waitUntilReported()
            try await center.add(
                NoticeRequest(id: "near", title: "Near", trigger: LocationTrigger(region: berlin, repeats: true))
            )
            // 52.519 is 111 m from the middle, 52.518 is 222 m.
            try await clock.advance(by: .seconds(89))
            #expect(recorder.deliveries.isEmpty)
            try await clock.advance(by: .seconds(200))
            let delivered = try recorder.expectDelivery(of: "near")
            #expect(recorder.deliveries.count == 1)
            #expect(delivered.dueDate.timeIntervalSince(start) == 90)
        }
    }

    @Test(
        "GeoClue's position becomes a popup on the desktop's server; without a pending place GeoClue has no client",
        .enabled(if: obstacle == nil, obstacle ?? "")
    )
    func popup() async throws {
        let tools = ProcessInfo.processInfo.environment["BELFRY_TEST_DESKTOP_DIR"] ?? ""
        let bus = try await TestBus()
        let geoClue = ScriptedGeoClue(at: bus.address)
        try await geoClue.start()
        let provider = GeoClueProvider(for: app, bus: .address(bus.address))
        let center = NoticeCenter(app: app, backend: DBusBackend(), location: provider)
        let title = "Near at \(Date().timeIntervalSince1970)"
        try await center.run { center in
            let events = await center.events()
            #expect(geoClue.calls.all.isEmpty)
            try await center.add(NoticeRequest(id: "near", title: title, trigger: LocationTrigger(region: berlin)))
            await geoClue.calls.wait { $0 == "Start" }
            try await geoClue.move(52.5, 13.405)
            await geoClue.calls.wait(for: 2) { $0.hasPrefix("Set DistanceThreshold") }
            try await geoClue.move(52.5199, 13.405)
            for await event in events { if case .delivered = event { break } }
            // The last pending place has fired.
            await geoClue.calls.wait { $0 == "DeleteClient" }
        }
        let shown = try await output(of: "\(tools)/shown")
        #expect(shown.contains(title))
        await geoClue.stop()
    }
}

/// What keeps a popup from being shown here; nil for nothing.
private let obstacle: Comment? =
    if ProcessInfo.processInfo.environment["BELFRY_TEST_DESKTOP"] != "1"
        || ProcessInfo.processInfo.environment["DISPLAY"] == nil
    {
        "no private desktop with a screen: run the tests with make test, or in .ci/desktop"
    } else { nil }
