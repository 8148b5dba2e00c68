import Belfry
import FoundationEssentials

/// A KDE settings file: groups in brackets, which may be nested, and lines `key=value`.
struct KDEConfigFile {
    private let lines: [Substring]

    /// Reads the file. Returns nil if it can't be read, or is larger than a mebibyte.
    init?(_ path: String) {
        guard let bytes = try? RegularFile.bytes(of: path, limit: 1 << 20) else { return nil }
        lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
    }

    /// Returns the last value of a key in a group. A key may have options in brackets: `key[$i]`.
    func value(of key: String, in group: [String]) -> String? {
        let header = group.map { "[\($0)]" }.joined()
        var isInGroup = false
        var found: String?
        for line in lines {
            let line = line.drop { $0 == " " || $0 == "\t" }
            if line.first == "[" {
                // Options of a whole group, as in [group][$i], lock it and don't change values.
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
