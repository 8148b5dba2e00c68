/// A tag in markup.
struct MarkupTag {
    typealias Text = Substring.UnicodeScalarView

    /// The name in lower case.
    var name: String
    var isClosing: Bool
    /// Whether the tag is empty, as `<b/>`.
    var isEmpty: Bool
    /// The address of an `<a>`.
    var link: String?
    /// The picture of an `<img>`.
    var picture: MarkupPicture?

    /// The attributes of a tag are read if they have fewer scalars.
    private static let attributesLimit = 2_048

    /// Parses the tag at the beginning of the text: `<`, a name, anything except another `<`, and `>`; nil if there is
    /// none. Reads up to the next `<`. A tag with attributes that are too long has none.
    static func read(at text: Text) -> (MarkupTag, after: Text)? {
        var rest = text.dropFirst()
        let isClosing = rest.first == "/"
        if isClosing { rest = rest.dropFirst() }
        let letters = rest.prefix { $0.isASCIILetter || ("0"..."9").contains($0) }
        guard letters.first?.isASCIILetter == true,
            let end = rest[letters.endIndex...].firstIndex(where: { $0 == ">" || $0 == "<" }), rest[end] == ">"
        else { return nil }
        let inside = rest[letters.endIndex..<end]
        guard inside.first?.isBetweenAttributes ?? true else { return nil }
        let isLong = inside.index(inside.startIndex, offsetBy: attributesLimit, limitedBy: inside.endIndex) != nil
        let attributes = isLong ? inside.prefix(0) : inside
        let name = String(letters).lowercased()
        let tag = MarkupTag(
            name: name,
            isClosing: isClosing,
            isEmpty: inside.last == "/",
            link: name == "a" && !isClosing ? value(of: "href", in: attributes) : nil,
            picture: name == "img" && !isClosing
                ? MarkupPicture(source: value(of: "src", in: attributes), text: value(of: "alt", in: attributes)) : nil
        )
        return (tag, rest[rest.index(after: end)...])
    }

    /// Returns the value of the first attribute with the name; nil if it is empty or not in quotes.
    private static func value(of attribute: String, in attributes: Text) -> String? {
        var rest = attributes.drop(while: \.isBetweenAttributes)
        while !rest.isEmpty {
            let name = rest.prefix { $0 != "=" && !$0.isBetweenAttributes }
            rest = rest[name.endIndex...].drop(while: \.isBetweenAttributes)
            guard rest.first == "=" else { continue }
            rest = rest.dropFirst().drop(while: \.isBetweenAttributes)
            let value: Text
            if let quote = rest.first, quote == "\"" || quote == "'" {
                value = rest.dropFirst().prefix { $0 != quote }
                rest = rest[value.endIndex...].dropFirst()
            } else {
                value = rest.prefix(0)
                rest = rest.drop { !$0.isBetweenAttributes }
            }
            if name.elementsEqual(attribute.unicodeScalars) { return decoded(value) }
            rest = rest.drop(while: \.isBetweenAttributes)
        }
        return nil
    }

    private static func decoded(_ text: Text) -> String? {
        var rest = text
        var value = String.UnicodeScalarView()
        while let scalar = rest.first {
            if scalar == "&", let (text, after) = MarkupEntity.read(at: rest) {
                value.append(text)
                rest = after
            } else {
                value.append(scalar)
                rest = rest.dropFirst()
            }
        }
        return value.isEmpty ? nil : String(value)
    }
}

/// A character reference in markup.
enum MarkupEntity {
    /// Parses the entity at the beginning of the text: one of XML's five, or the number of a showable character.
    static func read(at text: MarkupTag.Text) -> (Unicode.Scalar, after: MarkupTag.Text)? {
        guard let end = text.end(atOneOf: [";", "<"], within: 12), text[end] == ";" else { return nil }
        let name = String(text[text.index(after: text.startIndex)..<end])
        guard let scalar = scalar(named: name) else { return nil }
        return (scalar, text[text.index(after: end)...])
    }

    private static func scalar(named name: String) -> Unicode.Scalar? {
        if let scalar = Unicode.Scalar.escaped.first(where: { $0.entity == name }) { return scalar }
        guard name.first == "#" else { return nil }
        let digits = name.dropFirst()
        let isHexadecimal = digits.first == "x" || digits.first == "X"
        let number = isHexadecimal ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        guard let number, let scalar = Unicode.Scalar(number), !scalar.isUnshowable else { return nil }
        return scalar
    }
}

extension MarkupTag.Text {
    /// Returns the index of the first wanted scalar within the limit. (`prefix` would walk all scalars first.)
    fileprivate func end(atOneOf wanted: [Unicode.Scalar], within limit: Int) -> Index? {
        var (index, steps) = (startIndex, 0)
        while index < endIndex, steps < limit {
            if wanted.contains(self[index]) { return index }
            formIndex(after: &index)
            steps += 1
        }
        return nil
    }
}

extension Unicode.Scalar {
    /// The characters that are escaped in markup: all that XML has names for.
    fileprivate static let escaped: [Unicode.Scalar] = ["&", "<", ">", "\"", "'"]

    /// The name of the entity that replaces the character in markup; nil if it stays.
    var entity: String? {
        switch self {
        case "&": "amp"
        case "<": "lt"
        case ">": "gt"
        case "\"": "quot"
        case "'": "apos"
        default: nil
        }
    }

    /// Whether it ends a tag's name, or the name of an attribute.
    fileprivate var isBetweenAttributes: Bool { self == " " || self == "/" || self == "\n" || self == "\t" }

    fileprivate var isASCIILetter: Bool { ("a"..."z").contains(self) || ("A"..."Z").contains(self) }
}
