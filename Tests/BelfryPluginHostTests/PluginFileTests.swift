import Belfry
import BelfryPluginHost
import BelfryTestSupport
import Foundation
import Glibc
import Testing

@Suite("A plug-in's file", .takesTurns, .enabled(if: PluginFolder.isPossible, "\(PluginFolder.reason)"))
struct PluginFileTests {
    private let app = AppIdentity(id: "org.example.Stage", name: "loaded")

    private func refusal(_ path: String) async throws -> NoticeError {
        try await failure { _ = try PluginBackend(loading: path, for: app) }
    }

    @Test("It is loaded by its path or by its name, and delivers; another one after it is another one")
    func loads() async throws {
        let folder = try PluginFolder()
        // Files in a row, the first of which is loaded and refused: the loader must not take one for another.
        let newer = try folder.compile("newer", flags: ["-DMISBEHAVING_PLUGIN_MAJOR=2"])
        #expect(try await refusal(newer).code == .unsupported)
        for name in ["first", "second"] {
            let file = try folder.compile(name, flags: ["-DMISBEHAVING_PLUGIN_NAME=\"\(name)\""])
            let byPath = try PluginBackend(loading: file, for: app)
            #expect(byPath.name == name)
            let byName = try PluginBackend(
                loading: name,
                for: app,
                searchPath: PluginSearchPath(folders: ["/nonexistent", folder.path])
            )
            #expect(byName.name == name)
            let run = Task { try await byName.run { _ in } }
            #expect(try await byName.deliver(delivery("plain")).backend == name)
            run.cancel()
            try await run.value
        }
    }

    @Test("Nobody else may be able to write the file or a folder above it")
    func writable() async throws {
        let folder = try PluginFolder()
        let file = try folder.compile("writable")
        #expect(chmod(file, 0o775) == 0)
        var error = try await refusal(file)
        #expect(error.code == .pluginRefused)
        #expect(error.message.contains("can be written by others"))
        #expect(chmod(file, 0o755) == 0 && chmod(folder.path, 0o777) == 0)
        error = try await refusal(file)
        #expect(error.code == .pluginRefused)
        #expect(error.message.contains(folder.path))
        #expect(chmod(folder.path, 0o700) == 0)
        // A link leads to the file itself: what counts is where that is.
        let link = "\(folder.path)/link.so"
        #expect(symlink(file, link) == 0)
        #expect(try PluginBackend(loading: link, for: app).name == "misbehaving")
    }

    @Test("It has to belong to root or to the user", .enabled(if: geteuid() == 0, "needs root, to give a file away"))
    func owner() async throws {
        let folder = try PluginFolder()
        let file = try folder.compile("foreign")
        #expect(chown(file, 65_534, 65_534) == 0)
        let error = try await refusal(file)
        #expect(error.code == .pluginRefused)
        #expect(error.message.contains("belongs to user 65534"))
    }

    @Test("What isn't there, isn't a file or isn't a plug-in is refused, and doesn't hang")
    func notAPlugin() async throws {
        let folder = try PluginFolder()
        #expect(try await refusal("\(folder.path)/missing.so").code == .fileUnreadable)
        #expect(try await refusal(folder.path + "/.").code == .fileUnreadable)
        let pipe = "\(folder.path)/pipe.so"
        #expect(mkfifo(pipe, 0o600) == 0)
        #expect(try await refusal(pipe).message.contains("not a regular file"))
        let text = "\(folder.path)/text.so"
        try "not ELF".write(toFile: text, atomically: false, encoding: .utf8)
        #expect(chmod(text, 0o644) == 0)
        #expect(try await refusal(text).code == .pluginRefused)
        let other = try folder.compile("other", source: "int nothing(void) { return 0; }")
        #expect(try await refusal(other).message.contains("does not export belfry_plugin_entry"))
        let newer = try folder.compile("newer", flags: ["-DMISBEHAVING_PLUGIN_MAJOR=2"])
        #expect(try await refusal(newer).code == .unsupported)
    }

    @Test("A file that was cut short is refused before anything of it is looked at", arguments: [80, 2_000, 9_000])
    func cutShort(_ length: Int) async throws {
        let folder = try PluginFolder()
        let file = try folder.compile("whole")
        let bytes = try Data(contentsOf: URL(filePath: file))
        try #require(bytes.count > length)
        let cut = "\(folder.path)/cut.so"
        try bytes.prefix(length).write(to: URL(filePath: cut))
        #expect(chmod(cut, 0o755) == 0)
        let error = try await refusal(cut)
        #expect(error.code == .pluginRefused)
        #expect(error.message.contains("is cut short: it has \(length) bytes"))
    }

    @Test("Headers that speak of what no file can have are refused")
    func absurdHeaders() async throws {
        let folder = try PluginFolder()
        var bytes = try Data(contentsOf: URL(filePath: folder.compile("whole")))
        // Where the program headers are (elf(5)): beyond the end of all numbers.
        bytes.replaceSubrange(32..<40, with: Array(repeating: 0xFF, count: 8))
        let file = "\(folder.path)/absurd.so"
        try bytes.write(to: URL(filePath: file))
        #expect(chmod(file, 0o755) == 0)
        #expect(try await refusal(file).message.contains("is cut short"))
    }

    private static let systemFolders = ["/usr/local/lib/belfry/plugins", "/usr/lib/belfry/plugins"]

    @Test("The search path: environment, data home, system; a privileged process has the system's alone")
    func searchPath() async throws {
        let environment = [
            "BELFRY_PLUGIN_PATH": "/a:relative::/b", "XDG_DATA_HOME": "/data", "HOME": "/home/ada",
        ]
        let normal = PluginSearchPath.standard(environment: environment, isPrivileged: false)
        #expect(normal.folders == ["/a", "/b", "/data/belfry/plugins"] + Self.systemFolders)
        let home = PluginSearchPath.standard(environment: ["HOME": "/home/ada"], isPrivileged: false)
        #expect(home.folders == ["/home/ada/.local/share/belfry/plugins"] + Self.systemFolders)
        let privileged = PluginSearchPath.standard(environment: environment, isPrivileged: true)
        #expect(privileged.folders == Self.systemFolders)
        #expect(!PluginSearchPath.processIsPrivileged())
        for name in ["", "no-such-plug-in", "nul\0"] {
            let error = try await failure { _ = try normal.file(of: name) }
            #expect(error.code == .notFound)
        }
    }
}
