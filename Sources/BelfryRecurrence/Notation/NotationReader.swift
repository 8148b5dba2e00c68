/// Reads a notation byte by byte and keeps track of the column for errors.
struct NotationReader {
    /// The name of the notation in messages.
    let notation: String
    private let bytes: [UInt8]
    /// The position of the first byte in a longer text.
    private let base: Int
    private(set) var position = 0

    /// The maximum length of a text, in bytes. Real rules are far shorter.
    static let maximumLength = 65_536

    /// Returns a reader of a part of the text, which reports columns of the whole text.
    func part(_ range: Range<Int>) -> NotationReader {
        NotationReader(notation: notation, bytes: Array(bytes[range]), base: base + range.lowerBound)
    }

    var count: Int { bytes.count }
    var isAtEnd: Bool { position >= bytes.count }
    var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// The byte `distance` after the next one.
    func peek(_ distance: Int) -> UInt8? {
        position + distance < bytes.count ? bytes[position + distance] : nil
    }

    mutating func advance(by count: Int = 1) {
        position = min(position + count, bytes.count)
    }

    mutating func rewind(to position: Int) {
        self.position = position
    }

    /// Skips a text if it is next, ignoring the case of letters, and returns whether it did.
    mutating func skip(_ expected: StaticString) -> Bool {
        expected.withUTF8Buffer { expected in
            guard position + expected.count <= bytes.count else { return false }
            for (offset, byte) in expected.enumerated()
            where bytes[position + offset].uppercasedASCII != byte.uppercasedASCII {
                return false
            }
            position += expected.count
            return true
        }
    }

    /// Skips bytes as long as they satisfy a condition, and returns their range.
    mutating func skip(while fits: (UInt8) -> Bool) -> Range<Int> {
        let start = position
        while let next, fits(next) { position += 1 }
        return start..<position
    }

    /// Reads letters and hyphens, and returns them in upper case; empty if none are next.
    mutating func word() -> String {
        string(skip(while: { $0.isLetter || $0 == UInt8(ascii: "-") })).uppercased()
    }

    func string(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    /// Reads a number without a sign; `nil` if none is next.
    /// - Throws: ``RecurrenceError`` if the number doesn't fit an `Int`.
    mutating func number() throws(RecurrenceError) -> Int? {
        let digits = skip(while: { $0.isDigit })
        if digits.isEmpty { return nil }
        var value = 0
        for digit in bytes[digits] {
            let (product, isLarge) = value.multipliedReportingOverflow(by: 10)
            let (sum, isLarger) = product.addingReportingOverflow(Int(digit - UInt8(ascii: "0")))
            if isLarge || isLarger {
                throw error("\(string(digits).prefix(40)) is too large a number", at: digits.lowerBound)
            }
            value = sum
        }
        return value
    }

    /// Returns an error at a position in the text, by default at the next byte.
    func error(
        _ message: String,
        at place: Int? = nil,
        code: RecurrenceError.Code = .invalidNotation
    ) -> RecurrenceError {
        let column = base + (place ?? position) + 1
        return RecurrenceError(code: code, message: "\(notation): \(message) (column \(column))", column: column)
    }

    /// Returns an error that names what was expected instead of the next byte.
    func unexpected(_ expected: String) -> RecurrenceError {
        guard let next else { return error("\(expected) is missing at the end") }
        let shown =
            (0x21...0x7E).contains(next)
            ? "'\(Character(Unicode.Scalar(next)))'" : next == 0x20 ? "a space" : "a character"
        return error("\(expected) is expected, not \(shown)")
    }
}

extension NotationReader {
    init(_ text: String, notation: String) throws(RecurrenceError) {
        self.init(notation: notation, bytes: Array(text.utf8), base: 0)
        if bytes.count > Self.maximumLength {
            throw RecurrenceError(
                code: .limitExceeded,
                message: "\(notation): \(bytes.count) bytes are more than \(Self.maximumLength).",
                column: Self.maximumLength + 1
            )
        }
    }
}

extension UInt8 {
    package var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
    package var isLetter: Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(uppercasedASCII) }
    var isSpace: Bool { self == 0x20 || self == 0x09 }
    var uppercasedASCII: UInt8 { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) ? self - 32 : self }
}
