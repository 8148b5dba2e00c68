import BelfryTestSupport
import Foundation

/// A Wayland compositor without a screen; it ends with this object.
final class HeadlessSway: Sendable {
    static let isInstalled = FileManager.default.isExecutableFile(atPath: "/usr/bin/sway")

    /// The path of its socket, for WAYLAND_DISPLAY.
    let display: String
    private let folder: TemporaryFolder
    private let process: Process

    init() async throws {
        folder = try TemporaryFolder()
        let runtime = try folder.folder("run")
        // Its first program says that it is ready.
        let settings = try folder.write("config", "xwayland disable\nexec 'echo $WAYLAND_DISPLAY'\n")
        chmod(folder.path, 0o711)
        chmod(settings, 0o644)
        chmod(runtime, 0o700)
        var command = ["/usr/bin/sway", "--config", settings]
        if getuid() == 0 {
            // sway refuses root.
            chown(runtime, Self.nobody, Self.nobody)
            let user = ["--reuid", "\(Self.nobody)", "--regid", "\(Self.nobody)", "--clear-groups"]
            command = ["/usr/bin/setpriv"] + user + command
        }
        process = Process()
        process.executableURL = URL(fileURLWithPath: command[0])
        process.arguments = Array(command.dropFirst())
        // With what a private desktop knows its processes by, should this test be killed.
        process.environment = ProcessInfo.processInfo.environment.merging([
            "HOME": runtime, "XDG_RUNTIME_DIR": runtime, "WLR_BACKENDS": "headless", "WLR_RENDERER": "pixman",
            "WLR_LIBINPUT_NO_DEVICES": "1",
        ]) { $1 }
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let printed = await offThePool { output.fileHandleForReading.availableData }
        display = runtime + "/" + String(decoding: printed, as: UTF8.self).trimmingCharacters(in: .newlines)
    }

    deinit {
        // It was started by a thread that blocks the signals of a polite end.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    private static let nobody: uid_t = 65534
}
