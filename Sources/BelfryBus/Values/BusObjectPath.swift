import CDBus

/// A valid object path: `/`, or elements of letters, digits and underscores, each after a slash.
///
/// The specification sets no limit of its length; Belfry takes 64 KiB.
public struct BusObjectPath: Sendable, Hashable, CustomStringConvertible {
    /// The path as it is written.
    public let text: String

    /// Throws ``BusError/Code/invalidName``.
    public init(_ text: String) throws(BusError) {
        guard text.utf8.count <= Self.maximumLength, BusNameRules.isValid(text, dbus_validate_path) else {
            throw BusError(
                .invalidName,
                "'\(text.prefix(200))' is not an object path: it is '/' or begins with '/', doesn't end with it, and has "
                    + "only letters, digits and underscores between."
            )
        }
        self.text = text
    }

    init(verified text: String) { self.text = text }

    public var description: String { text }

    /// The path `/`.
    public static let root = BusObjectPath(verified: "/")

    /// True where `self` is `ancestor` or stands below it.
    func isWithin(_ ancestor: BusObjectPath) -> Bool {
        if text == ancestor.text || ancestor.text == "/" { return true }
        return text.hasPrefix(ancestor.text + "/")
    }

    static let maximumLength = 65_536
}

extension BusObjectPath: ExpressibleByStringLiteral {
    /// A literal is the programmer's own: an invalid one traps.
    public init(stringLiteral value: String) {
        do throws(BusError) { try self.init(value) } catch { preconditionFailure("\(error)") }
    }
}
