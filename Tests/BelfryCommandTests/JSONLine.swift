import Foundation

/// One line of output that must be one JSON object.
struct JSONLine {
    let object: [String: Any]

    init?(_ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: true)
        guard lines.count == 1, let parsed = try? JSONSerialization.jsonObject(with: Data(lines[0].utf8)),
            let object = parsed as? [String: Any]
        else { return nil }
        self.object = object
    }

    /// A text inside objects.
    subscript(path: String...) -> String? {
        var value: Any = object
        for name in path {
            guard let object = value as? [String: Any], let inner = object[name] else { return nil }
            value = inner
        }
        return value as? String
    }
}
