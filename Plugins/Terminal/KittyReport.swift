/// A report of a terminal by OSC 99.
struct KittyReport: Sendable, Hashable {
    enum Event: Sendable, Hashable {
        /// The notice was clicked, or one of its buttons, counted from 1.
        case activated(button: Int?)
        case closed
        /// Closing will not be reported, as on macOS.
        case untracked
        case support(KittySupport)
    }

    /// The id with which the notice was sent.
    let id: String
    let event: Event

    /// Parses a command. Returns nil for other commands, and for those that the specification doesn't define.
    init?(_ command: String) {
        let fields = command.split(separator: ";", maxSplits: 2, omittingEmptySubsequences: false)
        guard fields.count >= 2, fields[0] == "99" else { return nil }
        let keys = Self.values(fields[1])
        guard let id = keys["i"], !id.isEmpty else { return nil }
        self.id = id
        let payload = fields.count > 2 ? String(fields[2]) : ""
        switch keys["p"] {
        case nil, "title":
            guard payload.isEmpty || Int(payload) != nil else { return nil }
            event = .activated(button: Int(payload))
        case "close": event = payload == "untracked" ? .untracked : .closed
        case "?": event = .support(KittySupport(Self.values(Substring(payload))))
        default: return nil
        }
    }

    /// Parses `key=value:key=value`.
    private static func values(_ text: Substring) -> [String: String] {
        var values: [String: String] = [:]
        for pair in text.split(separator: ":") {
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard sides.count == 2 else { continue }
            values[String(sides[0].filter { $0 != " " })] = String(sides[1].filter { $0 != " " })
        }
        return values
    }
}

/// The OSC 99 features that a terminal reports when queried.
struct KittySupport: Sendable, Hashable {
    let payloads: Set<String>
    /// Whether the terminal reports clicks of the user.
    let reportsActivation: Bool
    var reportsClosing: Bool
    let hasUrgency: Bool
    let hasExpiry: Bool
    let sounds: Set<String>

    /// Reads the keys of the reply; missing keys mean unsupported features.
    init(_ values: [String: String]) {
        func list(_ key: String) -> Set<String> {
            Set((values[key] ?? "").split(separator: ",").map(String.init))
        }
        payloads = list("p")
        reportsActivation = list("a").contains("report")
        reportsClosing = values["c"] == "1"
        hasUrgency = !list("u").isEmpty
        hasExpiry = values["w"] == "1"
        sounds = list("s")
    }
}
