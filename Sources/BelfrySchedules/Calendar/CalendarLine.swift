import Belfry

/// One line of an iCalendar file (RFC 5545, 3.1): a name, parameters and a value.
struct CalendarLine: Sendable {
    let name: String
    /// The parameters by their names in upper case.
    let parameters: [String: String]
    /// The value without blanks at its ends, which some programs write.
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
        value = String(text[colon...].dropFirst().trimmed)
        self.offset = offset
    }

    /// The line as text that is equal for lines of the same meaning.
    var content: String { "\(name)\(parameters.sorted { $0.key < $1.key }):\(value)" }

    /// The number of bytes in its value and its parameters.
    var size: Int { parameters.reduce(value.utf8.count) { $0 + $1.key.utf8.count + $1.value.utf8.count } }

    /// Whether the value is a date and time where a line may also have another kind.
    var isDateTime: Bool { parameters["VALUE"]?.uppercased() == "DATE-TIME" }

    /// Whether the TRIGGER of an alarm counts from the end of its event.
    var countsFromEnd: Bool { parameters["RELATED"]?.uppercased() == "END" }

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
}
