import Belfry
import BelfryRecurrence

/// Formats notices as lines for people.
struct NoticeLines {
    let style: LineStyle
    let words: ConsoleTexts

    /// Returns the actions that have a key. The notice itself is opened with Enter.
    static func buttons(of content: NoticeContent) -> ArraySlice<NoticeAction> {
        content.buttons.prefix(ConsoleBackend.actionLimit)
    }

    func text(of delivery: Delivery, in zone: ZoneRules, withKeys: Bool) -> String {
        let content = delivery.content
        let indent = String(repeating: " ", count: 21)
        var title = style.paint(content.title.oneLine, content.level.emphasis)
        if !content.subtitle.isEmpty { title += "  " + content.subtitle.oneLine }
        if delivery.late >= .seconds(1) {
            title += style.paint("  " + words.late.replacing("{span}", with: words.span(delivery.late)), .faint)
        }
        if delivery.isPossiblyRepeated { title += style.paint("  " + words.perhapsShownBefore, .faint) }
        let mark = content.level == .critical ? "! " : ""
        var lines = [style.paint(LocalTimestamp(of: delivery, in: zone).readable, .faint) + "  " + mark + title]
        if !content.body.isEmpty { lines += content.body.safeLines.map { indent + $0 } }
        if let bar = Self.bar(content.progress) { lines.append(indent + bar) }
        if withKeys, !content.actions.isEmpty {
            let buttons = Self.buttons(of: content).enumerated().map { number, action in
                style.paint("[\(number + 1)]", .key) + " "
                    + (action.title.isEmpty ? action.id : action.title).oneLine
            }
            lines.append(indent + buttons.joined(separator: "  ") + style.paint("  " + words.keys, .faint))
        }
        return lines.map { $0 + "\n" }.joined()
    }

    func withdrawn(_ delivery: Delivery) -> String {
        style.paint(words.withdrawn.replacing("{title}", with: delivery.content.title.oneLine), .faint) + "\n"
    }

    /// Returns a bar for 0 to 1; other values are clamped.
    private static func bar(_ progress: Double?) -> String? {
        guard let progress, !progress.isNaN else { return nil }
        let share = min(max(progress, 0), 1)
        let filled = Int((share * 20).rounded(.down))
        return "[" + String(repeating: "#", count: filled) + String(repeating: "-", count: 20 - filled)
            + "] \(Int((share * 100).rounded(.down))) %"
    }
}

extension InterruptionLevel {
    fileprivate var emphasis: LineStyle.Emphasis {
        switch self {
        case .passive: .plain
        case .active, .timeSensitive: .strong
        case .critical: .alarm
        }
    }
}
