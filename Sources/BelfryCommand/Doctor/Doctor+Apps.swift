import Belfry
import BelfryAgent

/// What the agent says of apps that need the user.
extension Doctor {
    /// The apps whose requests the agent can't fire, and damage that only the agent finds. None where it does not run.
    func apps() async -> [DoctorFinding] {
        guard let status = try? await AgentDirectory().status() else { return [] }
        let quarantined = status.quarantined.sorted().map { app in
            DoctorFinding(
                check: "app",
                state: .damaged,
                detail: "\(app): quarantined, since it crashed the agent twice in a row",
                advice: "'belfry apps release \(app)' tries again.",
                values: ["app": .string(app)]
            )
        }
        let failing = status.failing.sorted { $0.key < $1.key }.map { app, error in
            DoctorFinding(
                check: "app",
                state: .damaged,
                detail: "\(app): nothing of it is shown: \(error)",
                advice: "The agent tries again by itself.",
                values: ["app": .string(app), "code": .string(error.code.rawValue)]
            )
        }
        return quarantined + failing + damage(status)
    }

    /// Damage to the stores of an agent that has other folders than this program: ``damage(store:)`` reads those of this one.
    private func damage(_ status: AgentStatus) -> [DoctorFinding] {
        guard status.folder != AgentPlace(environment: environment).path else { return [] }
        return status.damage.sorted { $0.key < $1.key }.map { app, count in
            let folder = "\(status.folder)/\(app)"
            return DoctorFinding(
                check: "damage",
                state: .damaged,
                detail: "\(app): \(count) report\(count == 1 ? "" : "s") of damage to its store in \(folder)",
                advice: "'belfry doctor --store \(folder)' says more, and with --acknowledge forgets it.",
                values: ["app": .string(app), "folder": .string(folder), "count": .int(Int64(count))]
            )
        }
    }
}
