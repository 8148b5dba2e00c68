/// One line of an iCalendar file (RFC 5545, 3.1): a name, parameters and a value.
struct CalendarLine: Sendable {
    let name: String
    /// The parameters by their names in upper case.
    let parameters: [String: String]
    let value: String
    /// The offset of the first byte in the file.
    let offset: Int

    /// Nil if there is no colon.
    init?(_ text: String, offset: Int) {
        var isQuoted = false
        func isUnquoted(_ scalar: Unicode.Scalar, _ mark: Unicode.Scalar) -> Bool {
            if scalar == "\"" { isQuoted.toggle() }
            return scalar == mark && !isQuoted
        }
        guard let colon = text.unicodeScalars.firstIndex(where: { isUnquoted($0, ":") }) else { return nil }
        let parts = text.unicodeScalars[..<colon].split(omittingEmptySubsequences: false) { isUnquoted($0, ";") }
            .map { part in String(part.filter { $0 != "\"" }) }
        var parameters: [String: String] = [:]
        for part in parts.dropFirst() {
            let (name, value) = part.halves(at: "=")
            if let value { parameters[name.uppercased()] = String(value) }
        }
        name = parts[0].uppercased()
        self.parameters = parameters
        value = String(text[colon...].dropFirst())
        self.offset = offset
    }

    /// The value decoded as TEXT (3.3.11).
    var text: String {
        var result = ""
        var isEscaped = false
        for character in value {
            if isEscaped {
                result.append(character == "n" || character == "N" ? "\n" : character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else {
                result.append(character)
            }
        }
        return result
    }

    /// Returns the lines of a file, with folded ones joined.
    static func unfold(_ bytes: [UInt8]) -> [(text: String, offset: Int)] {
        var lines: [(text: [UInt8], offset: Int)] = []
        var start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
            var line = bytes[start..<end]
            if line.last == 0x0D { line = line.dropLast() }
            if let first = line.first, first == 0x20 || first == 0x09, !lines.isEmpty {
                lines[lines.count - 1].text.append(contentsOf: line.dropFirst())
            } else if !line.isEmpty {
                lines.append((Array(line), start))
            }
            start = end + 1
        }
        return lines.map { (String(decoding: $0.text, as: UTF8.self), $0.offset) }
    }
}
