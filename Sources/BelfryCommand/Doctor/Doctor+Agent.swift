import Belfry
import BelfryAgent

/// Whether requests outlive the programs that make them.
extension Doctor {
    func agent() async -> [DoctorFinding] {
        let directory = AgentDirectory()
        do throws(NoticeError) {
            let presence = try await directory.presence()
            let hasSystemd = try await directory.hasSystemd()
            return [await agent(presence, directory), systemd(hasSystemd)]
        } catch { return [DoctorFinding(check: "agent", state: .absent, detail: error.message)] }
    }

    private func agent(_ presence: AgentDirectory.Presence, _ directory: AgentDirectory) async -> DoctorFinding {
        let program = AgentProgram.find(environment: environment)
        let files = AgentInstallation(program: program ?? "/usr/bin/belfryd", environment: environment).state()
        let isInstalled = files.missing.isEmpty && files.differing.isEmpty
        let place = AgentPlace(environment: environment)
        var finding: DoctorFinding
        switch presence {
        case .running(let process): finding = await running(process, directory)
        case .activatable:
            finding = DoctorFinding(check: "agent", state: .ok, detail: "the bus starts it when it is called")
            finding.values["presence"] = "activatable"
        case .found(let program):
            finding = DoctorFinding(check: "agent", state: .ok, detail: "belfry starts \(program) when it needs it")
            finding.values["presence"] = "found"
        case .absent:
            finding = DoctorFinding(
                check: "agent",
                state: .absent,
                detail: "there is no 'belfryd' beside belfry or in PATH",
                advice: "add and series wait in their own process instead."
            )
            finding.values["presence"] = "absent"
        }
        let apps = place.apps().count
        if finding.values["store"] == nil, apps > 0 {
            finding = finding.saying("\(Self.count(apps, "app")) left something in \(place.path)")
        }
        finding.values["store"] = finding.values["store"] ?? .string(place.path)
        finding.values["installed"] = .bool(isInstalled)
        if !isInstalled, presence != .absent, finding.advice == nil {
            let why =
                files.differing.isEmpty
                ? "is not installed" : "is installed with other contents, such as another program"
            finding = finding.saying("it \(why)")
            finding.advice = "'belfry agent install' has it back after a crash, and after a new login."
        }
        return finding
    }

    private func running(_ process: UInt32?, _ directory: AgentDirectory) async -> DoctorFinding {
        var detail = process.map { "runs as process \($0)" } ?? "runs"
        var values: [String: JSONValue] = ["presence": "running", "process": process.map { .int(Int64($0)) } ?? .null]
        var advice: String?
        do throws(NoticeError) {
            let status = try await directory.status()
            let pending = status.pending.values.reduce(0, +)
            detail += ", version \(status.version); \(Self.count(pending, "request")) of "
            detail += "\(Self.count(status.pending.count, "app")) pending; stores in \(status.folder)"
            values["version"] = .string(status.version)
            values["store"] = .string(status.folder)
            values["pending"] = .int(Int64(pending))
            values["apps"] = .int(Int64(status.pending.count))
            if status.version != Release.version {
                advice = "This is version \(Release.version): end the agent, and the next call starts the new one."
            }
        } catch {
            detail += "; it does not say more: \(error.message)"
            advice = "End it, and the next call starts the one that belongs to this version."
        }
        return DoctorFinding(check: "agent", state: .ok, detail: detail, advice: advice, values: values)
    }

    private func systemd(_ isThere: Bool) -> DoctorFinding {
        DoctorFinding(
            check: "systemd",
            state: isThere ? .ok : .absent,
            detail: isThere
                ? "it runs for this user: it starts an installed agent again after a crash"
                : "none for this user: after a crash the agent is back at the next use or login",
            values: ["systemd": .bool(isThere)]
        )
    }

    private static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
}
