import BelfryTesting
import FoundationEssentials

/// A message from the process that loads a plug-in to its parent: one line of JSON.
enum PluginMessage: Codable, Hashable, Sendable {
    /// The file was loaded, but not started.
    case loaded(name: String)
    /// The file could not be loaded; the code and the message are the error's.
    case refused(code: String, message: String)
    case checked(ConformanceStep)

    var line: String? { (try? JSONEncoder().encode(self)).map { String(decoding: $0, as: UTF8.self) } }

    /// Decodes a message; nil for other lines, such as the plug-in's own output.
    init?(line: some StringProtocol) {
        guard let message = try? JSONDecoder().decode(Self.self, from: Data(line.utf8)) else { return nil }
        self = message
    }
}
