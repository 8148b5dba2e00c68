import Belfry
import BelfryAgent
import BelfryRecurrence
import BelfrySQLite
import Foundation

/// What has gone wrong where nobody was looking: damage to stores, and the errors of the agent.
extension Doctor {
    private static let advice = "'belfry doctor --acknowledge' forgets it, when you have seen it."
    /// The journal has more; what happened last says most.
    private static let errorLimit = 5

    /// A store by its folder.
    private struct Place {
        /// Nil for one that was named by its folder.
        var app: String?
        let folder: String

        var log: StoreDamageLog { StoreDamageLog(folder: folder) }
    }

    private func places(_ store: String?) -> [Place] {
        let agent = AgentPlace(environment: environment)
        let apps = agent.apps().compactMap { app in
            (try? agent.folder(of: app)).map { Place(app: app, folder: $0) }
        }
        return apps + (store.map { [Place(folder: $0)] } ?? [])
    }

    private var journal: ErrorJournal { .ofAgent(environment: environment) }

    /// Damage that nobody has acknowledged.
    func damage(store: String?) -> [DoctorFinding] {
        places(store).flatMap { place in
            place.log.reports().map { damage in
                var finding = DoctorFinding(
                    check: "damage",
                    state: .damaged,
                    detail: "\(place.app ?? place.folder): \(damage.message)",
                    advice: Self.advice
                )
                finding.values["app"] = place.app.map { .string($0) }
                finding.values["folder"] = .string(place.folder)
                finding.values["setAside"] = damage.setAside.map { .string($0) }
                return finding
            }
        }
    }

    func acknowledge(store: String?) {
        for place in places(store) { place.log.acknowledge() }
        journal.clear()
    }

    /// What the agent last reported, which nobody may have seen.
    func errors() -> [DoctorFinding] {
        journal.entries().suffix(Self.errorLimit).map { entry in
            DoctorFinding(
                check: "error",
                state: .warning,
                detail: "the agent, \(ReadableDate.text(entry.date, in: .system())): \(entry.message)",
                advice: Self.advice,
                values: ["at": .string(RFC3339.text(entry.date, in: .system()))]
            )
        }
    }

    /// Opens a store as a command would, and makes none.
    func store(in folder: String) async -> DoctorFinding {
        func finding(_ state: DoctorFinding.State, _ detail: String, _ advice: String? = nil) -> DoctorFinding {
            DoctorFinding(
                check: "store",
                state: state,
                detail: detail,
                advice: advice,
                values: ["folder": .string(folder)]
            )
        }
        guard SQLiteRequestStore.exists(in: folder) else {
            return finding(.missing, "there is none in \(folder)", "Look at the path; 'belfry add --store' makes one.")
        }
        do throws(NoticeError) {
            let store = try await SQLiteRequestStore.open(in: folder)
            let count = try await store.load().pending.count
            return finding(.ok, "\(folder), with \(count) pending")
        } catch {
            guard error.code != .storeInUse else { return finding(.ok, "\(folder) is in use: \(error.message)") }
            return finding(.damaged, error.description, "Look at the folder and at what it says.")
        }
    }
}
