import Belfry
import BelfryBus
import BelfryBusTestSupport
import BelfryTestSupport
import Foundation
import Testing

@Suite(
    "Notices outlive their terminal, and the login",
    .takesTurns,
    .timeLimit(.minutes(5)),
    .enabled(if: TestBus.program != nil, "dbus-daemon is not installed: apt-get install dbus-daemon")
)
struct AgentSessionTests {
    @Test("the terminal is closed, and the popup comes")
    func terminalClosed() async throws {
        let programs = try await Programs()
        let terminal = try programs.terminal("belfry add Tea --in 2s --id tea; echo told; exec sleep 1000")
        let said = await terminal.text(upTo: "told")
        #expect(said.contains("the agent keeps it"))
        #expect(terminal.close() == SIGHUP)
        #expect(programs.server.calls.isEmpty)
        #expect(await programs.server.call(titled: "Tea") != nil)
        try await programs.killAgent()
    }

    @Test(
        "at a new login, on a new bus, the agent is there by its autostart file, and shows what is due",
        arguments: [true, false]
    )
    func newLogin(busStartsIt: Bool) async throws {
        let home = try Home()
        do {
            let first = try await Programs(home: home)
            try await first.belfry(["agent", "install"])
            try await first.belfry(["add", "Tea", "--in", "2s", "--id", "tea"])
            // The end of a session ends its processes; its bus goes with them.
            try await first.killAgent()
            first.bus.kill()
            #expect(first.server.calls.isEmpty)
        }
        if !busStartsIt { try home.remove(".local/share/dbus-1/services/org.belfry.Agent1.service") }
        let second = try await Programs(home: home)
        let entry = try home.read(".config/autostart/org.belfry.Agent1.desktop")
        let line = try #require(entry.split(separator: "\n").first { $0.hasPrefix("Exec=") }).dropFirst(5)
        let owners = try await second.bus.connection().owners(of: "org.belfry.Agent1")
        let session = try second.terminal(busStartsIt ? "\(line); echo status $?" : "exec \(line)")
        for await owner in owners where owner != nil { break }
        #expect(await second.server.call(titled: "Tea") != nil)
        #expect(second.server.calls.count == 1)
        // Started by the bus it is nobody's child here: under systemd it is a unit, which is started again after a
        // crash.
        if busStartsIt { #expect(await session.text(upTo: "status 0").contains("status 0")) }
        try await second.killAgent()
        // Also because a child that nobody waits for keeps Swift Testing from seeing the end of its exit tests.
        #expect(session.close() == (busStartsIt ? 0 : SIGKILL))
    }
}
