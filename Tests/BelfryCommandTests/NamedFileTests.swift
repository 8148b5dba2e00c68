import BelfryBus
import BelfryBusTestSupport
import BelfrySchedules
import BelfryTestSupport
import Foundation
import Testing

@testable import BelfryCommand

@Suite("Files that arguments name", .takesTurns, .timeLimit(.minutes(5)))
struct NamedFileTests {
    @Test(
        "A FIFO that nobody writes into is refused at once, wherever a file is named",
        arguments: [
            ["preview", "PIPE"], ["import", "PIPE", "--dry-run"], ["import", "PIPE"], ["preview", "--track", "PIPE"],
            ["send", "T", "--sound", "PIPE", "--backend", "console"],
            ["send", "T", "--image", "PIPE", "--backend", "console"],
            ["add", "T", "--id", "t", "--near", "1,2,100", "--location", "replay:PIPE", "--backend", "console"],
        ]
    )
    func pipes(arguments: [String]) async throws {
        let folder = try TemporaryFolder()
        let pipe = folder.path + "/pipe"
        try #require(mkfifo(pipe, 0o600) == 0)
        let outcome = try await BuiltProgram.run(arguments.map { $0.replacing("PIPE", with: pipe) })
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains(pipe), "\(outcome.errors)")
    }

    @Test("A folder is no program") func folders() {
        #expect(ExecLine("/usr/bin").file(in: [:]) == nil)
        #expect(ExecLine("true").file(in: ["PATH": "/usr/bin"]) == "/usr/bin/true")
        #expect(ExecLine("bin").file(in: ["PATH": "/usr"]) == nil)
    }

    @Test(
        "A notice whose icon is not there is shown without it, and the loss is told",
        .enabled(if: TestBus.program != nil, "dbus-daemon is not installed: apt-get install dbus-daemon")
    )
    func missingIcon() async throws {
        let bus = try await TestBus()
        let server = ScriptedServer(.kde, at: bus.address)
        try await server.start()
        var environment = BuiltProgram.environment
        environment["DBUS_SESSION_BUS_ADDRESS"] = bus.address
        let outcome = try await BuiltProgram.run(["send", "-i", "/nonexistent.png", "T"], environment: environment)
        #expect(outcome.status == 0)
        #expect(outcome.errors.contains("lost icon: '/nonexistent.png'"), "\(outcome.errors)")
        #expect(server.calls.map(\.icon) == [""])
        // A name of the icon theme, also where a folder is called so.
        let folder = try TemporaryFolder()
        _ = try folder.folder("mail")
        let script = "cd \(folder.path) && exec \(BuiltProgram.path) send -i mail Mail"
        let named = try await BuiltProgram.run("/bin/sh", ["-c", script], [], environment, 120)
        #expect(named.status == 0 && named.errors == "", "\(named.errors)")
        #expect(server.calls.map(\.icon) == ["", "mail"])
        await server.stop()
    }

    @Test("~ is the folder that HOME names") func home() async throws {
        let environment = ["HOME": "/home/ada"]
        #expect(PathText.path("~", environment: environment) == "/home/ada")
        #expect(PathText.path("~/a/../b.png", environment: environment) == "/home/ada/b.png")
        #expect(PathText.path("~ada/b", in: "/x", environment: environment) == "/x/~ada/b")
        #expect(PathText.path("./b", in: "/x/", environment: environment) == "/x/b")
        #expect(PathText.path("/a//./b/", environment: environment) == "/a/b")
        let folder = try TemporaryFolder()
        // `..` of a link is what is above its target, and that of a folder is what the text says.
        #expect(symlink(try folder.folder("a/b"), folder.path("link")) == 0)
        #expect(PathText.path("link/../c", in: folder.path) == folder.path("link/../c"))
        #expect(PathText.path("link/../../c", in: folder.path) == folder.path("link/../../c"))
        #expect(PathText.path("a/b/../../c", in: folder.path) == folder.path("c"))
        #expect(PathText.path("/../c") == "/c")
        var variables = BuiltProgram.environment
        variables["HOME"] = folder.path
        let added = try await BuiltProgram.run(
            ["add", "T", "--id", "t", "--in", "1h", "--no-wait", "--store=~/store"],
            environment: variables
        )
        #expect(added.status == 0, "\(added.errors)")
        #expect(FileManager.default.fileExists(atPath: folder.path + "/store/store.sqlite"))
        let missing = try await BuiltProgram.run(
            ["send", "T", "--sound", "~/none.oga", "--backend", "console"],
            environment: variables
        )
        #expect(missing.errors.contains(folder.path + "/none.oga"), "\(missing.errors)")
    }
}
