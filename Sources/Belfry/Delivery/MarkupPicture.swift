import BelfryRecurrence
import FoundationEssentials

/// A picture in a text: `<img src="/usr/share/pixmaps/map.png" alt="Map"/>`.
struct MarkupPicture {
    let source: String?
    /// What stands for it where it can't be shown.
    let text: String?

    /// As large as a server should have to read.
    private static let longest = 16 << 20

    /// As a server takes it; nil for what is no file of this machine. A text may come from anybody: an address on the
    /// network would tell its owner who reads it, and a pipe or a device could hold the server up for ever.
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
        return URL(fileURLWithPath: path).absoluteString
    }
}
