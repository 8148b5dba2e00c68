import Belfry
import BelfryAgent

/// Has those who start the agent by its files read them now, and says each step.
struct AgentFileReaders {
    /// What became of the files.
    enum Change { case written, removed }

    let change: Change
    private let directory = AgentDirectory()

    func tell(_ output: CommandOutput) async throws {
        do throws(NoticeError) {
            try await directory.rereadServices()
            try say(output, "session bus", "told", "told the session bus to read its service files")
        } catch {
            guard error.code != .noBus else {
                return try say(
                    output,
                    "session bus",
                    "absent",
                    change == .written
                        ? "no session bus here: it reads the files when it is started, at the next login"
                        : "no session bus here that would have to forget them"
                )
            }
            try say(output, "session bus", "failed", "the session bus did not read its service files: \(error)")
        }
        do throws(NoticeError) {
            guard try await directory.hasSystemd() else {
                // Without the files nothing starts the agent anyway.
                guard change == .written else { return }
                return try say(
                    output,
                    "systemd",
                    "absent",
                    "no systemd for this user: after a crash the agent is back at the next use or login"
                )
            }
            try await directory.rereadUnits()
            try say(output, "systemd", "told", "told systemd to read its unit files")
        } catch {
            try say(output, "systemd", "failed", "systemd did not read its unit files: \(error)")
        }
    }

    private func say(_ output: CommandOutput, _ service: String, _ state: String, _ words: String) throws(NoticeError) {
        do {
            try output.object([("service", .string(service)), ("state", .string(state))])
            try output.line(words)
        } catch { throw NoticeError(.systemFailure, "Standard output can't be written.", cause: "\(error)") }
    }
}
