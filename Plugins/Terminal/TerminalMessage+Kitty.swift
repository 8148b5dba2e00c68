import Belfry
import BelfryConsole
import FoundationEssentials

/// A notice as OSC 99 commands. Texts and names are base64, so that no terminal interprets anything in them.
extension TerminalMessage {
    /// Payload bytes per command; the specification allows 2,048 before encoding.
    private static let mostBytes = 1536

    mutating func addKitty(_ delivery: Delivery, id: String, for profile: TerminalProfile) {
        let content = delivery.content
        // The title comes first, with the keys of the whole notice; the other payloads add to it.
        var payloads = [(kind: "title", text: content.title.oneLine)]
        let body = content.bodyWithSubtitle.safeLines.joined(separator: "\n")
        if !body.isEmpty { payloads.append(("body", body)) }
        let buttons = content.buttons
        // Nobody would hear of a press.
        let canReport = profile.capabilities.features.contains(.actions)
        if canReport, !buttons.isEmpty {
            // Separated by the line separator, which no label contains.
            payloads.append(("buttons", buttons.map(Self.label).joined(separator: "\u{2028}")))
        }
        let chunks = payloads.flatMap { payload in Self.chunks(of: payload.text).map { (payload.kind, $0) } }
        let keys = keys(for: delivery, profile)
        for (index, chunk) in chunks.enumerated() {
            let isLast = index == chunks.count - 1
            var metadata = ["i=\(id)", "p=\(chunk.0)", "e=1", "d=\(isLast ? 1 : 0)"]
            if index == 0 { metadata += keys }
            commands.append(TerminalCommand(99, "\(metadata.joined(separator: ":"));\(chunk.1.base64)"))
        }
    }

    /// Returns the command that closes the notice with this id.
    static func closing(_ id: String) -> TerminalCommand { TerminalCommand(99, "i=\(id):p=close;") }

    /// Returns a label that is never empty: a terminal would skip it and count the other buttons wrongly.
    private static func label(_ action: NoticeAction) -> String {
        let title = action.title.oneLine
        return title.isEmpty ? action.id.isEmpty ? "-" : action.id.oneLine : title
    }

    private mutating func keys(for delivery: Delivery, _ profile: TerminalProfile) -> [String] {
        let content = delivery.content
        var keys = ["f=\(delivery.app.id.base64)"]
        if let category = content.desktop.category { keys.append("t=\(category.base64)") }
        keys.append("u=\(content.level.urgency)")
        // Focusing its window is the terminal's default.
        if profile.reportsActivation { keys.append("a=focus,report") }
        if profile.reportsClosing { keys.append("c=1") }
        switch content.desktop.expiry {
        case .serverDefault: break
        case .never: keys.append("w=0")
        case .after(let time): keys.append("w=\(max(1, Int(min(time.seconds * 1000, 1e9))))")
        }
        switch content.icon {
        case .named(let name): keys.append("n=\(name.base64)")
        case .file: lost.add(.icon, "the terminal is sent icons by name alone")
        case nil: break
        }
        switch content.sound {
        case .silent: keys.append("s=\("silent".base64)")
        case .standard: keys.append("s=\("system".base64)")
        case .named(let name): keys.append("s=\(name.base64)")
        case .file:
            // Without any sounds, the preparation of the content has reported it.
            let hasSounds = profile.capabilities.features.contains(.sound)
            lost.add(.sound, "the terminal plays sounds by name alone", if: hasSounds)
        case nil: break
        }
        return keys
    }

    /// Splits a text into parts that are encoded separately, between characters. An empty text makes one empty part.
    private static func chunks(of text: String) -> [String] {
        var chunks = [String.UnicodeScalarView()]
        var count = 0
        for scalar in text.unicodeScalars {
            count += UTF8.width(scalar)
            if count > mostBytes {
                chunks.append(String.UnicodeScalarView())
                count = UTF8.width(scalar)
            }
            chunks[chunks.count - 1].append(scalar)
        }
        return chunks.map { String($0) }
    }
}

extension String {
    fileprivate var base64: String { Data(utf8).base64EncodedString() }
}

extension InterruptionLevel {
    fileprivate var urgency: Int {
        switch self {
        case .passive: 0
        case .active, .timeSensitive: 1
        case .critical: 2
        }
    }
}
