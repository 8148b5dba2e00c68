import Belfry
import FoundationEssentials

/// A file of KDE's settings: groups in brackets, which may be in each other, and lines `key=value`.
struct KDEConfigFile {
    private let lines: [Substring]

    /// Nil where there is none that can be read; what is beyond a mebibyte counts as no settings.
    init?(_ path: String) {
        guard let bytes = try? RegularFile.bytes(of: path, limit: 1 << 20) else { return nil }
        lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
    }

    /// Of several the last one counts. A key may carry options in brackets: `key[$i]`.
    func value(of key: String, in group: [String]) -> String? {
        let header = group.map { "[\($0)]" }.joined()
        var isInGroup = false
        var found: String?
        for line in lines {
            let line = line.drop { $0 == " " || $0 == "\t" }
            if line.first == "[" {
                // Options of a whole group, as in [group][$i], lock it and change nothing.
                let name = line.replacing("[$i]", with: "").trimmed
                isInGroup = name == header
            } else if isInGroup, let equals = line.firstIndex(of: "=") {
                let name = line[..<equals].prefix { $0 != "[" }.trimmed
                if name == key { found = String(line[line.index(after: equals)...].trimmed) }
            }
        }
        return found
    }
}
