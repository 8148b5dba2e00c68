import Belfry
import BelfryAgent

extension AgentDirectory {
    /// Makes the session bus and systemd read the agent's files now, after they were written or removed, and reports
    /// each step.
    func reread(areRemoved: Bool = false, to output: CommandOutput) async throws {
        func report(_ service: String, _ state: String, _ words: String) throws {
            try output.result(["service": service, "state": state], words)
        }
        do {
            try await rereadServices()
            try report("session bus", "told", "the session bus has read its service files")
        } catch NoticeError.Code.noBus {
            let words =
                areRemoved
                ? "no session bus here that would have to forget them"
                : "no session bus here: it reads the files when it is started, at the next login"
            try report("session bus", "absent", words)
        } catch let error as NoticeError {
            try report("session bus", "failed", "the session bus did not read its service files: \(error)")
        }
        do {
            if try await hasSystemd() {
                try await rereadUnits()
                try report("systemd", "told", "systemd has read its unit files")
            } else if !areRemoved {
                // After an uninstallation nothing starts the agent anyway.
                let words = "no systemd for this user: after a crash the agent is back at the next use or login"
                try report("systemd", "absent", words)
            }
        } catch NoticeError.Code.noBus {
            guard !areRemoved else { return }
            let words = "no session bus to reach systemd over: it reads the files when it is started, at the next login"
            try report("systemd", "absent", words)
        } catch let error as NoticeError {
            try report("systemd", "failed", "systemd did not read its unit files: \(error)")
        }
    }
}
