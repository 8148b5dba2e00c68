import BelfryTesting
import FoundationEssentials

/// What the process that loads a plug-in reports to the one that started it: one line of JSON each.
enum PluginMessage: Codable, Hashable, Sendable {
    /// The file was loaded; not started.
    case loaded(name: String)
    /// The file could not be loaded: the code and the message of the error.
    case refused(code: String, message: String)
    case checked(ConformanceStep)

    var line: String? { (try? JSONEncoder().encode(self)).map { String(decoding: $0, as: UTF8.self) } }

    /// Nil for what is none, such as a line of the plug-in's own.
    init?(line: some StringProtocol) {
        guard let message = try? JSONDecoder().decode(Self.self, from: Data(line.utf8)) else { return nil }
        self = message
    }
}
