import Belfry
import BelfryPlugins
import Foundation

/// The plug-in files on the search path: each is loaded, as `--backend plugin:NAME` does, and not started.
extension Doctor {
    func plugins() -> [DoctorFinding] {
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
        return files.map(look)
    }

    private func look(at file: String) -> DoctorFinding {
        do throws(NoticeError) {
            let plugin = try PluginBackend(loading: file, for: .command())
            return DoctorFinding(
                check: "plug-in",
                state: .ok,
                detail: "\(plugin.name); --backend plugin:\(file)",
                values: ["path": .string(file), "name": .string(plugin.name)]
            )
        } catch {
            return DoctorFinding(
                check: "plug-in",
                state: .missing,
                detail: "refused: \(error.message)",
                advice: "Belfry does without it; mend it, or take \(file) away.",
                values: ["path": .string(file), "code": .string(error.code.rawValue)]
            )
        }
    }
}
