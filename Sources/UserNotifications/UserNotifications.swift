// Apple's module exports Foundation, and ported files rely on it: they import only UserNotifications.
@_exported import Foundation

extension NSString {
    /// Returns the text of a key in the app's tables, with its arguments, as of now and not of the showing.
    ///
    /// The text has `%@` for each argument, or `%1$@` with its number. A number may have a format such as `%d` or
    /// `%.1f` instead. A format without an argument is left as it is.
    public class func localizedUserNotificationString(forKey key: String, arguments: [Any]?) -> String {
        let text = Bundle.main.localizedString(forKey: key, value: nil, table: nil)
        return LocalizedFormat(text).filled(with: arguments ?? [])
    }
}

/// A text with formats for arguments of any type. `String(format:)` would read an argument as what its format says: a
/// number for `%@` is a wild pointer.
private struct LocalizedFormat {
    let text: String

    init(_ text: String) { self.text = text }

    func filled(with arguments: [Any]) -> String {
        var next = 0
        let format = /%(?:%|(?:([0-9]+)\$)?([-+ #0]*[0-9]*(?:\.[0-9]+)?)(?:hh|h|ll|l|q|z|t|j|L)?([@diouxXeEfFgGaA]))/
        return text.replacing(format) { match in
            guard let conversion = match.3 else { return "%" }
            let position = match.1.map { (Int($0) ?? 0) - 1 } ?? next
            if match.1 == nil { next += 1 }
            guard arguments.indices.contains(position) else { return String(match.0) }
            return Self.text(of: arguments[position], match.2 ?? "", conversion)
        }
    }

    private static func text(of argument: Any, _ flags: Substring, _ conversion: Substring) -> String {
        guard let number = argument as? NSNumber else { return "\(argument)" }
        return switch conversion {
        case "@": number.stringValue
        case "d", "i": String(format: "%\(flags)lld", number.int64Value)
        case "o", "u", "x", "X": String(format: "%\(flags)ll\(conversion)", number.uint64Value)
        default: String(format: "%\(flags)\(conversion)", number.doubleValue)
        }
    }
}
