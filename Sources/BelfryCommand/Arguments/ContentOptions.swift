import ArgumentParser
import Belfry
import BelfrySchedules

/// What the person sees: the flags of notify-send, and what Belfry has beyond them.
struct ContentOptions: ParsableArguments {
    @Option(
        name: [.customShort("u", allowingJoined: true), .long],
        help: ArgumentHelp("low, normal or critical.", valueName: "level")
    )
    var urgency: String?

    @Option(help: ArgumentHelp("passive, active, timeSensitive or critical.", valueName: "level"))
    var level: String?

    @Option(
        name: [.customShort("t", allowingJoined: true), .long],
        parsing: .unconditional,
        help: ArgumentHelp(
            "Milliseconds on the screen (or 5s, 1m); 0 stays, -1 is the desktop's choice.",
            valueName: "time"
        )
    )
    var expireTime: String?

    @Option(
        name: [.customShort("i", allowingJoined: true), .long],
        help: ArgumentHelp("A name of the icon theme, or a file.", valueName: "icon")
    )
    var icon: String?

    @Option(
        name: [.customShort("n", allowingJoined: true), .long],
        help: ArgumentHelp(
            "The app's own icon: a name or a file; -i is then the large picture.",
            valueName: "icon"
        )
    )
    var appIcon: String?

    @Option(
        name: [.customShort("c", allowingJoined: true), .long],
        help: ArgumentHelp("A category of the freedesktop specification, such as im.received.", valueName: "type")
    )
    var category: String?

    @Option(
        name: [.customShort("h", allowingJoined: true), .long],
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("TYPE:NAME:VALUE, of type boolean, int, double, string or byte.", valueName: "hint")
    )
    var hint: [String] = []

    @Option(
        name: [.customShort("A", allowingJoined: true), .long],
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("A button: NAME=LABEL, or LABEL, whose name is its number from 0.", valueName: "action")
    )
    var action: [String] = []

    @Option(
        name: [.customShort("a", allowingJoined: true), .long],
        help: ArgumentHelp("The app that speaks.", valueName: "name")
    )
    var appName: String?

    @Flag(name: [.customShort("e"), .long], help: "Not kept in the desktop's history.")
    var transient = false

    @Flag(help: "The body has markup: b, i, u, a. Without it, every character is shown as it is.")
    var markup = false

    @Option(help: ArgumentHelp("A line between title and body.", valueName: "text"))
    var subtitle: String?

    @Option(help: ArgumentHelp("A large picture: a file, or a name of the icon theme.", valueName: "image"))
    var image: String?

    @Option(help: ArgumentHelp("default, none, a file, or a name of the sound theme.", valueName: "sound"))
    var sound: String?

    @Option(help: ArgumentHelp("A bar: 0 to 1, or 0% to 100%.", valueName: "share"))
    var progress: String?

    @Option(help: ArgumentHelp("Notices of one thread belong together.", valueName: "name"))
    var thread: String?

    @Flag(help: "Buttons that put the notice off: in 5 minutes, in 1 hour, tomorrow at 9.")
    var snooze = false

    /// Who speaks. A `desktop-entry` hint names the app's identifier, as it does for notify-send.
    func app() throws(CommandFailure) -> AppIdentity {
        for text in hint {
            let hint = try HintText(text)
            if hint.name == "desktop-entry", case .string(let id) = hint.value, !id.isEmpty {
                // The name falls back to the identifier's: the agent keeps it as that app's, which is not belfry.
                return AppIdentity(id: id, name: appName)
            }
        }
        return .command(appName ?? "belfry")
    }

    func content(title: String, body: String?) throws(CommandFailure) -> NoticeContent {
        var content = NoticeContent(title: title, subtitle: subtitle ?? "", body: try BodyEscapes.resolve(body ?? ""))
        content.bodyFormat = markup ? .markup : .plain
        content.level = try chosenLevel()
        content.desktop.expiry = try expiry()
        // notify-send after 0.8.7: beside an app's icon the other one is the notice's picture.
        content.icon = (appIcon ?? icon).map(PictureText.icon)
        content.image = (image ?? (appIcon == nil ? nil : icon)).map(PictureText.image)
        content.sound = sound.map(PictureText.sound)
        content.desktop.category = category
        content.thread = thread
        content.desktop.appName = appName
        if snooze { content.category = NoticeCategory.snoozeID }
        content.desktop.isTransient = transient
        if let progress { content.progress = try Self.share(progress) }
        for (number, text) in action.enumerated() { content.actions.append(try Self.action(text, number: number)) }
        for text in hint {
            let hint = try HintText(text)
            if hint.name != "desktop-entry" { content.take(hint) }
        }
        return content
    }

    private func chosenLevel() throws(CommandFailure) -> InterruptionLevel {
        if let level {
            guard urgency == nil else { throw .usage("--urgency and --level say the same; give one of them.") }
            return try PolicyName.parse(level, of: "--level")
        }
        switch urgency?.lowercased() {
        case nil, "normal": return .active
        case "low": return .passive
        case "critical": return .critical
        default:
            throw .unreadable("'\(urgency!.clipped)' is no urgency; there are low, normal and critical.")
        }
    }

    private func expiry() throws(CommandFailure) -> NoticeContent.Desktop.Expiry {
        guard let expireTime else { return .serverDefault }
        guard let number = Int64(expireTime) else {
            let span = try DurationText.argument(expireTime)
            return span == .zero ? .never : .after(span)
        }
        return number < 0 ? .serverDefault : number == 0 ? .never : .after(.milliseconds(number))
    }

    private static func share(_ text: String) throws(CommandFailure) -> Double {
        let isPercent = text.hasSuffix("%")
        guard let number = Double(isPercent ? String(text.dropLast()) : text), number.isFinite else {
            throw .unreadable("--progress: '\(text.clipped)' can't be read; write 0.4 or 40%.")
        }
        return isPercent ? number / 100 : number
    }

    private static func action(_ text: String, number: Int) throws(CommandFailure) -> NoticeAction {
        let sides = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = sides.count == 2 ? String(sides[0].trimmed) : String(number)
        let label = String((sides.last ?? "").trimmed)
        guard !name.isEmpty, !label.isEmpty else {
            throw .unreadable("--action: '\(text.clipped)' lacks a name or a label; write it as -A yes='Yes, please'.")
        }
        return NoticeAction(name, title: label)
    }
}
