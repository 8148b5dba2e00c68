import BelfryBus
import BelfryBusTestSupport
import BelfryTestSupport
import Foundation
import Testing

@Suite(
    "belfry doctor",
    .takesTurns,
    .timeLimit(.minutes(5)),
    .enabled(if: TestBus.program != nil, "dbus-daemon is not installed: apt-get install dbus-daemon")
)
struct DoctorTests {
    private func findings(_ environment: [String: String]) async throws -> [String: JSONLine] {
        var all = BuiltProgram.environment
        all.merge(environment) { $1 }
        let outcome = try await BuiltProgram.run(["doctor", "--json"], environment: all)
        let lines = try outcome.lines.map { try #require(JSONLine($0)) }
        let isBad = lines.contains { ["missing", "damaged"].contains($0["state"]) }
        #expect(outcome.status == (isBad ? 1 : 0), "\(outcome.errors)")
        return Dictionary(lines.map { ($0["check"] ?? "", $0) }, uniquingKeysWith: { first, _ in first })
    }

    @Test("without a bus everything that hangs on it says so, and what to do")
    func noBus() async throws {
        let found = try await findings([:])
        #expect(found["bus"]?["state"] == "missing" && found["bus"]?["advice"]?.contains("dbus-run-session") == true)
        #expect(found["server"]?["state"] == "missing" && found["portal"]?["state"] == "absent")
        #expect(found["backend"]?["backend"] == "console")
        for check in ["timer", "clock", "zone", "zone data", "sandbox"] { #expect(found[check]?["state"] == "ok") }
    }

    @Test("a bus that accepts and never answers is missing, and what hangs on it is not tried")
    func hangingBus() async throws {
        let bus = try await TestBus()
        bus.freeze()
        defer { bus.thaw() }
        let environment = BuiltProgram.environment.merging(["DBUS_SESSION_BUS_ADDRESS": bus.address]) { $1 }
        let doctor = try RunningProgram(["doctor", "--json"], environment: environment)
        var found: [String: JSONLine] = [:]
        while let line = await doctor.line().flatMap({ JSONLine($0) }) { found[line["check"] ?? ""] = line }
        #expect(await doctor.end().status == 1)
        #expect(found["bus"]?["state"] == "missing" && found["bus"]?["address"] == bus.address)
        #expect(found["bus"]?["detail"]?.contains("did not reply within") == true)
        // No other check connects to it, and waits for 25 seconds.
        #expect(found["server"]?["detail"] == "without a bus there is no notification server")
        #expect(found["agent"]?["detail"] == "without a bus there is no agent")
        #expect(found["location"] != nil)
    }

    @Test("a bus without a server names a package; a portal is not missed outside of a sandbox")
    func noServer() async throws {
        let bus = try await TestBus()
        let found = try await findings(["DBUS_SESSION_BUS_ADDRESS": bus.address])
        #expect(found["bus"]?["state"] == "ok")
        #expect(found["server"]?["code"] == "noServer")
        #expect(found["server"]?["advice"]?.contains("apt install dunst") == true)
        #expect(found["portal"]?["state"] == "absent")
        let confined = try await findings(["DBUS_SESSION_BUS_ADDRESS": bus.address, "SNAP": "/snap/mine/1"])
        #expect(confined["sandbox"]?["sandbox"] == "snap")
        #expect(confined["portal"]?["state"] == "missing")
        #expect(confined["portal"]?["detail"]?.contains("apt install xdg-desktop-portal-gtk") == true)
    }

    @Test("a server is told in plain words: what it has, what it has not, its own ways, and whether to disturb")
    func server() async throws {
        let bus = try await TestBus()
        let server = ScriptedServer(.kde, at: bus.address)
        try await server.start()
        try server.setInhibited(true)
        let state = try TemporaryFolder()
        let found = try await findings(["DBUS_SESSION_BUS_ADDRESS": bus.address, "XDG_STATE_HOME": state.path])
        #expect(found["server"]?["server"] == "Plasma 5.27.5")
        let detail = found["server"]?["detail"] ?? ""
        #expect(detail.contains("a field for a reply") && detail.contains("lacks "))
        #expect(found["disturb"]?["doNotDisturb"] == "on" && found["disturb"]?["advice"] != nil)
        #expect(found["backend"]?["backend"] == "dbus")
        #expect(server.calls.isEmpty, "the doctor shows nothing")
        #expect(!found.values.contains { ["missing", "damaged"].contains($0["state"]) }, "and then its status is 0")
        await server.stop()
    }

    @Test("a server that never answers costs seconds, and is named")
    func stuck() async throws {
        let bus = try await TestBus()
        let server = ScriptedServer(.minimal, at: bus.address)
        try await server.start()
        server.stall()
        let found = try await findings(["DBUS_SESSION_BUS_ADDRESS": bus.address])
        #expect(found["server"]?["code"] == "serverTimedOut")
        #expect(found["server"]?["advice"]?.contains("end it") == true)
        #expect(found["backend"]?["backend"] == "console")
        await server.stop()
    }

    @Test("an interrupted one reports nothing of the check that was interrupted, nor of those after it")
    func interrupted() async throws {
        let bus = try await TestBus()
        let server = ScriptedServer(.minimal, at: bus.address)
        try await server.start()
        server.stall()
        let environment = BuiltProgram.environment.merging(["DBUS_SESSION_BUS_ADDRESS": bus.address]) { $1 }
        let doctor = try RunningProgram(["doctor", "--json"], environment: environment)
        // The next check waits for the server.
        #expect(await doctor.line().flatMap { JSONLine($0) }?["check"] == "bus")
        doctor.signal(SIGINT)
        #expect(await doctor.line() == nil)
        #expect(await doctor.end().status == 130)
        await server.stop()
    }

    @Test("plug-ins on the search path are named, and refused ones with why")
    func plugins() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.writeScript("mine.so", "this is no library")
        let found = try await findings(["BELFRY_PLUGIN_PATH": folder.path])
        #expect(found["plug-in"]?["state"] == "damaged")
        #expect(found["plug-in"]?["path"] == path)
        #expect(found["plug-in"]?["detail"]?.hasPrefix("refused: ") == true)
        let none = try await findings([:])
        #expect(none["plug-ins"]?["state"] == "absent")
    }

    @Test(
        "positions: no system bus, no GeoClue, no agent and a GeoClue that allows it are told apart, each within its limit"
    )
    func location() async throws {
        let noBus = try await findings(["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nonexistent/bus"])
        #expect(noBus["location"]?["state"] == "absent" && noBus["location"]?["code"] == "locationUnavailable")
        #expect(noBus["location"]?["detail"]?.contains("no system bus") == true)
        #expect(noBus["gpsd"]?["detail"] != nil)
        let bus = try await TestBus()
        let environment = ["DBUS_SYSTEM_BUS_ADDRESS": bus.address]
        let absent = try await findings(environment)
        #expect(absent["location"]?["detail"]?.contains("apt install geoclue-2.0") == true)
        let service = try await bus.connection()
        let manager = BusMethod("GetClient", returns: [BusArgument("client", "o")], replying: { _, _ in })
        let export = try await service.export(
            [BusInterface("org.freedesktop.GeoClue2.Manager", methods: [manager])],
            at: "/org/freedesktop/GeoClue2/Manager"
        )
        try await service.requestName("org.freedesktop.GeoClue2")
        let silent = try await findings(environment)
        #expect(silent["location"]?["detail"]?.contains("no agent") == true)
        export.cancel()
        let clientPath: BusObjectPath = "/org/freedesktop/GeoClue2/Client/1"
        let client = try await service.export([Self.client], at: clientPath)
        let allowing = try await service.export([Self.manager(of: clientPath)], at: "/org/freedesktop/GeoClue2/Manager")
        let allowed = try await findings(environment)
        #expect(allowed["location"]?["state"] == "ok" && allowed["location"]?["accuracy"] == "street")
        client.cancel()
        allowing.cancel()
        await service.close()
    }

    /// A GeoClue whose best source is Wi-Fi, and which asks nobody.
    private static func manager(of client: BusObjectPath) -> BusInterface {
        BusInterface(
            "org.freedesktop.GeoClue2.Manager",
            methods: [
                BusMethod("GetClient", returns: [BusArgument("client", "o")], atOnce: { _ in [.objectPath(client)] }),
                BusMethod("DeleteClient", takes: [BusArgument("client", "o")], atOnce: { _ in [] }),
            ],
            properties: [BusProperty("AvailableAccuracyLevel", "u", read: { .uint32(6) })]
        )
    }

    private static var client: BusInterface {
        let settings: [(String, BusSignature)] = [
            ("DesktopId", "s"), ("DistanceThreshold", "u"), ("TimeThreshold", "u"), ("RequestedAccuracyLevel", "u"),
        ]
        return BusInterface(
            "org.freedesktop.GeoClue2.Client",
            methods: ["Start", "Stop"].map { BusMethod($0, atOnce: { _ in [] }) },
            properties: settings.map { name, type in
                BusProperty(name, type, read: { type == "s" ? .string("") : .uint32(0) }, write: { _ in })
            }
        )
    }
}
