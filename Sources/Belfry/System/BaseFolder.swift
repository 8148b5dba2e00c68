import FoundationEssentials

/// The user's directories of the XDG base directory specification, which requires relative paths to be ignored.
package enum BaseFolder: String, Sendable {
    case data = "XDG_DATA_HOME"
    case config = "XDG_CONFIG_HOME"
    case state = "XDG_STATE_HOME"

    package func path(in environment: [String: String] = ProcessInfo.processInfo.environment) -> String {
        func absolute(_ variable: String) -> String? {
            environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        return absolute(rawValue) ?? (absolute("HOME") ?? FileManager.default.homeDirectoryForCurrentUser.path)
            + standard
    }

    private var standard: String {
        switch self {
        case .data: "/.local/share"
        case .config: "/.config"
        case .state: "/.local/state"
        }
    }
}
