/// A valid object path: `/`, or elements of letters, digits and underscores, each after a slash.
///
/// The specification sets no limit of its length; Belfry takes 64 KiB.
public struct BusObjectPath: Sendable, Hashable, CustomStringConvertible {
    public let text: String

    /// Throws ``BusError/Code/invalidName``.
    public init(_ text: String) throws(BusError) {
        guard Self.isValid(text) else {
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

    public static let root = BusObjectPath(verified: "/")

    /// True where `self` is `ancestor` or stands below it.
    func isWithin(_ ancestor: BusObjectPath) -> Bool {
        if text == ancestor.text || ancestor.text == "/" { return true }
        return text.hasPrefix(ancestor.text + "/")
    }

    static let maximumLength = 65_536

    private static func isValid(_ text: String) -> Bool {
        guard text.utf8.count <= maximumLength else { return false }
        var previous: UInt8?
        for byte in text.utf8 {
            if byte == UInt8(ascii: "/") {
                if previous == UInt8(ascii: "/") { return false }
            } else if previous == nil || !BusNameRules.isWord(byte) {
                return false
            }
            previous = byte
        }
        return previous != nil && (previous != UInt8(ascii: "/") || text == "/")
    }
}

extension BusObjectPath: ExpressibleByStringLiteral {
    /// A literal is the programmer's own: an invalid one traps.
    public init(stringLiteral value: String) {
        do throws(BusError) { try self.init(value) } catch { preconditionFailure("\(error)") }
    }
}
