import Belfry
import BelfryAgent
import BelfrySQLite
import FoundationEssentials

/// Errors that the user may not have seen: damage to stores, and errors of the agent.
extension Doctor {
    /// Returns the advice for damage to the store in a directory; without one, for the agent and its stores.
    private static func advice(_ folder: String? = nil) -> String {
        let store = folder.map { " --store \($0)" } ?? ""
        return "'belfry doctor --acknowledge\(store)' forgets it, when you have seen it."
    }

    /// The number of the latest errors to show; the journal may have more.
    private static let errorLimit = 5

    /// Returns the directories of the stores; one that was named by its directory has no app.
    private func folders(_ store: String?) -> [(app: String?, folder: String)] {
        let agent = AgentStorage(environment: environment)
        let apps = agent.apps().compactMap { app in (try? agent.folder(of: app)).map { (app as String?, $0) } }
        return apps + (store.map { [(nil, $0)] } ?? [])
    }

    private var journal: ErrorJournal { .ofAgent(environment: environment) }

    /// Returns unacknowledged damage.
    func damage(store: String?) -> [Diagnostic] {
        folders(store).flatMap { app, folder in
            StoreDamageLog(folder: folder).reports().map { damage in
                Diagnostic(
                    "damage",
                    .damaged,
                    "\(app ?? folder): \(damage.message)",
                    advice: Self.advice(app == nil ? folder : nil),
                    ["app": app, "folder": folder, "setAside": damage.setAside]
                )
            }
        }
    }

    func acknowledge(store: String?) {
        for (_, folder) in folders(store) { StoreDamageLog(folder: folder).acknowledge() }
        journal.clear()
    }

    /// Returns the agent's latest errors, which the user may not have seen.
    func errors() -> [Diagnostic] {
        journal.entries().suffix(Self.errorLimit).map { entry in
            let detail = "the agent, \(entry.date.readable()): \(entry.message)"
            return Diagnostic("error", .warning, detail, advice: Self.advice(), ["at": entry.date.rfc3339()])
        }
    }

    /// Opens a store as a command would, but creates none.
    func store(in folder: String) async -> Diagnostic {
        func diagnostic(_ state: Diagnostic.State, _ detail: String, _ advice: String? = nil) -> Diagnostic {
            Diagnostic("store", state, detail, advice: advice, ["folder": folder])
        }
        guard SQLiteRequestStore.exists(in: folder) else {
            let advice = "Look at the path; 'belfry add --store' makes one."
            return diagnostic(.missing, "there is none in \(folder)", advice)
        }
        do throws(NoticeError) {
            let store = try await SQLiteRequestStore.open(in: folder)
            let count = try await store.load().pending.count
            return diagnostic(.ok, "\(folder), with \(count) pending")
        } catch {
            guard error.code != .storeInUse else { return diagnostic(.ok, "\(folder) is in use: \(error.message)") }
            return diagnostic(.damaged, error.description, "Look at the directory and at what the error says.")
        }
    }
}
