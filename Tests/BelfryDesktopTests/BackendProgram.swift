import ConformanceStage
import Foundation

/// A backend in a process of its own, on a desktop of its own: libnotify can be in a process once, linked or loaded,
/// and each server wants a bus for itself.
struct BackendProgram {
    /// `ConformanceRunner` or `PluginRunner`, beside the test program.
    let program: String
    /// The server's name in `Tests/Desktop/servers`; nil runs it here and now, without a desktop.
    var server: String?
    var environment: [String: String] = [:]

    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path

    /// What it printed. Throws, with that, where it ends with anything but 0 or takes longer than `seconds`.
    @discardableResult
    func run(_ arguments: String..., within seconds: Int = 600) async throws -> String {
        var command = ["--kill-after=10", "\(seconds)"]
        if let server { command += ["\(Self.root)/.ci/desktop", "--server", server] }
        command += [try Self.built(program)] + arguments
        var environment = environment
        // A desktop beside the one that the tests are on: it makes its own of everything.
        if server != nil { environment["BELFRY_TEST_DESKTOP_STATE"] = "" }
        return try await Desktop.run("/usr/bin/timeout", command, environment: environment)
    }

    var path: String { (try? Self.built(program)) ?? program }

    /// Where the build has put a program: in the folder of the test bundle.
    private static func built(_ name: String) throws -> String {
        var folder = Bundle.main.bundleURL
        for _ in 0..<4 {
            let candidate = folder.appendingPathComponent(name).path
            if FileManager.default.isExecutableFile(atPath: candidate) { return candidate }
            folder.deleteLastPathComponent()
        }
        let debug = "\(root)/.build/debug/\(name)"
        guard FileManager.default.isExecutableFile(atPath: debug) else {
            throw Desktop.Failure(description: "\(name) is not built: swift build --product \(name)")
        }
        return debug
    }
}

/// A plug-in built from its sources, as the README beside them says.
enum BuiltPlugin {
    /// Compiles Plugins/CExample or Plugins/Libnotify; the file is in a folder that only its owner can write.
    static func make(_ name: String, in folder: String) async throws -> String {
        let file = "\(folder)/\(name).so"
        let root = BackendProgram.root
        let flags = "-shared -fPIC -fvisibility=hidden -I'\(root)/CShims/CBelfryPlugin/include'"
        let command =
            switch name {
            case "json-lines": "cc -std=c11 \(flags) -pthread '\(root)'/Plugins/CExample/*.c -o '\(file)'"
            default: "'\(root)/Plugins/Libnotify/build-shared' '\(file)'"
            }
        _ = try await Desktop.run(
            "/bin/sh",
            ["-c", "PATH=$PATH; command -v cc >/dev/null || cc() { clang \"$@\"; }; \(command)"]
        )
        return file
    }

    /// A folder that the loader trusts: nobody else can write it, nor any above it.
    static func folder() throws -> String {
        let folder = "\(BackendProgram.root)/.build/plugins-\(getpid())/\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        return folder
    }
}
