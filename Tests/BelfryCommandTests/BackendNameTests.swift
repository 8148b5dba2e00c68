import Belfry
import BelfryBus
import BelfryBusTestSupport
import BelfryTerminal
import BelfryTestSupport
import Foundation
import Testing

@testable import BelfryCommand

@Suite("--backend, by name", .takesTurns, .timeLimit(.minutes(5)))
struct BackendNameTests {
    @Test("every name is read, and a wrong one names those that there are")
    func names() throws {
        let names: [String: BackendName] = [
            "auto": .auto, "dbus": .dbus, "portal": .portal, "libnotify": .libnotify, "console": .console,
            "terminal": .terminal(), "terminal:osc777": .terminal(.osc777), "plugin:/a/b.so": .plugin("/a/b.so"),
            "plugin:mine": .plugin("mine"),
        ]
        for (text, name) in names { #expect(try BackendName(text) == name) }
        for text in ["", "bus", "plugin", "plugin:", "DBUS", "terminal:", "terminal:777"] {
            let failure = #expect(throws: NoticeError.self) { try BackendName(text) }
            #expect(failure?.status == .usage)
        }
    }

    @Test(
        "what can't be used says what to do next",
        arguments: [
            (["--backend", "dbus"], "DBUS_SESSION_BUS_ADDRESS"), (["--backend", "portal"], "DBUS_SESSION_BUS_ADDRESS"),
            (["--backend", "terminal"], "terminal"),
            (["--backend", "plugin:nowhere"], "There is no plug-in 'nowhere'"),
            (["--backend", "plugin:/nowhere/x.so"], "/nowhere/x.so can't be opened"),
            (["--backend", "libnotify"], "'make install' and the Debian package bring it"),
        ]
    )
    func unusable(_ arguments: [String], _ text: String) async throws {
        let outcome = try await BuiltProgram.run(["send", "T"] + arguments)
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains(text), "\(outcome.errors)")
    }

    @Test(
        "libnotify is a plug-in's file on the search path",
        .enabled(if: PluginFolder.isPossible, "\(PluginFolder.reason)")
    )
    func libnotify() async throws {
        let folder = try PluginFolder()
        try folder.buildLibnotify()
        var environment = BuiltProgram.environment
        environment["BELFRY_PLUGIN_PATH"] = folder.path
        let outcome = try await BuiltProgram.run(
            ["send", "T", "--backend", "libnotify", "--json"],
            environment: environment
        )
        #expect(outcome.status == 1)
        // The plug-in says it, which is loaded, and finds no bus.
        #expect(JSONLine(outcome.errors)?["error", "code"] == "noBus", "\(outcome.errors)")
    }

    @Test(
        "a plug-in's file shows what is sent: the example in C, built as its README says",
        .enabled(if: PluginFolder.isPossible, "\(PluginFolder.reason)")
    )
    func plugin() async throws {
        let folder = try PluginFolder()
        let file = try folder.compileExample()
        var environment = BuiltProgram.environment
        environment["BELFRY_JSON_LINES_FILE"] = folder.path + "/shown.jsonl"
        let outcome = try await BuiltProgram.run(
            ["send", "Tea", "Ready", "--sound", "bell", "--backend", "plugin:\(file)"],
            environment: environment
        )
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.errors.split(separator: "\n").count { $0.contains("lost sound") } == 1, "told once")
        let written = try String(contentsOfFile: folder.path + "/shown.jsonl", encoding: .utf8)
        #expect(written.contains(#""event":"shown""#) && written.contains(#""title":"Tea""#))
    }

    @Test(
        "auto takes D-Bus where there is a server; the portal in a sandbox, where there is one",
        .enabled(if: TestBus.program != nil, "dbus-daemon is not installed: apt-get install dbus-daemon")
    )
    func auto() async throws {
        let bus = try await TestBus()
        let server = ScriptedServer(.minimal, at: bus.address)
        try await server.start()
        var environment = BuiltProgram.environment
        environment["DBUS_SESSION_BUS_ADDRESS"] = bus.address
        for snap in [nil, "/snap/mine/1"] {
            environment["SNAP"] = snap
            let outcome = try await BuiltProgram.run(["send", "T"], environment: environment)
            #expect(outcome.status == 0 && outcome.output == "" && outcome.errors == "", "\(outcome.errors)")
        }
        #expect(server.calls.map(\.title) == ["T", "T"])
        await server.stop()
    }
}
