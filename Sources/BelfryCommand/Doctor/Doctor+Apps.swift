import Belfry
import BelfryAgent

/// Apps whose requests nobody fires.
extension Doctor {
    /// The apps whose requests the agent can't fire. None where it does not run.
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
        return quarantined + failing
    }
}
