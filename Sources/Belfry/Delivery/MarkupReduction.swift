/// Brings markup down to what notification servers agree on: `<b>`, `<i>`, `<u>`, `<a href>`, five entities, newlines;
/// and `<img>` where a server has it, else the text that stands for the picture.
///
/// Anything else makes some server drop the whole body, so other tags are removed and their text stays; `<br>` and the
/// end of a paragraph are newlines; what is no tag (`a < b`) is text. The result is well-formed whatever came in. Read
/// by Unicode scalar, as XML is: to Swift a `<` with a combining accent is another character than `<`, to a server it
/// is not.
struct MarkupReduction {
    /// What the server understands.
    enum Target { case markup, markupWithoutLinks, plain }

    let target: Target
    let showsPictures: Bool
    /// Most characters of text that are kept, addresses in parentheses included; tags don't count.
    let limit: Int?
    /// Most bytes of the result, tags and all.
    let byteLimit: Int

    private(set) var output = ""
    /// Text since the last tag, not written yet: characters are counted when all their scalars are there.
    private var pending = String.UnicodeScalarView()
    private var characters = 0
    /// Tags are written with the first text in them: an element without text would be a way around the limit.
    private var open: [OpenTag] = []
    private struct OpenTag {
        let name: String
        let link: String?
        /// Nil where the server has no such tag.
        let opening: String?
        var isWritten = false
    }

    private(set) var isCut = false
    private(set) var isCutByBytes = false
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

    /// Plain text as markup.
    static func escape(_ text: String) -> String {
        // Not a scalar view: appending several scalars to one copies all of it.
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&apos;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// Writes the text since the last tag, as far as the limit allows.
    private mutating func flush() {
        guard !pending.isEmpty else { return }
        var text = String(pending)
        pending.removeAll(keepingCapacity: true)
        guard !isCut else { return }
        if let limit {
            (text, isCut) = text.cut(to: limit - characters)
            if !isCut { characters += text.shownLength }
        }
        let cut = text.cut(toBytes: byteLimit - output.utf8.count - tagLength, escaped: target != .plain)
        if cut.isCut {
            (text, isCut) = cut
            isCutByBytes = true
        }
        guard !text.isEmpty else { return }
        writeOpenTags()
        output += target == .plain ? text : Self.escape(text)
    }

    /// Bytes of the tags that must be written before the text, and of those that must follow it.
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

    /// It counts as a character. Its text is text like any other.
    private mutating func show(_ picture: MarkupPicture) {
        guard !isCut else { return }
        guard showsPictures, let address = picture.address else {
            hasLostPictures = true
            for scalar in (picture.text ?? "").unicodeScalars { pending.append(scalar) }
            return
        }
        let element = "<img src=\"\(Self.escape(address))\" alt=\"\(Self.escape(picture.text ?? ""))\"/>"
        isCutByBytes = output.utf8.count + tagLength + element.utf8.count > byteLimit
        isCut = isCutByBytes || limit.map { characters >= $0 } ?? false
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

    /// Closes the innermost tag of that name and all within it, as a server would want it; unopened ones are ignored.
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
