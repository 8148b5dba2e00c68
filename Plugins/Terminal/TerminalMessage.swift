import Belfry
import BelfryConsole

/// A notice as commands to the terminal, and the features that are lost.
struct TerminalMessage: Sendable {
    var commands: [TerminalCommand] = []
    var lost: [DeliveryReceipt.LostFeature]

    /// Builds the commands.
    ///
    /// - Parameter id: The id of the notice, for terminals that support one.
    init(_ delivery: Delivery, id: String, for profile: TerminalProfile) {
        lost = delivery.lost
        switch profile.sequence {
        case .osc99: addKitty(delivery, id: id, for: profile)
        case .osc777: addNotify(delivery.content)
        case .osc9: addText(delivery.content)
        }
        // The texts of OSC 99 are base64.
        if let multiplexer = profile.multiplexer, profile.sequence != .osc99 {
            addLosses(delivery.content, through: multiplexer)
        }
        addLosses(delivery, profile)
    }

    /// Adds `notify;title;body`. Some terminals end the title at the first semicolon, some the body as well.
    private mutating func addNotify(_ content: NoticeContent) {
        func field(_ text: String) -> String { text.replacing(";", with: ",") }
        let body = content.bodyWithSubtitle.oneLine
        lost.add(
            .title,
            "a semicolon is a comma: \(TerminalSequence.osc777.title) ends the text at one",
            if: content.title.contains(";")
        )
        lost.add(.body, "semicolons are commas", if: body.contains(";"))
        commands = [TerminalCommand(777, "notify;\(field(content.title.oneLine));\(field(body))")]
    }

    /// Adds one text. A leading digit could make it a command of ConEmu, such as the progress `4;1;50`
    /// (https://conemu.github.io/en/AnsiEscapeCodes.html), so a space is inserted before it.
    private mutating func addText(_ content: NoticeContent) {
        let parts = [content.title.oneLine, content.bodyWithSubtitle.oneLine].filter { !$0.isEmpty }
        let text = parts.joined(separator: ": ")
        let isLikeCommand = text.unicodeScalars.first.map { ("0"..."9").contains($0) } ?? false
        commands = [TerminalCommand(9, isLikeCommand ? " " + text : text)]
    }

    private mutating func addLosses(_ content: NoticeContent, through multiplexer: Multiplexer) {
        let detail = "\(multiplexer) passes on Latin-1 alone: other characters are question marks"
        lost.add(.title, detail, if: !content.title.unicodeScalars.allSatisfy(multiplexer.passes))
        lost.add(.body, detail, if: !content.bodyWithSubtitle.unicodeScalars.allSatisfy(multiplexer.passes))
    }

    /// Reports the features that no terminal, or not this one, supports.
    private mutating func addLosses(_ delivery: Delivery, _ profile: TerminalProfile) {
        let content = delivery.content
        let desktop = content.desktop
        let can = profile.capabilities
        if can.features.contains(.urgency) {
            let detail = "the terminal has no level between active and critical"
            lost.add(.level, detail, if: content.level == .timeSensitive)
        } else {
            lost.add(.level, "the terminal knows no urgency", if: content.level != .active)
        }
        lost.add(
            .expiry,
            "the terminal decides how long it shows a notice",
            if: desktop.expiry != .serverDefault && !can.features.contains(.expiry)
        )
        lost.add(.resident, "the terminal decides whether a response closes the notice", if: desktop.isResident)
        lost.add(.transient, "the terminal has no option for it", if: desktop.isTransient)
        lost.add(.persistent, "the terminal has no option for it", if: desktop.isPersistent)
        lost.add(.privacy, "the terminal has no option for it", if: desktop.privacy != nil)
        lost.add(
            .hint,
            "a terminal takes no hints: \(desktop.hints.keys.sorted().joined(separator: ", "))",
            if: !desktop.hints.isEmpty
        )
        lost.add(.attachment, "a terminal takes no files", if: !content.attachments.isEmpty)
        // The center has added both already, unless the terminal has stopped reporting since it was asked.
        lost.add(
            .actions,
            "the terminal does not report responses",
            if: !content.actions.isEmpty && !can.features.contains(.actions)
        )
        let isKnown = lost.contains { $0.feature == .dismissal }
        lost.add(
            .dismissal,
            "the terminal does not report it",
            if: content.reportsDismissal && !can.reportsClosing && !isKnown
        )
        lost.add(
            .replacing,
            "the terminal names no notices",
            if: delivery.replaces != nil && !can.features.contains(.replacing)
        )
    }
}

extension NoticeContent {
    /// The body with the subtitle as its first line, because terminals have no subtitle.
    var bodyWithSubtitle: String {
        [subtitle, body].filter { !$0.isEmpty }.joined(separator: "\n")
    }
}
