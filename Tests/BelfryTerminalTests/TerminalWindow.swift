import BelfryTestSupport
import Foundation

/// A real terminal, and a script that runs in it: a line, then it waits until somebody writes to ``written``.
struct TerminalWindow {
    let folder: TemporaryFolder
    private let script: String

    /// The script has no bus, as after logging in by SSH.
    init(running line: String) throws {
        folder = try TemporaryFolder()
        let path = folder.path
        guard mkfifo(path + "/written", 0o600) == 0 else { throw CocoaError(.fileWriteUnknown) }
        script = try folder.writeScript(
            "inside",
            """
            exec 2>'\(path)/errors'
            unset DBUS_SESSION_BUS_ADDRESS
            \(line)
            echo $? >'\(path)/status'
            # What the terminal has answered and nobody has read, within a fifth of a second.
            stty -icanon -echo min 0 time 2
            dd bs=64 count=1 of='\(path)/unread' 2>'\(path)/dd'
            timeout -s KILL 120 cat '\(path)/written' >'\(path)/notice'
            """
        )
    }

    /// The pipe that the script waits at; it keeps what comes.
    var written: String { folder.path + "/written" }

    /// Runs a program that is a terminal until the script has ended.
    func open(_ program: String, _ arguments: [String], adding variables: [String: String]) async throws {
        let command = [program] + arguments + [script]
        let log = try folder.write("log", "")
        try await offThePool { [folder] in
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/timeout")
            process.arguments = ["-s", "KILL", "240"] + command
            process.environment = TerminalProgram.environment.merging(["HOME": folder.path]) { $1 }
                .merging(variables) { $1 }
            process.standardOutput = FileHandle(forWritingAtPath: log)
            process.standardError = process.standardOutput
            try process.run()
            process.waitUntilExit()
        }
    }

    /// Lets the script end.
    func end() async throws {
        try await offThePool { [written] in try FileHandle(forWritingTo: URL(fileURLWithPath: written)).close() }
    }

    /// What the script has left; empty where it didn't come that far.
    func left(_ name: String) -> String { (try? String(contentsOfFile: folder.path(name), encoding: .utf8)) ?? "" }
    /// For a failure of the test.
    var said: String { left("log") + left("errors") }
}
