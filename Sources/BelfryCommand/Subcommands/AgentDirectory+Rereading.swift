import Belfry
import BelfryAgent

/// Makes the session bus and systemd read the agent's files now, and reports each step.
struct AgentFileReaders {
    /// The change of the files.
    enum Change { case written, removed }

    let change: Change
    let output: CommandOutput
    private let directory = AgentDirectory()

    init(_ change: Change, _ output: CommandOutput) {
        self.change = change
        self.output = output
    }

    func reread() async throws {
        do {
            try await directory.rereadServices()
            try report("session bus", "told", "told the session bus to read its service files")
        } catch NoticeError.Code.noBus {
            let words =
                change == .written
                ? "no session bus here: it reads the files when it is started, at the next login"
                : "no session bus here that would have to forget them"
            try report("session bus", "absent", words)
        } catch let error as NoticeError {
            try report("session bus", "failed", "the session bus did not read its service files: \(error)")
        }
        do {
            if try await directory.hasSystemd() {
                try await directory.rereadUnits()
                try report("systemd", "told", "told systemd to read its unit files")
            } else if change == .written {
                // After an uninstallation nothing starts the agent anyway.
                let words = "no systemd for this user: after a crash the agent is back at the next use or login"
                try report("systemd", "absent", words)
            }
        } catch let error as NoticeError {
            try report("systemd", "failed", "systemd did not read its unit files: \(error)")
        }
    }

    private func report(_ service: String, _ state: String, _ words: String) throws {
        try output.result(["service": service, "state": state], words)
    }
}
