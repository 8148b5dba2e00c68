import Belfry
import BelfryBus
import BelfryBusTestSupport
import BelfryGeoClue
import BelfryTestSupport
import BelfryTesting
import Foundation
import Testing

private let program = "/usr/libexec/geoclue"

/// What keeps these tests from running here; nil for nothing.
private let obstacle: Comment? =
    if TestBus.program == nil {
        "dbus-daemon is not installed: apt-get install dbus-daemon"
    } else if !FileManager.default.isExecutableFile(atPath: program) {
        "no GeoClue here: apt-get install geoclue-2.0"
    } else if !RealGeoClue.canMount {
        "GeoClue reads one file of settings, and only root can put another in its place: run the tests as root"
    } else {
        nil
    }

@Suite(
    "Positions from the real GeoClue, fed with NMEA over its socket",
    .takesTurns,
    .serialized,
    .timeLimit(.minutes(5)),
    .enabled(if: obstacle == nil, obstacle ?? "")
)
struct RealGeoClueTests {
    private let app = AppIdentity(id: "org.example.Stage", name: "Stage")

    @Test("Its best level is told, and the positions of the walk come; the level and the threshold change as it runs")
    func walking() async throws {
        let stage = try await RealGeoClue()
        try await stage.addAgent()
        let provider = GeoClueProvider(for: app, bus: .address(stage.bus.address))
        #expect(try await provider.bestAccuracy(timeout: .seconds(60)) == .exact)
        try await running(provider) { run in
            let fixes = try await run.fixes.wait(for: 5, timeout: .seconds(60))
            for (one, next) in zip(fixes, fixes.dropFirst()) { #expect(one.latitude <= next.latitude) }
            #expect(abs(fixes[0].longitude - 13.4) < 0.001 && (52.5...54).contains(fixes[0].latitude))
            print("Real GeoClue: \(fixes[0])")
            // Steps of 5.5 m: one position in ten at least.
            run.demands.send(LocationDemand(accuracy: 10, distance: 40))
            let count = run.fixes.all.count
            let later = try await run.fixes.wait(for: count + 4, timeout: .seconds(60)).suffix(3).map(\.latitude)
            #expect(later[2] > later[0])
            run.demands.send(LocationDemand(accuracy: 100_000, distance: 10_000))
            run.demands.send(LocationDemand(accuracy: 10, distance: 0))
            _ = try await run.fixes.wait(for: run.fixes.all.count + 3, timeout: .seconds(60))
        }
        #expect(provider.ignoredPositions == 0)
        await stage.stop()
    }

    @Test("Where 'city' has no source, the receiver is asked")
    func farAway() async throws {
        let stage = try await RealGeoClue()
        try await stage.addAgent()
        let timeouts = GeoClueProvider.Timeouts(firstFix: .seconds(1))
        let provider = GeoClueProvider(for: app, bus: .address(stage.bus.address), timeouts: timeouts)
        try await running(provider, LocationDemand(accuracy: 100_000, distance: 0)) { run in
            _ = try await run.fixes.wait(for: 2, timeout: .seconds(60))
        }
        await stage.stop()
    }

    @Test("It obeys the rules of providers")
    func conformance() async throws {
        let stage = try await RealGeoClue()
        try await stage.addAgent()
        let provider: @Sendable () -> GeoClueProvider = { [app] in
            GeoClueProvider(for: app, bus: .address(stage.bus.address))
        }
        let report = await LocationProviderConformance(timeout: .seconds(60)) { provider() }.runAll()
        await stage.stop()
        try report.verify()
    }

    @Test("A service that is killed and started again goes on being listened to")
    func killed() async throws {
        let stage = try await RealGeoClue()
        try await stage.addAgent()
        try await running(GeoClueProvider(for: app, bus: .address(stage.bus.address))) { run in
            let count = try await run.fixes.wait(for: 2, timeout: .seconds(60)).count
            await stage.restart()
            try await stage.addAgent()
            _ = try await run.fixes.wait(for: count + 3, timeout: .seconds(60))
        }
        await stage.stop()
    }

    @Test("Without an agent it is no position and an error that names the agent")
    func withoutAgent() async throws {
        let stage = try await RealGeoClue()
        let timeouts = GeoClueProvider.Timeouts(agent: .seconds(2))
        let error = await ProviderRun(GeoClueProvider(for: app, bus: .address(stage.bus.address), timeouts: timeouts))
            .failure()
        print("Real GeoClue without an agent: \(String(describing: error))")
        #expect(error?.message.contains("agent") == true)
        await stage.stop()
    }
}

/// GeoClue of this machine on a bus of the test's own, with settings of its own, a receiver that walks, and an agent
/// that allows all.
private final class RealGeoClue: Sendable {
    let bus: TestBus
    private let folder = NSTemporaryDirectory() + "belfry-geoclue-\(UUID().uuidString.prefix(8))"
    private let receiver: ScriptedSocket
    private let walk: Walk
    private let process: Running
    private let agent: BusConnection
    private let export = Record<BusSubscription>()

    /// The process of the moment; killed with the test.
    private final class Running: @unchecked Sendable {
        // Touched by the test's own task alone.
        var process: Foundation.Process?
    }

    static let canMount: Bool = {
        let process = Foundation.Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/unshare")
        process.arguments = ["-m", "true"]
        (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()

    init() async throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        // GeoClue drops its privileges.
        chmod(folder, 0o755)
        bus = try await TestBus()
        receiver = try ScriptedSocket(path: folder + "/nmea.sock")
        walk = Walk(receiver)
        let sources = ["3g", "cdma", "modem-gps", "wifi", "compass"].map { "[\($0)]\nenable=false\n" }.joined()
        try """
        [agent]
        whitelist=geoclue-demo-agent
        [network-nmea]
        enable=true
        nmea-socket=\(folder)/nmea.sock
        \(sources)
        """.write(toFile: folder + "/geoclue.conf", atomically: false, encoding: .utf8)
        process = Running()
        agent = try await bus.connection()
        try await start()
    }

    private func start() async throws {
        let owners = try await agent.owners(of: "org.freedesktop.GeoClue2")
        let process = Foundation.Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/unshare")
        process.arguments = [
            "-m", "sh", "-c",
            "mount --bind '\(folder)/geoclue.conf' /etc/geoclue/geoclue.conf && exec \(program) -t 60",
        ]
        process.environment = ["DBUS_SYSTEM_BUS_ADDRESS": bus.address, "PATH": "/usr/sbin:/usr/bin:/sbin:/bin"]
        (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
        try process.run()
        self.process.process = process
        for await owner in owners where owner != nil { break }
    }

    func restart() async {
        end()
        try? await start()
    }

    private func end() {
        guard let process = process.process, process.isRunning else { return }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    func stop() async {
        end()
        walk.stop()
        receiver.stop()
        await agent.close()
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Registers an agent that allows everything.
    func addAgent() async throws {
        if export.all.isEmpty {
            let interface = BusInterface(
                "org.freedesktop.GeoClue2.Agent",
                methods: [
                    BusMethod(
                        "AuthorizeApp",
                        takes: [BusArgument("id", "s"), BusArgument("level", "u")],
                        returns: [BusArgument("authorized", "b"), BusArgument("allowed", "u")],
                        atOnce: { [.boolean(true), $0.arguments[1]] }
                    )
                ],
                properties: [BusProperty("MaxAccuracyLevel", "u", read: { .uint32(8) })]
            )
            export.add(try await agent.export([interface], at: "/org/freedesktop/GeoClue2/Agent"))
        }
        try await agent.call(
            BusMethodCall(
                to: "org.freedesktop.GeoClue2",
                "/org/freedesktop/GeoClue2/Manager",
                "org.freedesktop.GeoClue2.Manager",
                "AddAgent",
                [.string("geoclue-demo-agent")]
            )
        )
    }
}
