import BelfryBus
import BelfryBusTestSupport
import Foundation
import Testing

@testable import BelfryCommand

@Suite("--backend, by name", .timeLimit(.minutes(1)))
struct BackendNameTests {
    @Test("every name is read, and a wrong one names those that there are")
    func names() throws {
        let names: [String: BackendName] = [
            "auto": .auto, "dbus": .dbus, "portal": .portal, "libnotify": .libnotify, "console": .console,
            "plugin:/a/b.so": .plugin("/a/b.so"), "plugin:mine": .plugin("mine"),
        ]
        for (text, name) in names { #expect(try BackendName(text) == name) }
        for text in ["", "bus", "plugin", "plugin:", "DBUS"] {
            let failure = #expect(throws: CommandFailure.self) { try BackendName(text) }
            #expect(failure?.status == .usage)
        }
    }

    @Test(
        "what can't be used says what to do next",
        arguments: [
            (["--backend", "dbus"], "DBUS_SESSION_BUS_ADDRESS"), (["--backend", "portal"], "DBUS_SESSION_BUS_ADDRESS"),
            (["--backend", "plugin:nowhere"], "There is no plug-in 'nowhere'"),
            (["--backend", "plugin:/nowhere/x.so"], "/nowhere/x.so can't be opened"),
        ]
    )
    func unusable(_ arguments: [String], _ text: String) async throws {
        let outcome = try await BuiltProgram.run(["send", "T"] + arguments)
        #expect(outcome.status == 1)
        #expect(outcome.complaints.contains(text), "\(outcome.complaints)")
    }

    /// The loader refuses what others can write, and what stands in a folder that they can, such as /tmp.
    private static let home = FileManager.default.homeDirectoryForCurrentUser.path
    private static let isHomeTrusted = sequence(first: home) {
        $0 == "/" ? nil : ($0 as NSString).deletingLastPathComponent
    }
    .allSatisfy { folder in
        var status = stat()
        return stat(folder, &status) == 0 && status.st_mode & 0o022 == 0
    }

    @Test(
        "a plug-in's file shows what is sent: the example in C, built as its README says",
        .enabled(
            if: isHomeTrusted,
            "others can write the home folder, or one above it: no plug-in is loaded from there"
        )
    )
    func plugin() async throws {
        let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../..").standardized.path
        let folder = Self.home + "/.belfry-plugin-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let compiler = Foundation.Process()
        compiler.executableURL = URL(fileURLWithPath: "/bin/sh")
        compiler.arguments = [
            "-c",
            #"${CC:-$(command -v cc || command -v gcc || command -v clang)}"#
                + " -std=c11 -shared -fPIC -fvisibility=hidden -pthread -I \(sources)/CShims/CBelfryPlugin/include "
                + "\(sources)/Plugins/CExample/*.c -o \(folder)/json-lines.so && chmod 700 \(folder)/json-lines.so",
        ]
        try compiler.run()
        compiler.waitUntilExit()
        try #require(compiler.terminationStatus == 0)
        var environment = BuiltProgram.environment
        environment["BELFRY_JSON_LINES_FILE"] = folder + "/shown.jsonl"
        let outcome = try await BuiltProgram.run(
            ["send", "Tea", "Ready", "--sound", "bell", "--backend", "plugin:\(folder)/json-lines.so"],
            environment: environment
        )
        #expect(outcome.status == 0, "\(outcome.complaints)")
        #expect(outcome.complaints.split(separator: "\n").count { $0.contains("lost sound") } == 1, "told once")
        let written = try String(contentsOfFile: folder + "/shown.jsonl", encoding: .utf8)
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
            #expect(outcome.status == 0 && outcome.output == "" && outcome.complaints == "", "\(outcome.complaints)")
        }
        #expect(server.calls.map(\.title) == ["T", "T"])
        await server.stop()
    }
}
