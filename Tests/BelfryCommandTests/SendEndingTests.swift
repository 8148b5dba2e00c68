import Belfry
import BelfryBus
import BelfryBusTestSupport
import BelfryTestSupport
import Foundation
import Testing

@testable import BelfryCommand

/// `send --json` with `-w` or `-A`: what is said when the waiting is over.
@Suite(
    "belfry send says how a notice ended",
    .takesTurns,
    .timeLimit(.minutes(5)),
    .enabled(if: TestBus.program != nil, "dbus-daemon is not installed: apt-get install dbus-daemon")
)
struct SendEndingTests {
    private struct Ended {
        var status: Int32
        var lines: [JSONLine]
        var errors: String
    }

    /// Sends, and does something when the notice stands.
    private func send(
        _ arguments: [String],
        profile: ServerProfile = .kde,
        then act: @escaping @Sendable (ScriptedServer, NotifyCall, RunningProgram) async -> Void
    ) async throws -> Ended {
        let bus = try await TestBus()
        let server = ScriptedServer(profile, at: bus.address)
        try await server.start()
        var environment = BuiltProgram.environment
        environment["DBUS_SESSION_BUS_ADDRESS"] = bus.address
        let program = try RunningProgram(["send", "Ask", "--json"] + arguments, environment: environment)
        // The first object is there when the number has come back: what happens from here on happens to that notice.
        var lines = [try #require(await program.line().flatMap(JSONLine.init))]
        await act(server, try #require(server.calls.first), program)
        while let line = await program.line() { lines.append(try #require(JSONLine(line), "\(line)")) }
        let end = await program.end()
        await server.stop()
        return Ended(status: end.status, lines: lines, errors: end.errors)
    }

    @Test("The first object has the same fields whoever shows the notice")
    func schema() async throws {
        let desktop = try await send([]) { _, _, _ in }
        let console = try await BuiltProgram.run(["send", "Ask", "--json", "--backend", "console"])
        let objects = [try #require(desktop.lines.first), try #require(JSONLine(console.output))]
        #expect(objects[0].object.keys.sorted() == objects[1].object.keys.sorted())
        for (object, backend) in zip(objects, ["dbus", "console"]) {
            #expect(object["id"] == "1" && object["backend"] == backend && object["outcome"] == "delivered")
            #expect(object.object["lost"] as? [String] == [])
        }
    }

    @Test("A button, a click, a closing by hand, an expiry: the second object names it")
    func endings() async throws {
        let cases: [(String, @Sendable (ScriptedServer, UInt32) -> Void)] = [
            ("action", { $0.press($1, "yes") }), ("clicked", { $0.press($1, "default") }),
            ("closed", { $0.close($1, 2) }), ("expired", { $0.close($1, 1) }),
        ]
        for (name, act) in cases {
            let ended = try await send(["-A", "yes=Yes"]) { server, call, _ in act(server, call.id) }
            #expect(ended.status == 0 && ended.lines.count == 2, "\(name): \(ended.errors)")
            #expect(ended.lines.last?["id"] == "1" && ended.lines.last?["ended"] == name)
            #expect(ended.lines.last?["action"] == (name == "action" ? "yes" : name == "clicked" ? "default" : nil))
        }
        let waited = try await send(["-w"]) { server, call, _ in server.close(call.id) }
        #expect(waited.status == 0 && waited.lines.last?["ended"] == "closed")
        let timed = try await send(["-w", "-t", "100"]) { _, _, _ in }
        #expect(timed.status == 0 && timed.lines.last?["ended"] == "expired")
    }

    @Test("A typed reply is told with its text")
    func reply() {
        let response = NoticeResponse(
            id: "1",
            requestID: "ask",
            deliveryID: "d",
            kind: .reply(action: "answer", text: "On my way"),
            date: Date()
        )
        let ending = SendEnding(response)
        #expect(ending.kind.rawValue == "reply" && ending.response == response && ending.text == "On my way")
    }

    @Test(
        "A server that goes away while somebody waits is a failure that says so",
        arguments: ["-w", "--action=yes=Yes"]
    )
    func serverGone(flag: String) async throws {
        let ended = try await send([flag]) { server, _, _ in await server.stop() }
        #expect(ended.status == 1)
        #expect(ended.lines.last?["ended"] == "serverGone")
        #expect(JSONLine(ended.errors)?["error", "code"] == "noServer", "\(ended.errors)")
        #expect(ended.errors.contains("went away"))
    }

    @Test(
        "An interruption takes the notice down and is told, also when the terminal is closed",
        arguments: [
            SIGINT, SIGTERM, SIGHUP,
        ]
    )
    func interrupted(signal: Int32) async throws {
        let ended = try await send(["-w"]) { server, call, program in
            program.signal(signal)
            _ = await program.end()
            #expect(server.standing.isEmpty, "the popup is gone")
        }
        #expect(ended.status == 130, "\(ended.errors)")
        #expect(ended.lines.last?["ended"] == "interrupted")
    }

    @Test("A server that hangs can't keep an interrupted command for longer than a second")
    func hangingServer() async throws {
        let ended = try await send(["-w"]) { server, _, program in
            server.stall()
            let start = ContinuousClock.now
            program.signal(SIGTERM)
            _ = await program.end()
            // The limit of a call is 10 s.
            #expect(ContinuousClock.now - start < .seconds(9))
        }
        #expect(ended.status == 130)
        #expect(ended.lines.last?["ended"] == "interrupted", "told before the notice is taken down")
    }

    @Test("What nohup starts outlives its terminal")
    func nohup() async throws {
        let bus = try await TestBus()
        let server = ScriptedServer(.kde, at: bus.address)
        try await server.start()
        var environment = BuiltProgram.environment
        environment["DBUS_SESSION_BUS_ADDRESS"] = bus.address
        let program = try RunningProgram(
            ["-c", "trap '' HUP; exec \"$0\" send Ask -A yes=Yes --json", BuiltProgram.path],
            of: "/bin/sh",
            environment: environment
        )
        _ = try #require(await program.line())
        program.signal(SIGHUP)
        server.press(try #require(server.calls.first).id, "yes")
        #expect(await program.line().flatMap(JSONLine.init)?["ended"] == "action")
        #expect(await program.end().status == 0)
        await server.stop()
    }
}
