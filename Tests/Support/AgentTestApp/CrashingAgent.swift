import Belfry
import BelfryAgentService
import Foundation

/// The agent, but for a fault that is put into it: it dies as it opens the store of an app that a file names. Each of
/// these deaths is a line of the file beside that one, with `.crashes` at the end of its name.
struct CrashingAgent {
    let list: String

    func run() async -> Int32 {
        resetInheritedSignals()
        return await AgentProgramMain.run { options in
            let open = options.openStore
            options.openStore = { [list] folder async throws(NoticeError) in
                let app = (folder as NSString).lastPathComponent
                let named = (try? String(contentsOfFile: list, encoding: .utf8)) ?? ""
                if named.split(separator: "\n").contains(Substring(app)) {
                    let log = FileHandle(forWritingAtPath: list + ".crashes")
                    _ = try? log?.seekToEnd()
                    try? log?.write(contentsOf: Data("\(app)\n".utf8))
                    abort()
                }
                return try await open(folder)
            }
        }
    }
}
