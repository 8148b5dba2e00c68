import Belfry
import BelfryPlugins
import Foundation
import Glibc
import Testing

/// A folder that the loader trusts, with plug-ins made on the spot; gone with its user.
final class PluginFolder {
    static let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let path: String

    /// Throws where this machine has no compiler or no folder that only its owner can write.
    init() throws {
        path = try Self.trustedParent() + "/belfry-plugin-test-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
        try FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700]
        )
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Whether such a folder can be made here; a test says why not where it can't.
    static let isPossible = (try? trustedParent()) != nil && (try? compiler()) != nil
    static let reason: Comment = "needs clang or cc, and a home or build folder that nobody else can write"

    private static func trustedParent() throws -> String {
        let build = sources.deletingLastPathComponent().path + "/.build"
        for candidate in [build, FileManager.default.homeDirectoryForCurrentUser.path] where isTrusted(candidate) {
            return candidate
        }
        throw CocoaError(.fileNoSuchFile)
    }

    private static func isTrusted(_ path: String) -> Bool {
        guard let real = realpath(path, nil) else { return false }
        defer { free(real) }
        var folder = URL(filePath: String(cString: real))
        while true {
            var status = stat()
            guard stat(folder.path, &status) == 0, status.st_uid == 0 || status.st_uid == geteuid(),
                status.st_mode & 0o022 == 0
            else { return false }
            if folder.path == "/" { return true }
            folder.deleteLastPathComponent()
        }
    }

    private static func compiler() throws -> String {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        for name in ["clang", "cc", "gcc"] {
            if let folder = folders.first(where: { access("\($0)/\(name)", X_OK) == 0 }) { return "\(folder)/\(name)" }
        }
        throw CocoaError(.fileNoSuchFile)
    }

    static let header = sources.deletingLastPathComponent().path + "/CShims/CBelfryPlugin/include"

    /// Compiles the misbehaving plug-in (or `source`) as a shared object.
    @discardableResult
    func compile(
        _ name: String,
        flags: [String] = [],
        source: String? = nil,
        header folder: String? = nil
    ) throws -> String {
        let file = "\(path)/\(name).so"
        var input = Self.sources.path + "/CMisbehavingPlugin/misbehaving_plugin.c"
        if let source {
            input = "\(path)/\(name).c"
            try source.write(toFile: input, atomically: false, encoding: .utf8)
        }
        let header = folder ?? Self.header
        let process = Process()
        process.executableURL = URL(filePath: try Self.compiler())
        process.arguments =
            [
                "-shared", "-fPIC", "-fvisibility=hidden", "-DMISBEHAVING_PLUGIN_SHARED", "-I\(header)",
                "-I\(Self.sources.path)/CMisbehavingPlugin/include",
            ] + flags + ["-o", file, input]
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        #expect(chmod(file, 0o755) == 0)
        return file
    }
}

@Suite("A plug-in's file", .enabled(if: PluginFolder.isPossible, PluginFolder.reason))
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

    @Test("The search path: environment, data home, system; a privileged process has the system's alone")
    func searchPath() async throws {
        let environment = [
            "BELFRY_PLUGIN_PATH": "/a:relative::/b", "XDG_DATA_HOME": "/data", "HOME": "/home/ada",
        ]
        let normal = PluginSearchPath.standard(environment: environment, isPrivileged: false)
        #expect(normal.folders == ["/a", "/b", "/data/belfry/plugins", "/usr/lib/belfry/plugins"])
        let home = PluginSearchPath.standard(environment: ["HOME": "/home/ada"], isPrivileged: false)
        #expect(home.folders == ["/home/ada/.local/share/belfry/plugins", "/usr/lib/belfry/plugins"])
        let privileged = PluginSearchPath.standard(environment: environment, isPrivileged: true)
        #expect(privileged.folders == ["/usr/lib/belfry/plugins"])
        #expect(!PluginSearchPath.processIsPrivileged())
        for name in ["", "no-such-plug-in", "nul\0"] {
            let error = try await failure { _ = try normal.file(of: name) }
            #expect(error.code == .notFound)
        }
    }
}
