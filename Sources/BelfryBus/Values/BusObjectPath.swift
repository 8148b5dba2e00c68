import CDBus

/// A valid object path: `/`, or elements of letters, digits and underscores, each after a slash.
///
/// The specification sets no maximum length; Belfry accepts 64 KiB.
///
/// ```swift
/// let tea: BusObjectPath = "/org/example/Tea"
/// let pots = try (1...3).map { try BusObjectPath("\(tea)/pot\($0)") }
/// ```
public struct BusObjectPath: Sendable, Hashable, CustomStringConvertible {
    /// The text of the path.
    public let text: String

    /// Validates a path. Throws ``BusError/Code/invalidName`` (permanent).
    public init(_ text: String) throws(BusError) {
        guard text.utf8.count <= Self.maximumLength, BusNameRules.isValid(text, dbus_validate_path) else {
            throw BusError(
                .invalidName,
                "'\(text.prefix(200))' is not an object path: it is '/' or begins with '/', doesn't end with it, and "
                    + "has only letters, digits and underscores between."
            )
        }
        self.text = text
    }

    init(verified text: String) { self.text = text }

    public var description: String { text }

    /// The path `/`.
    public static let root = BusObjectPath(verified: "/")

    /// Returns whether `self` is `ancestor` or below it.
    func isWithin(_ ancestor: BusObjectPath) -> Bool {
        if text == ancestor.text || ancestor.text == "/" { return true }
        return text.hasPrefix(ancestor.text + "/")
    }

    static let maximumLength = 65_536
}

extension BusObjectPath: ExpressibleByStringLiteral {
    /// Creates a path from a literal. Traps if it is invalid: that is a programming error.
    public init(stringLiteral value: String) {
        do throws(BusError) { try self.init(value) } catch { preconditionFailure("\(error)") }
    }
}
