/// What a terminal says by OSC 99.
struct KittyReport: Sendable, Hashable {
    enum Event: Sendable, Hashable {
        /// The notice, or one of its buttons, counted from 1.
        case activated(button: Int?)
        case closed
        /// Nobody will tell when it is closed, as on macOS.
        case untracked
        case support(KittySupport)
    }

    /// What it was sent as.
    let id: String
    let event: Event

    /// Nil for another command, and for what the specification doesn't know.
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

    /// `key=value:key=value`
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

/// What a terminal says that it can do with OSC 99, when it is asked.
struct KittySupport: Sendable, Hashable {
    let payloads: Set<String>
    /// It tells what the user did.
    let reportsActivation: Bool
    let reportsClosing: Bool
    let hasUrgency: Bool
    let hasExpiry: Bool
    let sounds: Set<String>

    /// From the keys of the reply; what is not among them is not supported.
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
