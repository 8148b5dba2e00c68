import Belfry
import BelfryAgent

/// The apps of the agent that need the user's attention.
extension Doctor {
    /// Returns the apps whose requests can't be fired, and damage that only the agent finds. Without the status of an
    /// agent that runs, these are the apps that the next one will not start.
    func apps(_ status: AgentStatus?) -> [Diagnostic] {
        let quarantined = (status?.quarantined.sorted() ?? quarantinedApps()).map { app in
            Diagnostic(
                "app",
                .damaged,
                "\(app): quarantined, since it crashed the agent twice in a row",
                advice: "'belfry apps release \(app)' tries again.",
                ["app": app]
            )
        }
        guard let status else { return quarantined }
        let failing = status.failing.sorted { $0.key < $1.key }.map { app, error in
            Diagnostic(
                "app",
                .damaged,
                "\(app): nothing of it is shown: \(error)",
                advice: "The agent tries again by itself.",
                ["app": app, "code": error.code.rawValue]
            )
        }
        return quarantined + failing + damage(status)
    }

    private func quarantinedApps() -> [String] {
        let storage = AgentStorage(environment: environment)
        return storage.apps().filter { (try? storage.isQuarantined($0)) == true }
    }

    /// Returns damage to the stores of an agent that uses other directories than this program; ``damage(store:)`` reads
    /// those of this program.
    private func damage(_ status: AgentStatus) -> [Diagnostic] {
        guard status.folder != AgentStorage(environment: environment).path else { return [] }
        return status.damage.sorted { $0.key < $1.key }.map { app, count in
            let folder = "\(status.folder)/\(app)"
            return Diagnostic(
                "damage",
                .damaged,
                "\(app): \(Self.count(count, "report")) of damage to its store in \(folder)",
                advice: "'belfry doctor --store \(folder)' says more, and with --acknowledge forgets it.",
                ["app": app, "folder": folder, "count": count]
            )
        }
    }
}
