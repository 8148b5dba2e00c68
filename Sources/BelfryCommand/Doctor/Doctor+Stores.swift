import Belfry
import BelfryAgent
import BelfrySQLite
import FoundationEssentials

/// What has gone wrong where nobody was looking: damage to stores, and the errors of the agent.
extension Doctor {
    private static let advice = "'belfry doctor --acknowledge' forgets it, when you have seen it."
    /// The journal has more; what happened last says most.
    private static let errorLimit = 5

    /// The stores by their folders; one that was named by its folder has no app.
    private func folders(_ store: String?) -> [(app: String?, folder: String)] {
        let agent = AgentPlace(environment: environment)
        let apps = agent.apps().compactMap { app in (try? agent.folder(of: app)).map { (app as String?, $0) } }
        return apps + (store.map { [(nil, $0)] } ?? [])
    }

    private var journal: ErrorJournal { .ofAgent(environment: environment) }

    /// Damage that nobody has acknowledged.
    func damage(store: String?) -> [Diagnostic] {
        folders(store).flatMap { app, folder in
            StoreDamageLog(folder: folder).reports().map { damage in
                Diagnostic(
                    "damage",
                    .damaged,
                    "\(app ?? folder): \(damage.message)",
                    advice: Self.advice,
                    ["app": app, "folder": folder, "setAside": damage.setAside]
                )
            }
        }
    }

    func acknowledge(store: String?) {
        for (_, folder) in folders(store) { StoreDamageLog(folder: folder).acknowledge() }
        journal.clear()
    }

    /// What the agent last reported, which nobody may have seen.
    func errors() -> [Diagnostic] {
        journal.entries().suffix(Self.errorLimit).map { entry in
            let detail = "the agent, \(entry.date.readable()): \(entry.message)"
            return Diagnostic("error", .warning, detail, advice: Self.advice, ["at": entry.date.rfc3339()])
        }
    }

    /// Opens a store as a command would, and makes none.
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
            return diagnostic(.damaged, error.description, "Look at the folder and at what it says.")
        }
    }
}
