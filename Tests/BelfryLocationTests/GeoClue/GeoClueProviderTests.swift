import Belfry
import BelfryBus
import BelfryBusTestSupport
import BelfryTestSupport
import BelfryTesting
import Foundation
import Testing

@testable import BelfryGeoClue

private let app = AppIdentity(id: "org.example.Stage", name: "Stage")

@Suite(
    "Positions from GeoClue, a scripted one on a private system bus",
    .takesTurns,
    .timeLimit(.minutes(5)),
    .enabled(if: TestBus.program != nil, "dbus-daemon is not installed: apt-get install dbus-daemon")
)
struct GeoClueProviderTests {
    private func provider(_ bus: TestBus, _ change: (inout GeoClueProvider.Timeouts) -> Void = { _ in })
        -> GeoClueProvider
    {
        var timeouts = GeoClueProvider.Timeouts(firstPause: .milliseconds(10))
        timeouts.look = .milliseconds(10)
        change(&timeouts)
        return GeoClueProvider(for: app, bus: .address(bus.address), timeouts: timeouts)
    }

    private func withGeoClue(
        _ profile: ScriptedGeoClue.Profile = .init(),
        _ body: (TestBus, ScriptedGeoClue) async throws -> Void
    ) async throws {
        let bus = try await TestBus()
        let geoClue = ScriptedGeoClue(at: bus.address, profile)
        try await geoClue.start()
        do { try await body(bus, geoClue) } catch {
            await geoClue.stop()
            throw error
        }
        await geoClue.stop()
    }

    @Test(
        "It says who it is and what it wants before it starts, reads each position at once, and gives its client back at the end"
    )
    func life() async throws {
        try await withGeoClue { bus, geoClue in
            let provider = provider(bus)
            try await running(provider, LocationDemand(accuracy: 50, distance: 30.9)) { run in
                await geoClue.calls.wait { $0 == "Start" }
                #expect(
                    geoClue.calls.all == [
                        "GetClient", "Set DesktopId org.example.Stage", "Set RequestedAccuracyLevel 8",
                        "Set DistanceThreshold 30", "Set TimeThreshold 0", "Start",
                    ]
                )
                try await geoClue.move(52.5)
                _ = try await run.fixes.wait(for: 1)
                try await geoClue.move(52.6, accuracy: 0)
                let fixes = try await run.fixes.wait(for: 2)
                let time = Date(timeIntervalSince1970: 1_795_262_400.25)
                #expect(fixes[0] == LocationFix(latitude: 52.5, longitude: 13.4, accuracy: 25, date: time))
                #expect(fixes[1] == LocationFix(latitude: 52.6, longitude: 13.4, accuracy: nil, date: time))
            }
            #expect(geoClue.calls.all.suffix(2) == ["Stop", "DeleteClient"])
            #expect(geoClue.clients.isEmpty && provider.ignoredPositions == 0)
        }
    }

    @Test("The level is the least that promises the accuracy; it falls only when twice the accuracy is enough")
    func levels() {
        let steps: [(Double, GeoClueAccuracy)] = [
            (1, .exact), (999, .exact), (1_000, .street), (2_999, .street), (3_000, .neighborhood), (15_000, .city),
            (300_000, .country), (.infinity, .country), (.nan, .exact), (-5, .exact),
        ]
        for (meters, level) in steps { #expect(GeoClueAccuracy(meters: meters) == level, "\(meters)") }
        func level(_ meters: Double, _ current: GeoClueAccuracy) -> GeoClueAccuracy {
            GeoClueAccuracy.level(for: LocationDemand(accuracy: meters, distance: 0), current: current)
        }
        #expect(level(1_500, .exact) == .exact && level(2_000, .exact) == .street && level(900, .street) == .exact)
        #expect(level(400_000, .exact) == .city && level(700_000, .city) == .country)
        let thresholds: [(Double, UInt32)] = [
            (0.99, 0), (1, 1), (30.9, 30), (1e30, 1_000_000_000), (.nan, 0), (.infinity, 0), (-7, 0),
        ]
        for (distance, threshold) in thresholds {
            #expect(LocationDemand(accuracy: 1, distance: distance).geoClueThreshold == threshold, "\(distance)")
        }
    }

    @Test(
        "What is demanded is followed: the threshold as it runs, the level by starting anew; a shorter way is looked at at once"
    )
    func following() async throws {
        try await withGeoClue { bus, geoClue in
            try await running(
                provider(bus) { $0.look = .seconds(600) },
                LocationDemand(accuracy: 20_000, distance: 5_000)
            ) { run in
                await geoClue.calls.wait { $0 == "Start" }
                try await geoClue.move(52.5)
                _ = try await run.fixes.wait(for: 1)
                // Less than the threshold: nobody is told.
                try await geoClue.move(52.51, silently: true)
                run.demands.send(LocationDemand(accuracy: 20_000, distance: 500))
                #expect(try await run.fixes.wait(for: 2)[1].latitude == 52.51)
                #expect(geoClue.calls.all.last == "Set DistanceThreshold 500")
                run.demands.send(LocationDemand(accuracy: 100, distance: 50))
                await geoClue.calls.wait { $0 == "Set DistanceThreshold 50" }
                #expect(
                    geoClue.calls.all.suffix(4) == [
                        "Stop", "Set RequestedAccuracyLevel 8", "Start", "Set DistanceThreshold 50",
                    ]
                )
                // Longer again: nothing to look at. Then the demands end, and the last one stands.
                let count = try await run.fixes.wait(for: 3).count
                run.demands.send(LocationDemand(accuracy: 100, distance: 70))
                await geoClue.calls.wait { $0 == "Set DistanceThreshold 70" }
                run.demands.finish()
                try await geoClue.move(52.6)
                #expect(try await run.fixes.wait(for: count + 1).last?.latitude == 52.6)
                #expect(!geoClue.calls.all.contains("DeleteClient"))
            }
        }
    }

    @Test("What GeoClue changes without telling is read again after a while, once for many changes")
    func silentChanges() async throws {
        try await withGeoClue { bus, geoClue in
            try await running(provider(bus), LocationDemand(accuracy: 50, distance: 1)) { run in
                await geoClue.calls.wait { $0 == "Start" }
                try await geoClue.move(52.5)
                _ = try await run.fixes.wait(for: 1)
                for step in 1...20 { try await geoClue.move(52.5 + Double(step) / 1_000, silently: true) }
                var count = 2
                while try await run.fixes.wait(for: count).last?.latitude != 52.52 { count += 1 }
                #expect(count <= 21)
            }
        }
    }

    @Test("Where less than 'exact' brings nothing, 'exact' is asked for")
    func noSource() async throws {
        try await withGeoClue(.init(leastLevel: 8)) { bus, geoClue in
            let far = LocationDemand(accuracy: 100_000, distance: 10_000)
            try await running(provider(bus) { $0.firstFix = .milliseconds(50) }, far) { run in
                await geoClue.calls.wait { $0 == "Start" }
                try await geoClue.move(52.5)
                #expect(try await run.fixes.wait(for: 1)[0].latitude == 52.5)
                #expect(
                    geoClue.calls.all.filter { $0.hasPrefix("Set Req") } == [
                        "Set RequestedAccuracyLevel 4", "Set RequestedAccuracyLevel 8",
                    ]
                )
            }
        }
    }

    @Test("A service that was started anew has all of the time for its first position, under the former client's path")
    func firstFixAfterRestart() async throws {
        try await withGeoClue { bus, geoClue in
            let patience = Duration.milliseconds(500)
            let provider = provider(bus) {
                $0.firstFix = patience
                $0.firstPause = patience
            }
            let far = LocationDemand(accuracy: 100_000, distance: 10_000)
            let begin = ContinuousClock.now
            try await running(provider, far) { run in
                await geoClue.calls.wait { $0 == "Start" }
                try await geoClue.move(52.5)
                _ = try await run.fixes.wait(for: 1)
                await geoClue.stop()
                let next = ScriptedGeoClue(at: bus.address, .init(leastLevel: 8))
                try await next.start()
                await next.calls.wait { $0 == "Set RequestedAccuracyLevel 8" }
                #expect(ContinuousClock.now - begin > patience + patience)
                await next.stop()
            }
        }
    }

    @Test("A location that is gone before it is read is looked for anew")
    func superseded() async throws {
        try await withGeoClue(.init(vanishing: 1)) { bus, geoClue in
            let provider = provider(bus)
            try await running(provider) { run in
                await geoClue.calls.wait { $0 == "Start" }
                try await geoClue.move(52.5)
                let fixes = try await run.fixes.wait(for: 1)
                #expect(fixes.allSatisfy { $0.latitude == 52.5 })
            }
        }
    }

    @Test("What is told of another client's position is ignored and counted, however it is told")
    func foreign() async throws {
        try await withGeoClue { bus, geoClue in
            let provider = provider(bus)
            try await running(provider) { run in
                await geoClue.calls.wait { $0 == "Start" }
                let (path, client) = try #require(geoClue.clients.first)
                let other = "/org/freedesktop/GeoClue2/Client/99"
                try await geoClue.addForeign(.init(latitude: 1, longitude: 1), at: other + "/Location/0")
                try await geoClue.addForeign(.init(latitude: 2, longitude: 2), at: path + "9/Location/0")
                try await geoClue.emit(other, "/", other + "/Location/0", to: client.owner)
                try await geoClue.emit(path, "/", other + "/Location/0", to: client.owner)
                try await geoClue.move(52.5)
                _ = try await run.fixes.wait(for: 1)
                try await geoClue.emit(path, "/", path + "9/Location/0", to: client.owner)
                try geoClue.emit(path, [.string("/"), .uint32(7)], to: client.owner)
                try geoClue.emit(path, [], to: client.owner)
                // Somebody who isn't GeoClue.
                let liar = try await bus.connection()
                try liar.emit(
                    BusSignal(
                        BusObjectPath(path),
                        "org.freedesktop.GeoClue2.Client",
                        "LocationUpdated",
                        [.objectPath("/"), .objectPath(BusObjectPath(other + "/Location/0"))],
                        to: client.owner
                    )
                )
                _ = try await liar.owner(of: ScriptedGeoClue.name)
                await liar.close()
                try await geoClue.move(52.6)
                #expect(try await run.fixes.wait(for: 2).map(\.latitude) == [52.5, 52.6])
            }
            // A newer one may have taken the place of the one before it.
            #expect((3...5).contains(provider.ignoredPositions), "\(provider.ignoredPositions)")
        }
    }

    @Test("Locations of other types or without coordinates are ignored and counted, and the next good one is taken")
    func wrongLocations() async throws {
        let good = ScriptedGeoClue.fields(.init(latitude: 1, longitude: 2))
        let wrong: [[String: BusValue]] = [
            [:], good.merging(["Latitude": .string("52")]) { $1 }, good.filter { $0.key != "Longitude" },
        ]
        for fields in wrong {
            try await withGeoClue(.init(fields: fields)) { bus, geoClue in
                let provider = provider(bus)
                try await running(provider) { run in
                    await geoClue.calls.wait { $0 == "Start" }
                    try await geoClue.move(9)
                    let deadline = ContinuousClock.now + .seconds(60)
                    while provider.ignoredPositions == 0, ContinuousClock.now < deadline { await Task.yield() }
                    geoClue.change { $0.fields = nil }
                    try await geoClue.move(52.5)
                    #expect(try await run.fixes.wait(for: 1)[0].latitude == 52.5)
                }
                #expect(provider.ignoredPositions == 1)
            }
        }
        let odd: [[String: BusValue]] = [
            ["Timestamp": .uint64(5)], ["Timestamp": .structure([.uint64(0), .uint64(0)])],
            ["Timestamp": .structure([.string("a"), .string("b")])],
            ["Timestamp": .structure([.uint64(.max), .uint64(.max)])],
            ["Accuracy": .double(.nan)], ["Accuracy": .double(-1)], ["Accuracy": .string("5")],
        ]
        for change in odd {
            let before = Date()
            let values = BusValue.options(good.merging(change) { $1 })
            let fix = try #require(LocationFix(geoClue: values, at: Date()))
            if change["Timestamp"] != nil { #expect(fix.date >= before) } else { #expect(fix.accuracy == nil) }
        }
    }

    @Test("A service that does not speak the interface is an error, not a crash")
    func wrongService() async throws {
        for (profile, word) in [
            (ScriptedGeoClue.Profile(client: .string("client")), "does not speak its interface"),
            (.init(client: .uint32(7)), "does not speak its interface"),
            (.init(client: .objectPath("/")), "does not speak its interface"),
            (
                .init(getClientError: .reply("org.freedesktop.DBus.Error.UnknownMethod", "no")),
                "does not speak its interface"
            ),
            (.init(getClientError: .reply("org.example.Broken", "broken")), "gives no positions"),
        ] {
            try await withGeoClue(profile) { bus, _ in
                let error = await ProviderRun(provider(bus)).failure()
                #expect(error?.code == .locationUnavailable)
                #expect(error?.message.contains(word) == true, "\(String(describing: error))")
            }
        }
        for lie in [BusValue.string("where"), .uint32(1), .objectPath("/elsewhere/Location/1")] {
            try await withGeoClue(.init(location: lie)) { bus, geoClue in
                try await running(provider(bus)) { run in
                    await geoClue.calls.wait { $0 == "Start" }
                    try await geoClue.move(52.5)
                    #expect(try await run.fixes.wait(for: 1)[0].latitude == 52.5)
                }
            }
        }
    }

    @Test(
        "A refusal is for good, and says the next step of its reason",
        arguments: [
            ("'org.example.Stage' disallowed, no agent for UID 1000", "demos/agent"),
            ("Geolocation disabled for UID 1000", "switched off"),
            ("'org.example.Stage' disallowed by configuration for UID 1000", "/etc/geoclue/geoclue.conf"),
            ("Agent rejected 'org.example.Stage' for user '1000'. Please ensure …", ".desktop file"),
            ("", "desktop's settings"),
        ]
    )
    func denied(said: String, step: String) async throws {
        let denial = BusError.reply("org.freedesktop.DBus.Error.AccessDenied", said)
        try await withGeoClue(.init(startError: denial)) { bus, geoClue in
            let error = await ProviderRun(provider(bus)).failure()
            #expect(error?.code == .locationDenied && error?.isTransient == false)
            #expect(error?.message.contains(step) == true, "\(String(describing: error))")
            if !said.isEmpty { #expect(error?.cause == said) }
            #expect(geoClue.calls.all.last == "DeleteClient")
        }
    }

    @Test("Location services that are switched off meanwhile are a refusal; what its own stops announce is none")
    func switchedOff() async throws {
        try await withGeoClue { bus, geoClue in
            let run = ProviderRun(provider(bus), LocationDemand(accuracy: 20_000, distance: 0))
            await geoClue.calls.wait { $0 == "Start" }
            for (starts, accuracy) in [(2, 10.0), (3, 20_000), (4, 10)] {
                run.demands.send(LocationDemand(accuracy: accuracy, distance: 0))
                await geoClue.calls.wait(for: starts) { $0 == "Start" }
            }
            try await geoClue.move(52.5)
            _ = try await run.fixes.wait(for: 1)
            try geoClue.switchOff()
            let error = await run.failure()
            #expect(error?.code == .locationDenied && error?.message.contains("switched off") == true)
        }
    }

    @Test("Without a bus, a service or an agent the error says which, in time, and what to install or start")
    func absent() async throws {
        let nowhere = GeoClueProvider(for: app, bus: .address("unix:path=/nonexistent/bus"))
        let noBus = await ProviderRun(nowhere).failure()
        #expect(noBus?.code == .locationUnavailable && noBus?.message.contains("no system bus") == true)

        let bus = try await TestBus()
        let noService = await ProviderRun(provider(bus)).failure()
        #expect(noService?.code == .locationUnavailable)
        #expect(noService?.message.contains("apt install geoclue-2.0") == true, "\(String(describing: noService))")

        try await withGeoClue(.init(hasAgent: false)) { bus, geoClue in
            let noAgent = await ProviderRun(provider(bus) { $0.agent = .milliseconds(100) }).failure()
            #expect(noAgent?.code == .locationUnavailable)
            #expect(noAgent?.message.contains("no agent") == true && noAgent?.message.contains("demos/agent") == true)
            // Canceling does not wait for it.
            try await running(provider(bus) { $0.agent = .seconds(600) }) { _ in
                await geoClue.calls.wait(for: 2) { $0 == "GetClient" }
            }
        }
    }

    @Test("A service that goes and comes gives a new client, with what is demanded now, and positions go on")
    func restart() async throws {
        try await withGeoClue { bus, geoClue in
            // Its timeout is 63 first pauses. A machine that is busy with other tests may take a second to start the
            // service anew.
            let patient = provider(bus) { $0.firstPause = .milliseconds(150) }
            try await running(patient, LocationDemand(accuracy: 50, distance: 30)) { run in
                await geoClue.calls.wait { $0 == "Start" }
                try await geoClue.move(52.5)
                _ = try await run.fixes.wait(for: 1)
                run.demands.send(LocationDemand(accuracy: 50, distance: 20))
                await geoClue.calls.wait { $0 == "Set DistanceThreshold 20" }
                for round in 2...4 {
                    await geoClue.stop()
                    try await geoClue.start()
                    await geoClue.calls.wait(for: round) { $0 == "Start" }
                    try await geoClue.move(52.5 + Double(round))
                    var count = round
                    while try await run.fixes.wait(for: count).last?.latitude != 52.5 + Double(round) { count += 1 }
                }
                let thresholds = geoClue.calls.all.filter { $0.hasPrefix("Set Dist") }
                #expect(Set(thresholds.dropFirst(2)) == ["Set DistanceThreshold 20"])
            }
        }
    }

    @Test("A service that is replaced between two calls is asked for a new client, and not for the old one")
    func replaced() async throws {
        try await withGeoClue { bus, geoClue in
            let successor = ScriptedGeoClue(at: bus.address)
            geoClue.change { $0.successor = successor }
            try await running(provider(bus)) { run in
                await successor.calls.wait { $0 == "Start" }
                try await successor.move(52.5)
                _ = try await run.fixes.wait(for: 1)
            }
            await successor.stop()
        }
    }

    @Test("A service that stays away, and one that ends again and again, is an error")
    func gone() async throws {
        try await withGeoClue { bus, geoClue in
            let run = ProviderRun(provider(bus))
            await geoClue.calls.wait { $0 == "Start" }
            try await geoClue.move(52.5)
            _ = try await run.fixes.wait(for: 1)
            await geoClue.stop()
            #expect(await run.failure()?.code == .locationUnavailable)
        }
        try await withGeoClue(.init(getClientError: .reply("org.freedesktop.DBus.Error.NoReply", ""))) {
            bus,
            geoClue in
            #expect(await ProviderRun(provider(bus)).failure()?.code == .locationUnavailable)
            #expect(geoClue.calls.all.count == 6)
        }
    }

    @Test("A bus that goes and returns is no end; one that stays away is, after the patience")
    func busRestart() async throws {
        try await withGeoClue { bus, geoClue in
            let patient = provider(bus) {
                $0.reconnect = .seconds(5)
                // A busy machine may take a second to start the service anew.
                $0.firstPause = .milliseconds(150)
            }
            let run = ProviderRun(patient)
            await geoClue.calls.wait { $0 == "Start" }
            try await geoClue.move(52.5)
            _ = try await run.fixes.wait(for: 1)
            bus.kill()
            try await bus.start()
            await geoClue.stop()
            try await geoClue.start()
            await geoClue.calls.wait(for: 2) { $0 == "Start" }
            try await geoClue.move(52.6)
            var count = 2
            while try await run.fixes.wait(for: count).last?.latitude != 52.6 { count += 1 }
            bus.kill()
            let error = await run.failure()
            #expect(error?.code == .locationUnavailable && error?.message.contains("no system bus") == true)
        }
    }

    @Test("A look tells the best level and starts nothing for long; it says what is missing within its limit")
    func bestAccuracy() async throws {
        try await withGeoClue { bus, geoClue in
            let best = try await provider(bus).bestAccuracy()
            #expect(best == .street)
            #expect(geoClue.calls.all.suffix(3) == ["Start", "Stop", "DeleteClient"] && geoClue.clients.isEmpty)
        }
        try await withGeoClue(.init(hasAgent: false)) { bus, _ in
            let error = await #expect(throws: NoticeError.self) {
                try await provider(bus).bestAccuracy(timeout: .milliseconds(100))
            }
            #expect(error?.message.contains("no agent") == true)
        }
    }

    @Test("It obeys the rules of providers")
    func conformance() async throws {
        try await withGeoClue { bus, geoClue in
            try await geoClue.move(52.5)
            let steps = Record<Void>()
            let suite = LocationProviderConformance(
                timeout: .seconds(60),
                move: {
                    steps.add(())
                    try await geoClue.move(52.5 + Double(steps.all.count))
                }
            ) { provider(bus) }
            try await suite.runAll().verify()
        }
    }
}
