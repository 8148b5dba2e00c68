import Belfry
import BelfryAgent

/// The checks of whether requests outlive the programs that make them.
extension Doctor {
    func agent() async -> [Diagnostic] {
        let directory = AgentDirectory()
        do throws(NoticeError) {
            let presence = try await directory.presence()
            let hasSystemd = try await directory.hasSystemd()
            return [await agent(presence, directory), systemd(hasSystemd)]
        } catch { return [Diagnostic("agent", .absent, error.message)] }
    }

    private func agent(_ presence: AgentDirectory.Presence, _ directory: AgentDirectory) async -> Diagnostic {
        var diagnostic =
            switch presence {
            case .running(let process): await running(process, directory)
            case .activatable:
                Diagnostic("agent", .ok, "the bus starts it when it is called", ["presence": "activatable"])
            case .found(let program):
                Diagnostic("agent", .ok, "belfry starts \(program) when it needs it", ["presence": "found"])
            case .absent:
                Diagnostic(
                    "agent",
                    .absent,
                    "there is no 'belfryd' beside belfry or in PATH",
                    advice: "add and series wait in their own process instead.",
                    ["presence": "absent"]
                )
            }
        let storage = AgentStorage(environment: environment)
        if diagnostic.values["store"] == nil {
            let count = storage.apps().count
            if count > 0 { diagnostic.detail += "; \(Self.count(count, "app")) left something in \(storage.path)" }
            diagnostic.values["store"] = .string(storage.path)
        }
        let program = AgentProgram.find(environment: environment) ?? AgentProgram.packaged
        let files = AgentInstallation.current(program: program, environment: environment).state()
        let isInstalled = files.missing.isEmpty && files.differing.isEmpty
        diagnostic.values["installed"] = .bool(isInstalled)
        if !isInstalled, presence != .absent, diagnostic.advice == nil {
            let why =
                files.differing.isEmpty
                ? "is not installed" : "is installed with other contents, such as another program"
            diagnostic.detail += "; it \(why)"
            diagnostic.advice = "'belfry agent install' has it back after a crash, and after a new login."
        }
        return diagnostic
    }

    private func running(_ process: UInt32?, _ directory: AgentDirectory) async -> Diagnostic {
        let number = process.map { Int($0) }
        var diagnostic = Diagnostic(
            "agent",
            .ok,
            number.map { "runs as process \($0)" } ?? "runs",
            ["presence": "running", "process": number?.json ?? JSONValue.null]
        )
        do throws(NoticeError) {
            let status = try await directory.status()
            let pending = status.pending.values.reduce(0, +)
            diagnostic.detail +=
                ", version \(status.version); \(Self.count(pending, "request")) of "
                + "\(Self.count(status.pending.count, "app")) pending; stores in \(status.folder)"
            diagnostic.values["version"] = .string(status.version)
            diagnostic.values["store"] = .string(status.folder)
            diagnostic.values["pending"] = pending.json
            diagnostic.values["apps"] = status.pending.count.json
            if status.version != Release.version {
                diagnostic.advice =
                    "This is version \(Release.version): end the agent, and the next call starts the new one."
            }
        } catch {
            diagnostic.detail += "; it does not say more: \(error.message)"
            diagnostic.advice = "End it, and the next call starts the one that belongs to this version."
        }
        return diagnostic
    }

    private func systemd(_ isThere: Bool) -> Diagnostic {
        let detail =
            isThere
            ? "it runs for this user: it starts an installed agent again after a crash"
            : "none for this user: after a crash the agent is back at the next use or login"
        return Diagnostic("systemd", isThere ? .ok : .absent, detail, ["systemd": isThere])
    }

    private static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
}
