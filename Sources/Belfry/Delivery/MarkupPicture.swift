import BelfryRecurrence
import FoundationEssentials

/// A picture in a markup text: `<img src="/usr/share/pixmaps/map.png" alt="Map"/>`.
struct MarkupPicture {
    let source: String?
    /// The text that replaces the picture if it can't be shown.
    let text: String?

    /// The maximum file size in bytes that a server should have to read.
    private static let longest = 16 << 20

    /// The URL for the server; nil if it is not a local file. A text may come from an untrusted source: a network
    /// address would reveal who reads it, and a pipe or a device could block the server forever.
    var address: String? {
        guard let source, source.unicodeScalars.allSatisfy({ $0.value >= 0x20 }) else { return nil }
        let path: String
        if source.hasPrefix("/") {
            path = source
        } else if source.hasPrefix("file:///"), let url = URL(string: source) {
            path = url.path
        } else {
            return nil
        }
        guard let file = FileIdentity(ofFileAt: path), file.size <= Self.longest else { return nil }
        return URL(filePath: path, directoryHint: .notDirectory).absoluteString
    }
}
