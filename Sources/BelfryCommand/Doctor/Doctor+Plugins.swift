import Belfry
import BelfryPluginHost
import Foundation

/// The plug-in files on the search path: each is loaded, as `--backend plugin:NAME` does, and not started. That is done in
/// another process, which a bad file may end.
extension Doctor {
    func plugins() async -> [DoctorFinding] {
        let path = PluginSearchPath.standard(environment: environment)
        let files = path.folders.flatMap { folder in
            ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
                .filter { $0.hasSuffix(".so") }.map { "\(folder)/\($0)" }
        }
        guard !files.isEmpty else {
            return [
                DoctorFinding(
                    check: "plug-ins",
                    state: .absent,
                    detail: "none in \(path.folders.joined(separator: ", "))",
                    values: ["folders": .array(path.folders.map { .string($0) })]
                )
            ]
        }
        var findings: [DoctorFinding] = []
        for file in files { findings.append(await look(at: file)) }
        return findings
    }

    private func look(at file: String) async -> DoctorFinding {
        do throws(NoticeError) {
            let child = PluginChild(arguments: [PluginChildCommand.Look.name, "--", file], limit: .seconds(5))
            let (messages, end) = try await child.run()
            switch messages.first {
            case .loaded(let name) where end == .exited:
                return DoctorFinding(
                    check: "plug-in",
                    state: .ok,
                    detail: "\(name.printable); --backend plugin:\(file)",
                    values: ["path": .string(file), "name": .string(name)]
                )
            case .refused(let code, let message):
                return refusal(of: file, "refused: \(message.printable)", NoticeError.Code(rawValue: code))
            default:
                return refusal(of: file, "loading failed: \(end.words ?? "it ended the process")", .pluginMisbehaved)
            }
        } catch { return refusal(of: file, error.message, error.code) }
    }

    private func refusal(of file: String, _ detail: String, _ code: NoticeError.Code) -> DoctorFinding {
        DoctorFinding(
            check: "plug-in",
            state: .damaged,
            detail: detail,
            advice: "Belfry does without it; mend it ('belfry plugin check \(file)'), or take it away.",
            values: ["path": .string(file), "code": .string(code.rawValue)]
        )
    }
}
