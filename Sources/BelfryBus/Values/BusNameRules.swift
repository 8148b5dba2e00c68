/// The rules for names (D-Bus specification, "Valid names"), checked before libdbus sees a name: it ends the process on
/// one it dislikes.
enum BusNameRules {
    static let maximumLength = 255

    static func checkBusName(_ name: String) throws(BusError) {
        guard isBusName(name) else { throw failure(name, "a bus name, such as org.example.App or :1.42") }
    }

    static func checkWellKnownName(_ name: String) throws(BusError) {
        guard isBusName(name), !isUnique(name) else {
            throw failure(name, "a bus name that can be owned, such as org.example.App")
        }
    }

    static func checkInterface(_ name: String) throws(BusError) {
        guard isInterface(name) else { throw failure(name, "an interface name, such as org.example.Door") }
    }

    static func checkMember(_ name: String) throws(BusError) {
        guard isMember(name) else {
            throw failure(name, "a member name: letters, digits and underscores, no digit first")
        }
    }

    static func isUnique(_ name: String) -> Bool { name.utf8.first == UInt8(ascii: ":") }

    static func isBusName(_ name: String) -> Bool {
        if isUnique(name) {
            return name.utf8.count <= maximumLength
                && elements(name.dropFirst(), hyphens: true, leadingDigits: true) >= 2
        }
        return name.utf8.count <= maximumLength && elements(name[...], hyphens: true, leadingDigits: false) >= 2
    }

    /// Error names obey the same rules.
    static func isInterface(_ name: String) -> Bool {
        name.utf8.count <= maximumLength && elements(name[...], hyphens: false, leadingDigits: false) >= 2
    }

    static func isMember(_ name: String) -> Bool {
        name.utf8.count <= maximumLength && elements(name[...], hyphens: false, leadingDigits: false) == 1
    }

    static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// How many elements there are between dots; 0 where one of them is empty or has what it must not have.
    private static func elements(_ text: Substring, hyphens: Bool, leadingDigits: Bool) -> Int {
        var count = 0
        var isStart = true
        for byte in text.utf8 {
            if byte == UInt8(ascii: ".") {
                if isStart { return 0 }
                isStart = true
                continue
            }
            guard isWord(byte) || (hyphens && byte == UInt8(ascii: "-")) else { return 0 }
            if isStart {
                if !leadingDigits, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { return 0 }
                count += 1
                isStart = false
            }
        }
        return isStart ? 0 : count
    }

    private static func failure(_ name: String, _ what: String) -> BusError {
        BusError(.invalidName, "'\(name.prefix(maximumLength))' is not \(what), of at most 255 bytes.")
    }
}
