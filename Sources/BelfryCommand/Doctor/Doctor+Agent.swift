import Belfry
import BelfryAgent
import Glibc

/// The checks of whether requests outlive the programs that make them.
extension Doctor {
    /// Looks for the agent on the bus. Returns its status, too, if it runs and reports one.
    func agent(hasBus: Bool) async -> (diagnostics: [Diagnostic], status: AgentStatus?) {
        guard hasBus else { return ([Diagnostic("agent", .absent, "without a bus there is no agent")], nil) }
        let directory = AgentDirectory()
        do throws(NoticeError) {
            let presence = try await directory.presence()
            let hasSystemd = try await directory.hasSystemd()
            var diagnostic = agent(presence)
            var status: AgentStatus?
            if case .running = presence { status = await addStatus(from: directory, to: &diagnostic) }
            addStorage(to: &diagnostic)
            if presence != .absent { addObstacle(in: status?.folder, to: &diagnostic) }
            addInstallation(to: &diagnostic)
            return ([diagnostic, systemd(hasSystemd)], status)
        } catch { return ([Diagnostic("agent", .absent, error.message)], nil) }
    }

    private func agent(_ presence: AgentDirectory.Presence) -> Diagnostic {
        var diagnostic = Diagnostic(
            "agent",
            presence == .absent ? .absent : .ok,
            presence.words,
            ["presence": presence.name]
        )
        switch presence {
        case .running(let process): diagnostic.values["process"] = process.map { .int(Int64($0)) } ?? .null
        case .absent: diagnostic.advice = "add and series wait in their own process instead."
        case .activatable, .found: break
        }
        return diagnostic
    }

    /// Adds where the stores are, unless the agent has reported it.
    private func addStorage(to diagnostic: inout Diagnostic) {
        guard diagnostic.values["store"] == nil else { return }
        let storage = AgentStorage(environment: environment)
        let count = storage.apps().count
        if count > 0 { diagnostic.detail += "; \(Self.count(count, "app")) left something in \(storage.path)" }
        diagnostic.values["store"] = .string(storage.path)
    }

    /// Adds why the agent can't store anything in its directory, by default the one of this environment.
    private func addObstacle(in folder: String?, to diagnostic: inout Diagnostic) {
        guard let obstacle = Self.obstacle(in: folder ?? AgentStorage(environment: environment).path) else { return }
        diagnostic.state = .damaged
        diagnostic.detail += "; it can't store anything: \(obstacle)"
        diagnostic.advice =
            "Make that a directory in which this user may write, or name another one in XDG_STATE_HOME."
    }

    /// Returns the path at which nothing can be written, with the reason; nil if a directory is writable or can be
    /// created. Creates nothing.
    private static func obstacle(in folder: String) -> String? {
        var path = folder[...]
        while access("\(path)/.", W_OK | X_OK) != 0 {
            let code = errno
            // The nearest parent that exists decides whether the directory can be created.
            guard code == ENOENT, let slash = path.lastIndex(of: "/") else {
                return "\(path.isEmpty ? "/" : path): \(String(cString: strerror(code)))"
            }
            path = path[..<slash]
        }
        return nil
    }

    /// Adds whether the agent is installed. Other advice is more urgent; without an agent there always is some.
    private func addInstallation(to diagnostic: inout Diagnostic) {
        let program = AgentProgram.find(environment: environment) ?? AgentProgram.packaged
        let files = AgentInstallation.current(program: program, environment: environment).state()
        let isInstalled = files.missing.isEmpty && files.differing.isEmpty
        diagnostic.values["installed"] = .bool(isInstalled)
        guard !isInstalled, diagnostic.advice == nil else { return }
        let why =
            files.differing.isEmpty
            ? "is not installed" : "is installed with other contents, such as another program"
        diagnostic.detail += "; it \(why)"
        diagnostic.advice = "'belfry agent install' makes it start again after a crash and at login."
    }

    private func addStatus(from directory: AgentDirectory, to diagnostic: inout Diagnostic) async -> AgentStatus? {
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
            return status
        } catch {
            diagnostic.detail += "; it does not say more: \(error.message)"
            diagnostic.advice = "End it, and the next call starts the one that belongs to this version."
            // An older agent replies, with the error that is the cause, and one that has just ended runs no more.
            if error.code == .agentUnavailable, error.cause == nil, case .running = try? await directory.presence() {
                diagnostic.state = .damaged
                diagnostic.advice =
                    "If it still does not reply, end it with SIGKILL, and the next call starts a new one."
            }
            return nil
        }
    }

    private func systemd(_ isThere: Bool) -> Diagnostic {
        let detail =
            isThere
            ? "it runs for this user: it starts an installed agent again after a crash"
            : "none for this user: after a crash the agent is back at the next use or login"
        return Diagnostic("systemd", isThere ? .ok : .absent, detail, ["systemd": isThere])
    }

    static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
}
