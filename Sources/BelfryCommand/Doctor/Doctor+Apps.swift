import Belfry
import BelfryAgent

/// What the agent reports about apps that need the user.
extension Doctor {
    /// The apps whose requests the agent can't fire, and damage that only the agent finds. None where it does not run.
    func apps() async -> [Diagnostic] {
        guard let status = try? await AgentDirectory().status() else { return [] }
        let quarantined = status.quarantined.sorted().map { app in
            Diagnostic(
                "app",
                .damaged,
                "\(app): quarantined, since it crashed the agent twice in a row",
                advice: "'belfry apps release \(app)' tries again.",
                ["app": app]
            )
        }
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

    /// Damage to the stores of an agent that has other folders than this program: ``damage(store:)`` reads those of
    /// this one.
    private func damage(_ status: AgentStatus) -> [Diagnostic] {
        guard status.folder != AgentPlace(environment: environment).path else { return [] }
        return status.damage.sorted { $0.key < $1.key }.map { app, count in
            let folder = "\(status.folder)/\(app)"
            return Diagnostic(
                "damage",
                .damaged,
                "\(app): \(count) report\(count == 1 ? "" : "s") of damage to its store in \(folder)",
                advice: "'belfry doctor --store \(folder)' says more, and with --acknowledge forgets it.",
                ["app": app, "folder": folder, "count": count]
            )
        }
    }
}
