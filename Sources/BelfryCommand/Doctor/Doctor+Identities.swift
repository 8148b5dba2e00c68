import Belfry
import BelfryAgent
import BelfryDesktop

/// The checks of how desktops identify the agent's apps, as in `belfry app check`.
extension Doctor {
    /// Returns the errors of the known apps, and all results for the named ones.
    func identities(naming named: [String], _ status: AgentStatus?) -> [Diagnostic] {
        var apps = Set(named)
        // A sandbox has other directories than the desktop, so no app would be found.
        if Sandbox.current() == nil { apps.formUnion(appsOfAgent(status)) }
        return apps.sorted().flatMap { app in
            AppCheck(id: app, environment: environment).diagnostics()
                .filter { named.contains(app) || $0.state.isBad }
                .map { $0.asIdentity(of: app, isNeeded: named.contains(app)) }
        }
    }

    /// Includes the apps of an agent that uses other directories. The command line needs no desktop file.
    private func appsOfAgent(_ status: AgentStatus?) -> Set<String> {
        let running = status?.pending.keys.map(\.self) ?? []
        return Set(AgentStorage(environment: environment).apps() + running).subtracting([AgentNames.commandLine])
    }
}

extension Diagnostic {
    /// Returns the result as one line among others, with the app and the original check as the part. Notices of an app
    /// are shown even without a desktop file, so errors of apps that the user did not name are no failure.
    fileprivate func asIdentity(of app: String, isNeeded: Bool) -> Diagnostic {
        let state = state.isBad && !isNeeded ? .absent : state
        var diagnostic = Diagnostic("identity", state, "\(app), \(check): \(detail)", advice: advice)
        diagnostic.values = values.merging(["app": .string(app), "part": .string(check)]) { $1 }
        return diagnostic
    }
}
