import Belfry
import BelfryAgent
import BelfryDesktop

/// What desktops find of the apps whose requests the agent has, as `belfry app check` does.
extension Doctor {
    /// What is wrong with the apps that are known, and everything about those that are named.
    func identities(naming named: [String]) async -> [Diagnostic] {
        var apps = Set(named)
        // A sandbox has other folders than the desktop, and would find no app.
        if Sandbox.current(environment: environment) == nil { apps.formUnion(await appsOfAgent()) }
        return apps.sorted().flatMap { app in
            AppCheck(id: app, environment: environment).diagnostics()
                .filter { named.contains(app) || $0.state.isBad }
                .map { $0.asIdentity(of: app, isNeeded: named.contains(app)) }
        }
    }

    /// With those of an agent that has other folders than this program. The command line needs no desktop file.
    private func appsOfAgent() async -> Set<String> {
        let running = (try? await AgentDirectory().status())?.pending.keys.map(\.self) ?? []
        return Set(AgentPlace(environment: environment).apps() + running).subtracting([AgentNames.commandLine])
    }
}

extension Diagnostic {
    /// As one line among others: it names the app, and its own check as the part. An app is shown without a desktop file
    /// too, so what nobody asked about is no failure of this desktop.
    fileprivate func asIdentity(of app: String, isNeeded: Bool) -> Diagnostic {
        let state = state.isBad && !isNeeded ? .absent : state
        var diagnostic = Diagnostic("identity", state, "\(app), \(check): \(detail)", advice: advice)
        diagnostic.values = values.merging(["app": .string(app), "part": .string(check)]) { $1 }
        return diagnostic
    }
}
