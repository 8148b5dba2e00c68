import Foundation

/// Brings markup down to what notification servers agree on: `<b>`, `<i>`, `<u>`, `<a href>`, five entities, newlines.
///
/// Anything else makes some server drop the whole body, so other tags are removed and their text stays; `<br>` and the end of
/// a paragraph are newlines; what is no tag (`a < b`) is text. The result is well-formed whatever came in.
struct MarkupReduction {
    /// What the server understands.
    enum Target { case markup, markupWithoutLinks, plain }

    let target: Target
    /// Most characters of text that are kept; tags don't count.
    let limit: Int?

    private var output = ""
    private var characters = 0
    private var open: [(tag: Substring, link: String?)] = []
    private(set) var isCut = false

    private init(target: Target, limit: Int?) {
        self.target = target
        self.limit = limit
    }

    /// O(n).
    static func reduce(_ markup: String, to target: Target, limit: Int? = nil) -> (text: String, isCut: Bool) {
        var reduction = MarkupReduction(target: target, limit: limit)
        var rest = markup[...]
        while let character = rest.first, !reduction.isCut {
            if character == "<", let (tag, after) = Self.tag(at: rest) {
                reduction.take(tag: tag)
                rest = after
            } else if character == "&", let (text, after) = Self.entity(at: rest) {
                reduction.take(text: text)
                rest = after
            } else {
                reduction.take(text: character)
                rest = rest.dropFirst()
            }
        }
        while !reduction.open.isEmpty { reduction.closeLast() }
        return (reduction.output, reduction.isCut)
    }

    /// Plain text as markup.
    static func escape(_ text: String) -> String {
        var escaped = ""
        for character in text { escaped += Self.escaped(character) }
        return escaped
    }

    private static func escaped(_ character: Character) -> String {
        switch character {
        case "&": "&amp;"
        case "<": "&lt;"
        case ">": "&gt;"
        case "\"": "&quot;"
        case "'": "&apos;"
        default: String(character)
        }
    }

    private mutating func take(text character: Character) {
        if let limit, characters >= limit {
            isCut = true
            return
        }
        characters += 1
        output += target == .plain ? String(character) : Self.escaped(character)
    }

    private mutating func take(tag: Tag) {
        switch tag.name {
        case "b", "i", "u", "a":
            if tag.isClosing { close(tag.name) } else if !tag.isEmpty { begin(tag) }
        case "br": take(text: "\n")
        case "p" where tag.isClosing, "div" where tag.isClosing: take(text: "\n")
        default: break
        }
    }

    private mutating func begin(_ tag: Tag) {
        let link = tag.name == "a" ? tag.link : nil
        guard tag.name != "a" || link != nil, open.count < 64 else { return }
        open.append((tag.name, link))
        switch (target, link) {
        case (.plain, _), (.markupWithoutLinks, .some): break
        case (.markup, let link?): output += "<a href=\"\(Self.escape(link))\">"
        default: output += "<\(tag.name)>"
        }
    }

    /// Closes the innermost tag of that name and all within it, as a server would want it; unopened ones are ignored.
    private mutating func close(_ name: Substring) {
        guard open.contains(where: { $0.tag == name }) else { return }
        while let last = open.last {
            closeLast()
            if last.tag == name { break }
        }
    }

    private mutating func closeLast() {
        let (tag, link) = open.removeLast()
        switch (target, link) {
        case (.plain, let link?), (.markupWithoutLinks, let link?):
            let address = " (\(link))"
            output += target == .plain ? address : Self.escape(address)
        case (.plain, nil): break
        default: output += "</\(tag)>"
        }
    }
}

extension MarkupReduction {
    struct Tag {
        var name: Substring
        var isClosing: Bool
        var isEmpty: Bool
        var link: String?
    }

    /// The tag that the text begins with, if it is one: `<`, a name, whatever, `>`, within 2,048 characters.
    fileprivate static func tag(at text: Substring) -> (Tag, after: Substring)? {
        var rest = text.dropFirst()
        let isClosing = rest.first == "/"
        if isClosing { rest = rest.dropFirst() }
        let letters = rest.prefix { $0.isASCII && $0.isLetter }
        guard !letters.isEmpty, let end = rest.prefix(2_048).firstIndex(of: ">") else { return nil }
        let inside = rest[letters.endIndex..<end]
        guard inside.first.map({ $0 == " " || $0 == "/" || $0.isNewline }) ?? true, !inside.contains("<") else {
            return nil
        }
        let name = Substring(letters.lowercased())
        let link = name == "a" && !isClosing ? href(in: inside) : nil
        return (
            Tag(name: name, isClosing: isClosing, isEmpty: inside.last == "/", link: link),
            rest[rest.index(after: end)...]
        )
    }

    private static func href(in attributes: Substring) -> String? {
        guard let start = attributes.range(of: "href=") else { return nil }
        let value = attributes[start.upperBound...]
        guard let quote = value.first, quote == "\"" || quote == "'" else { return nil }
        let inner = value.dropFirst().prefix { $0 != quote }
        var link = ""
        var rest = inner
        while let character = rest.first {
            if character == "&", let (text, after) = entity(at: rest) {
                link.append(text)
                rest = after
            } else {
                link.append(character)
                rest = rest.dropFirst()
            }
        }
        return link.isEmpty ? nil : link
    }

    /// The entity that the text begins with: one of the five of XML, or a character's number.
    fileprivate static func entity(at text: Substring) -> (Character, after: Substring)? {
        guard let end = text.prefix(12).firstIndex(of: ";") else { return nil }
        let name = text[text.index(after: text.startIndex)..<end]
        let after = text[text.index(after: end)...]
        switch name {
        case "amp": return ("&", after)
        case "lt": return ("<", after)
        case "gt": return (">", after)
        case "quot": return ("\"", after)
        case "apos": return ("'", after)
        default:
            guard name.first == "#" else { return nil }
            let digits = name.dropFirst()
            let number = digits.first == "x" ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
            guard let number, number >= 0x20, let scalar = Unicode.Scalar(number), !(0x7F...0x9F).contains(number)
            else { return nil }
            return (Character(scalar), after)
        }
    }
}
