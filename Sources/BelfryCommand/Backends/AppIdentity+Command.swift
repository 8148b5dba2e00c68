import Belfry
import BelfryAgent

extension AppIdentity {
    /// The identity of the command line, used if no other app is named.
    static func command(_ name: String = "belfry") -> AppIdentity {
        AppIdentity(id: AgentNames.commandLine, name: name)
    }
}
