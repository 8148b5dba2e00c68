public import Belfry
import BelfryBus
package import FoundationEssentials

extension NoticeError.Code {
    /// The app's center crashed the agent twice in a row at its start. It is not started again until
    /// ``AgentDirectory/release(_:)``. Permanent until then.
    public static let appQuarantined = Self(rawValue: "appQuarantined")
}

extension NoticeError {
    package init(quarantined app: String, since date: Date) {
        self.init(
            .appQuarantined,
            "The agent does not start '\(app)': it crashed the agent twice in a row, the last time on "
                + "\(date.formatted(.iso8601)). 'belfry apps release \(app)' tries again."
        )
    }
}

extension AgentDirectory {
    /// Makes the agent start a quarantined app again; its requests are unchanged.
    ///
    /// Throws ``Belfry/NoticeError/Code/agentUnavailable`` (transient) if the app crashes the agent again,
    /// ``Belfry/NoticeError/Code/noBus`` (transient), and the store's error if its store can't be opened.
    public func release(_ app: String) async throws(NoticeError) {
        try await AgentEngine(AppIdentity(id: app), options).send("Release")
    }
}

extension AgentStorage {
    /// Whether the agent doesn't start the app, or will not at its next start. Starts nothing. Throws
    /// ``Belfry/NoticeError/Code/invalidIdentifier`` (permanent).
    package func isQuarantined(_ app: String) throws(NoticeError) -> Bool {
        StartMark(folder: try folder(of: app), bootID: SystemTriggerClock().bootID).isQuarantined
    }
}
