/// Reduces markup to what notification servers agree on: `<b>`, `<i>`, `<u>`, `<a href>`, five entities and newlines.
/// `<img>` stays if the server supports it, or else becomes its `alt` text.
///
/// Any other tag makes some server drop the whole body. So other tags are removed, and their text stays. `<br>` and the
/// end of a paragraph become newlines, and anything that is not a tag (`a < b`) is text. The result is always
/// well-formed. Parsing is by Unicode scalar, as in XML: a `<` with a combining accent is another `Character` in Swift,
/// but a `<` to a server.
package struct MarkupReduction {
    /// The format that the server supports.
    enum Target { case markup, markupWithoutLinks, plain }

    let target: Target
    let showsPictures: Bool
    /// The maximum characters of text, including addresses in parentheses but not tags.
    let limit: Int?
    /// The maximum bytes of the result, including tags.
    let byteLimit: Int

    private(set) var output = ""
    /// Text since the last tag, not written yet: a character is counted when all its scalars are known.
    private var pending = String.UnicodeScalarView()
    /// The characters of the text that was written, as ``limit`` counts them.
    private(set) var characters = 0
    /// Tags are written with their first text, because elements without text would circumvent the limit.
    private var open: [OpenTag] = []
    private struct OpenTag {
        let name: String
        let link: String?
        /// Nil if the server does not support the tag.
        let opening: String?
        var isWritten = false
    }

    private(set) var isCut = false
    private(set) var hasLinks = false
    private(set) var hasLostPictures = false

    /// O(n).
    init(_ markup: String, to target: Target, showingPictures: Bool, limit: Int?, byteLimit: Int) {
        self.target = target
        showsPictures = showingPictures && target != .plain
        self.limit = limit.map { max(0, $0) }
        self.byteLimit = byteLimit
        var rest = markup.unicodeScalars[...]
        while let scalar = rest.first, !isCut {
            if scalar == "<", let (tag, after) = MarkupTag.read(at: rest) {
                flush()
                take(tag)
                rest = after
            } else if scalar == "&", let (text, after) = MarkupEntity.read(at: rest) {
                pending.append(text)
                rest = after
            } else {
                pending.append(scalar)
                rest = rest.dropFirst()
            }
        }
        flush()
        while !open.isEmpty { closeLast() }
    }

    /// Returns plain text escaped as markup.
    package static func escape(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { $0.entity != nil }) else { return text }
        // A `String`, because appending several scalars to a scalar view copies all of it.
        var escaped = ""
        for scalar in text.unicodeScalars {
            if let entity = scalar.entity {
                escaped += "&\(entity);"
            } else {
                escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// Writes the pending text, as far as the limits allow.
    private mutating func flush() {
        guard !pending.isEmpty else { return }
        var text = String(pending)
        pending.removeAll(keepingCapacity: true)
        guard !isCut else { return }
        if let limit { (text, isCut) = text.cut(to: limit - characters) }
        let cut = text.cut(toBytes: byteLimit - output.utf8.count - tagLength, escaped: target != .plain)
        if cut.isCut { (text, isCut) = cut }
        guard !text.isEmpty else { return }
        characters += text.shownLength
        writeOpenTags()
        output += target == .plain ? text : Self.escape(text)
    }

    /// The bytes of the tags that must be written before the text, and of those that must follow it.
    private var tagLength: Int {
        open.reduce(0) { length, tag in
            guard let opening = tag.opening else { return length }
            return length + (tag.isWritten ? 0 : opening.utf8.count) + tag.name.utf8.count + "</>".utf8.count
        }
    }

    private mutating func writeOpenTags() {
        for place in open.indices where !open[place].isWritten {
            open[place].isWritten = true
            if let opening = open[place].opening { output += opening }
        }
    }

    private func opening(_ name: String, _ link: String?) -> String? {
        switch (target, link) {
        case (.plain, _), (.markupWithoutLinks, .some): nil
        case (.markup, let link?): "<a href=\"\(Self.escape(link))\">"
        default: "<\(name)>"
        }
    }

    private mutating func take(_ tag: MarkupTag) {
        switch tag.name {
        case "b", "i", "u", "a":
            if tag.isClosing { close(tag.name) } else if !tag.isEmpty { begin(tag) }
        case "img": if let picture = tag.picture { show(picture) }
        case "br": pending.append("\n")
        case "p" where tag.isClosing, "div" where tag.isClosing: pending.append("\n")
        default: break
        }
    }

    /// Writes a picture, which counts as one character, or its alternative text.
    private mutating func show(_ picture: MarkupPicture) {
        guard !isCut else { return }
        guard showsPictures, let address = picture.address else {
            hasLostPictures = true
            for scalar in (picture.text ?? "").unicodeScalars { pending.append(scalar) }
            return
        }
        let element = "<img src=\"\(Self.escape(address))\" alt=\"\(Self.escape(picture.text ?? ""))\"/>"
        isCut =
            output.utf8.count + tagLength + element.utf8.count > byteLimit || limit.map { characters >= $0 } ?? false
        guard !isCut else { return }
        characters += 1
        writeOpenTags()
        output += element
    }

    private mutating func begin(_ tag: MarkupTag) {
        guard tag.name != "a" || tag.link != nil, open.count < 64, !isCut else { return }
        open.append(OpenTag(name: tag.name, link: tag.link, opening: opening(tag.name, tag.link)))
        if tag.link != nil { hasLinks = true }
    }

    /// Closes the innermost tag with the name and all tags inside it; ignores tags that are not open.
    private mutating func close(_ name: String) {
        guard open.contains(where: { $0.name == name }) else { return }
        while let last = open.last {
            closeLast()
            if last.name == name { break }
        }
    }

    private mutating func closeLast() {
        let tag = open.removeLast()
        switch (target, tag.link) {
        case (.plain, let link?), (.markupWithoutLinks, let link?):
            for scalar in " (\(link))".unicodeScalars { pending.append(scalar) }
            flush()
        case (.plain, nil): break
        default: if tag.isWritten { output += "</\(tag.name)>" }
        }
    }
}
