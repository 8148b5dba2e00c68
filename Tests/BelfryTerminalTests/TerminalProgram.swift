import BelfryTestSupport
import Foundation

/// A program that has a scripted terminal as its own, in a session of its own.
enum TerminalProgram {
    static let belfry = BuildFolder.path + "/belfry"

    /// No bus: as after logging in by SSH.
    static let environment = [
        "PATH": "/usr/bin:/bin", "TZ": "UTC", "HOME": "/nonexistent", "LC_ALL": "C.UTF-8", "TERM": "xterm-256color",
    ]

    /// Runs a line of the shell to its end; answers its status.
    static func run(
        _ line: String,
        on terminal: ScriptedTerminal,
        adding variables: [String: String] = [:]
    ) async throws -> Int32 {
        let path = terminal.path
        return try await offThePool {
            let program = Process()
            program.executableURL = URL(fileURLWithPath: "/usr/bin/setsid")
            program.arguments = ["--ctty", "--wait", "/bin/sh", "-c", line]
            program.environment = environment.merging(variables) { $1 }
            let slave = FileHandle(fileDescriptor: open(path, O_RDWR | O_NOCTTY | O_CLOEXEC), closeOnDealloc: true)
            program.standardInput = slave
            program.standardOutput = slave
            program.standardError = slave
            try program.run()
            program.waitUntilExit()
            return program.terminationStatus
        }
    }
}
