import BelfryAgent

extension AgentDirectory.Presence {
    /// The name in the JSON output.
    var name: String {
        switch self {
        case .running: "running"
        case .activatable: "activatable"
        case .found: "found"
        case .absent: "absent"
        }
    }

    /// A clause for the user.
    var words: String {
        switch self {
        case .running(let process): "it runs" + (process.map { " as process \($0)" } ?? "")
        case .activatable: "it does not run; the bus starts it when it is called"
        case .found(let program): "it does not run; belfry starts \(program) when it needs it"
        case .absent: "there is no 'belfryd' beside belfry or in PATH"
        }
    }
}
