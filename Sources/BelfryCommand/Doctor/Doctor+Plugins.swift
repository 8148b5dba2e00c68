import Belfry
import BelfryConsole
import BelfryPluginHost
import FoundationEssentials

/// The plug-in files on the search path. Each is loaded like `--backend plugin:NAME`, but not started. Another process
/// loads it, because a bad file may end its process.
extension Doctor {
    func plugins() async -> [Diagnostic] {
        let folders = PluginSearchPath.standard(environment: environment).folders
        let files = folders.flatMap { folder in
            ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
                .filter { $0.hasSuffix(".so") }.map { "\(folder)/\($0)" }
        }
        guard !files.isEmpty else {
            return [
                Diagnostic("plug-ins", .absent, "none in \(folders.joined(separator: ", "))", ["folders": folders])
            ]
        }
        var diagnostics: [Diagnostic] = []
        for file in files { diagnostics.append(await look(at: file)) }
        return diagnostics
    }

    private func look(at file: String) async -> Diagnostic {
        do throws(NoticeError) {
            let child = PluginChild(arguments: ["--", file], timeout: .seconds(5))
            let (messages, end) = try await child.run()
            switch messages.first {
            case .loaded(let name) where end.words == nil:
                let detail = "\(name.oneLine); --backend plugin:\(file)"
                return Diagnostic("plug-in", .ok, detail, ["path": file, "name": name])
            case .refused(let code, let message): return refusal(of: file, "refused: \(message.oneLine)", code)
            default:
                let detail = "loading failed: \(end.words ?? "it ended the process")"
                return refusal(of: file, detail, NoticeError.Code.pluginMisbehaved.rawValue)
            }
        } catch { return refusal(of: file, error.message, error.code.rawValue) }
    }

    private func refusal(of file: String, _ detail: String, _ code: String) -> Diagnostic {
        let advice = "Belfry does without it; mend it ('belfry plugin check \(file)'), or take it away."
        return Diagnostic("plug-in", .damaged, detail, advice: advice, ["path": file, "code": code])
    }
}
