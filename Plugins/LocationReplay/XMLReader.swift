import Belfry

/// Reads XML from memory, with the parts that data files use: elements, attributes, text and CDATA. It skips comments
/// and instructions, and accepts any encoding that is a superset of ASCII. It knows XML's five entities and character
/// references, and refuses a document type, so nothing is expanded or fetched.
///
/// Foundation's XMLParser would link libxml2 and ICU into every program that replays a track, for three elements.
struct XMLReader {
    /// A tag. Names have no prefix.
    enum Event {
        case opened(String, XMLAttributes)
        case closed(String)
    }

    private static let depthLimit = 100
    private static let markupLimit = 65_536
    private static let textLimit = 1_024
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private let bytes: [UInt8]
    /// The name of the document in errors.
    let file: String
    private var index = 0
    /// The names of open elements, as written.
    private var names: [ArraySlice<UInt8>] = []
    private var hasRoot = false
    /// Whether the last tag was that of an empty element, whose end has not been returned yet.
    private var isEmptyElement = false
    /// The text since the last tag, cut one byte after its limit.
    private var text: [UInt8] = []

    init(_ bytes: [UInt8], file: String) throws(NoticeError) {
        self.bytes = bytes
        self.file = file
        if bytes.starts(with: Self.byteOrderMark) {
            index = Self.byteOrderMark.count
            return
        }
        switch bytes.first {
        case nil: throw error("The file is empty: it was expected to be XML.")
        case 9, 10, 13, 32, UInt8(ascii: "<"): break
        case 0xFE, 0xFF, 0:
            throw error("This is UTF-16 or no text at all: a file in UTF-8 is expected. Convert it, with iconv.")
        case 0x1F: throw error("This is a compressed file: unpack it first.")
        default: throw error("This is no XML: it does not begin with '<'.")
        }
    }

    /// The number of open elements.
    var depth: Int { names.count }

    /// Returns an error about the current position.
    func error(_ what: String) -> NoticeError {
        let line = bytes[..<index].reduce(1) { $1 == 10 ? $0 + 1 : $0 }
        return NoticeError(.invalidNotation, "\(file), line \(line): \(what)")
    }

    /// Returns the next tag; nil at the end of the document.
    mutating func next() throws(NoticeError) -> Event? {
        text.removeAll(keepingCapacity: true)
        if isEmptyElement, let name = names.last {
            isEmptyElement = false
            return try close(name)
        }
        while index < bytes.count {
            if bytes[index] != UInt8(ascii: "<") {
                try readText(through: bytes[index...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count)
            } else if skip("<!--") {
                index = try find("-->") + 3
            } else if skip("<?") {
                index = try find("?>") + 2
            } else if skip("<![CDATA[") {
                try readText(through: try find("]]>"))
                index += 3
            } else if skip("<!DOCTYPE") {
                throw error(
                    "The file has a document type declaration, which tracks don't need and Belfry does not read: "
                        + "remove it."
                )
            } else {
                return try readTag()
            }
        }
        guard names.isEmpty else { throw cutOff() }
        guard hasRoot else { throw error("The file is empty: it was expected to be XML.") }
        return nil
    }

    /// Returns the text before the last tag, which closed an element of this name.
    func text(of name: String) throws(NoticeError) -> [UInt8] {
        guard text.count <= Self.textLimit else {
            throw error("A value is longer than \(Self.textLimit) characters.")
        }
        guard let decoded = XMLAttributes.decoded(text[...]) else {
            throw error("An entity in <\(name)> is not known: write the character itself.")
        }
        return decoded
    }

    // MARK: Text

    private mutating func readText(through end: Int) throws(NoticeError) {
        let start = index
        while index < end {
            let byte = bytes[index]
            guard byte >= 32 || byte == 9 || byte == 10 || byte == 13 else {
                throw error("There is a control character (\(byte)): this is no XML.")
            }
            guard byte <= 32 || !names.isEmpty else {
                throw error("There is text outside of the root element: this is no XML.")
            }
            index += 1
        }
        text += bytes[start..<end].prefix(Self.textLimit + 1 - text.count)
    }

    /// Skips some characters if they are next, and returns whether they were.
    private mutating func skip(_ characters: String) -> Bool {
        guard bytes[index...].starts(with: characters.utf8) else { return false }
        index += characters.utf8.count
        return true
    }

    /// Returns the index of the characters that end a skipped part.
    private mutating func find(_ end: String) throws(NoticeError) -> Int {
        let first = end.utf8.first
        var position = index
        while position < bytes.count {
            if bytes[position] == first, bytes[position...].starts(with: end.utf8) { return position }
            position += 1
        }
        throw cutOff()
    }

    private mutating func cutOff() -> NoticeError {
        index = bytes.count
        let open = names.last.map { "inside <\(Self.word($0))>" } ?? "inside a tag or a comment"
        return error("The file ends \(open): it was cut off. Take the whole one.")
    }

    // MARK: Tags

    private mutating func readTag() throws(NoticeError) -> Event {
        let end = try endOfTag()
        var rest = bytes[(index + 1)..<end]
        index = end + 1
        if rest.first == UInt8(ascii: "/") { return try close(Self.trimmed(rest.dropFirst())) }
        guard rest.first != UInt8(ascii: "!") else {
            throw error("There is a declaration that Belfry does not read: remove it.")
        }
        isEmptyElement = rest.last == UInt8(ascii: "/")
        if isEmptyElement { rest.removeLast() }
        let name = rest.prefix { !Self.isSpace($0) }
        guard let first = name.first, Self.isNameStart(first), !name.contains(where: { "=\"'&/".utf8.contains($0) })
        else {
            throw error("'<\(Self.word(name))' is no tag: this is no XML.")
        }
        if names.isEmpty {
            guard !hasRoot else { throw error("There is a second root element, <\(Self.word(name))>: this is no XML.") }
            hasRoot = true
        }
        guard names.count < Self.depthLimit else {
            throw error("More than \(Self.depthLimit) elements are in each other.")
        }
        names.append(name)
        return .opened(Self.local(name), XMLAttributes(rest[name.endIndex...]))
    }

    /// Returns the index of the `>` that ends a tag, outside of quotes.
    private mutating func endOfTag() throws(NoticeError) -> Int {
        var quote: UInt8?
        for position in (index + 1)..<bytes.count {
            let byte = bytes[position]
            if quote != nil {
                if byte == quote { quote = nil }
            } else if byte == UInt8(ascii: ">") {
                return position
            } else if byte == 34 || byte == 39 {
                quote = byte
            } else if byte == UInt8(ascii: "<") {
                index = position
                throw error("There is a '<' inside a tag: this is no XML.")
            }
            guard position - index <= Self.markupLimit else {
                throw error("A tag is longer than \(Self.markupLimit) characters.")
            }
        }
        throw cutOff()
    }

    private mutating func close(_ name: ArraySlice<UInt8>) throws(NoticeError) -> Event {
        guard let open = names.popLast() else { throw error("</\(Self.word(name))> closes nothing: this is no XML.") }
        guard open == name else {
            throw error("</\(Self.word(name))> closes <\(Self.word(open))>: this is no XML.")
        }
        return .closed(Self.local(name))
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) }
    private static func isNameStart(_ byte: UInt8) -> Bool {
        (65...90).contains(byte) || (97...122).contains(byte) || byte == 95 || byte == 58 || byte >= 0x80
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var bytes = bytes
        while let last = bytes.last, isSpace(last) { bytes.removeLast() }
        return bytes
    }

    private static func local(_ name: ArraySlice<UInt8>) -> String {
        let start = name.lastIndex(of: UInt8(ascii: ":")).map { $0 + 1 } ?? name.startIndex
        return String(decoding: name[start...], as: UTF8.self)
    }

    /// The first 40 bytes as text, for messages.
    private static func word(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes.prefix(40), as: UTF8.self) }
}
