package import Foundation
import Glibc

/// A folder that the loader trusts, with plug-ins made on the spot; gone with its user.
package final class PluginFolder {
    package static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
    private static let source = root.path + "/Tests/Support/CMisbehavingPlugin"
    package let path: String

    /// Throws where this machine has no compiler or no folder that only its owner can write.
    package init() throws {
        path = try Self.trustedParent() + "/belfry-plugin-test-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
        try FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700]
        )
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Whether such a folder can be made here; a test says why not where it can't.
    package static let isPossible = (try? trustedParent()) != nil && (try? compiler()) != nil
    package static let reason = "needs clang or cc, and a home or build folder that nobody else can write"

    private static func trustedParent() throws -> String {
        let build = root.path + "/.build"
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

    package static let header = root.path + "/CShims/CBelfryPlugin/include"

    /// Compiles the misbehaving plug-in (or `source`) as a shared object.
    @discardableResult
    package func compile(
        _ name: String,
        flags: [String] = [],
        source: String? = nil,
        header folder: String? = nil
    ) throws -> String {
        var input = Self.source + "/misbehaving_plugin.c"
        if let source {
            input = "\(path)/\(name).c"
            try source.write(toFile: input, atomically: false, encoding: .utf8)
        }
        let own = ["-DMISBEHAVING_PLUGIN_SHARED", "-I\(folder ?? Self.header)", "-I\(Self.source)/include"]
        return try link([input], to: name, flags: own + flags)
    }

    /// Compiles the example in C, with the flags that its README names.
    package func compileExample() throws -> String {
        let sources = Self.root.path + "/Plugins/CExample"
        let inputs = try FileManager.default.contentsOfDirectory(atPath: sources).filter { $0.hasSuffix(".c") }
        return try link(
            inputs.map { "\(sources)/\($0)" },
            to: "json-lines",
            flags: ["-std=c11", "-pthread", "-I\(Self.header)"]
        )
    }

    /// Builds the libnotify plug-in, as `make install` does.
    package func buildLibnotify() throws {
        try run(Self.root.path + "/Plugins/Libnotify/build-shared", [path + "/libbelfry-libnotify.so"])
    }

    private func link(_ inputs: [String], to name: String, flags: [String]) throws -> String {
        let file = "\(path)/\(name).so"
        try run(try Self.compiler(), ["-shared", "-fPIC", "-fvisibility=hidden"] + flags + ["-o", file] + inputs)
        guard chmod(file, 0o755) == 0 else { throw CocoaError(.fileWriteNoPermission) }
        return file
    }

    private func run(_ program: String, _ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CocoaError(.executableNotLoadable) }
    }
}
