import Belfry

/// Receives what a scanner finds. Names have no prefix.
protocol XMLSink {
    /// Whether the sink needs the text at the current position.
    var wantsText: Bool { get }
    mutating func opened(_ name: String, _ attributes: XMLAttributes, _ error: XMLError) throws(NoticeError)
    /// Handles the end of an element, with its text if `wantsText` was true.
    mutating func closed(_ name: String, _ text: [UInt8], _ error: XMLError) throws(NoticeError)
}

/// A position in a file, from which errors are made.
struct XMLError {
    let file: String
    var line = 1

    func callAsFunction(_ what: String) -> NoticeError {
        NoticeError(.invalidNotation, "\(file), line \(line): \(what)")
    }
}

private let depthLimit = 100
private let markupLimit = 65_536
private let textLimit = 1_024

/// Reads XML in pieces and bounded memory, with the parts that data files use: elements, attributes, text and CDATA. It
/// skips comments and instructions, and accepts any encoding that is a superset of ASCII. It knows XML's five entities
/// and character references, and refuses a document type, so nothing is expanded or fetched.
///
/// Foundation's XMLParser would link libxml2 and ICU into every program that replays a track, for three elements.
struct XMLScanner<Sink: XMLSink> {
    private enum Mode {
        case text
        /// From `<` up to `>` outside of quotes, collected in `markup`.
        case markup(quote: UInt8?)
        case comment, characterData, instruction
        case byteOrderMark
    }

    private var error: XMLError
    private var sink: Sink
    private var mode = Mode.byteOrderMark
    private var markup: [UInt8] = []
    private var text: [UInt8] = []
    /// The names of open elements, as written.
    private var names: [ArraySlice<UInt8>] = []
    private var hasRoot = false
    /// The last bytes of a skipped part, to find its end.
    private var recent: (UInt8, UInt8) = (0, 0)

    init(file: String, sink: Sink) {
        error = XMLError(file: file)
        self.sink = sink
    }

    mutating func scan(_ bytes: ArraySlice<UInt8>) throws(NoticeError) {
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let byte = bytes[index]
            index += 1
            if byte == 10 { error.line += 1 }
            switch mode {
            case .byteOrderMark: try begin(byte)
            case .text:
                if byte == UInt8(ascii: "<") {
                    mode = .markup(quote: nil)
                    markup.removeAll(keepingCapacity: true)
                } else {
                    try takeText(byte)
                }
            case .markup(let quote): try takeMarkup(byte, quote)
            case .comment: skip(byte, (45, 45))
            case .instruction: skip(byte, (63, 63))
            case .characterData:
                if skip(byte, (93, 93)) { continue }
                try takeText(byte)
            }
        }
    }

    /// Checks the end of the document, and returns the sink. Call it after the last piece.
    func finish() throws(NoticeError) -> Sink {
        if case .byteOrderMark = mode { throw error("The file is empty: it was expected to be XML.") }
        guard case .text = mode, names.isEmpty else {
            let open = names.last.map { "inside <\(Self.word($0))>" } ?? "inside a tag or a comment"
            throw error("The file ends \(open): it was cut off. Take the whole one.")
        }
        guard hasRoot else { throw error("The file is empty: it was expected to be XML.") }
        return sink
    }

    private mutating func begin(_ byte: UInt8) throws(NoticeError) {
        recent = (recent.1, byte)
        switch (recent.0, byte) {
        case (0, 0xEF), (0xEF, 0xBB): return
        case (0xBB, 0xBF): mode = .text
        case (_, 9), (_, 10), (_, 13), (_, 32): mode = .text
        case (_, UInt8(ascii: "<")): mode = .markup(quote: nil)
        case (_, 0xFE), (_, 0xFF), (_, 0):
            throw error("This is UTF-16 or no text at all: a file in UTF-8 is expected. Convert it, with iconv.")
        case (_, 0x1F): throw error("This is a compressed file: unpack it first.")
        default: throw error("This is no XML: it does not begin with '<'.")
        }
    }

    private mutating func takeText(_ byte: UInt8) throws(NoticeError) {
        guard byte >= 32 || byte == 9 || byte == 10 || byte == 13 else {
            throw error("There is a control character (\(byte)): this is no XML.")
        }
        if names.isEmpty {
            guard byte <= 32 else { throw error("There is text outside of the root element: this is no XML.") }
        } else if sink.wantsText {
            guard text.count < textLimit else {
                throw error("A value is longer than \(textLimit) characters.")
            }
            text.append(byte)
        }
    }

    private mutating func takeMarkup(_ byte: UInt8, _ quote: UInt8?) throws(NoticeError) {
        if let quote {
            if byte == quote { mode = .markup(quote: nil) }
        } else if byte == 34 || byte == 39 {
            mode = .markup(quote: byte)
        } else if byte == UInt8(ascii: ">") {
            mode = .text
            return try takeTag()
        } else if byte == UInt8(ascii: "<") {
            throw error("There is a '<' inside a tag: this is no XML.")
        }
        guard markup.count < markupLimit else {
            throw error("A tag is longer than \(markupLimit) characters.")
        }
        markup.append(byte)
        switch markup.count {
        case 1 where byte == UInt8(ascii: "?"): (mode, recent) = (.instruction, (0, 0))
        case 3 where markup.elementsEqual("!--".utf8): (mode, recent) = (.comment, (0, 0))
        case 8 where markup.elementsEqual("![CDATA[".utf8): (mode, recent) = (.characterData, (0, 0))
        case 8 where markup.elementsEqual("!DOCTYPE".utf8):
            throw error(
                "The file has a document type declaration, which tracks don't need and Belfry does not read: remove it."
            )
        default: break
        }
    }

    /// True if this is the end of the skipped part, or may belong to it.
    @discardableResult
    private mutating func skip(_ byte: UInt8, _ end: (UInt8, UInt8)) -> Bool {
        let isInstruction = end.0 == 63
        let isAtEnd = byte == UInt8(ascii: ">") && recent.1 == end.1 && (isInstruction || recent.0 == end.0)
        if isAtEnd { mode = .text }
        recent = (recent.1, byte)
        return isAtEnd || byte == end.0
    }

    // MARK: Tags

    private mutating func takeTag() throws(NoticeError) {
        if markup.first == UInt8(ascii: "/") { return try close(Self.trimmed(markup.dropFirst())) }
        guard markup.first != UInt8(ascii: "!") else {
            throw error("There is a declaration that Belfry does not read: remove it.")
        }
        var rest = markup[...]
        let isEmpty = rest.last == UInt8(ascii: "/")
        if isEmpty { rest.removeLast() }
        let name = rest.prefix { !Self.isSpace($0) }
        guard let first = name.first, Self.isNameStart(first), !name.contains(where: { "=\"'&/".utf8.contains($0) })
        else {
            throw error("'<\(Self.word(name))' is no tag: this is no XML.")
        }
        if names.isEmpty {
            guard !hasRoot else { throw error("There is a second root element, <\(Self.word(name))>: this is no XML.") }
            hasRoot = true
        }
        guard names.count < depthLimit else {
            throw error("More than \(depthLimit) elements are in each other.")
        }
        let attributes = XMLAttributes(rest[name.endIndex...])
        // Copied, because the buffer is reused.
        names.append(ArraySlice(Array(name)))
        text.removeAll(keepingCapacity: true)
        try sink.opened(Self.local(name), attributes, error)
        if isEmpty { try close(name) }
    }

    private mutating func close(_ name: ArraySlice<UInt8>) throws(NoticeError) {
        guard let open = names.popLast() else { throw error("</\(Self.word(name))> closes nothing: this is no XML.") }
        guard open.elementsEqual(name) else {
            throw error("</\(Self.word(name))> closes <\(Self.word(open))>: this is no XML.")
        }
        guard let decoded = XMLAttributes.decoded(text[...]) else {
            throw error("An entity in <\(Self.word(open))> is not known: write the character itself.")
        }
        text.removeAll(keepingCapacity: true)
        try sink.closed(Self.local(name), decoded, error)
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
