#if CommandLine
import ArgumentParser
import Belfry
import BelfrySchedules

extension NameSpecification {
    /// As in `notify-send`: `-u low`, `-ulow`, `--urgency low`.
    static func letter(_ letter: Character) -> Self { [.customShort(letter, allowingJoined: true), .long] }
}

/// The options for the content of a notice: those of notify-send, and Belfry's additions.
struct ContentOptions: ParsableArguments {
    @Option(
        name: .letter("u"),
        help: .init("The urgency: low, normal or critical.", valueName: "level"),
        completion: .list(["low", "normal", "critical"])
    )
    var urgency: String?

    @Option(
        help: "The interruption level: passive, active, timeSensitive or critical.",
        completion: .names(of: InterruptionLevel.self)
    )
    var level: String?

    @Option(
        name: .letter("t"),
        parsing: .unconditional,
        help: .init(
            "How long it stays on the screen: milliseconds, or 5s, 1m; 0 never expires, -1 leaves it to the desktop.",
            valueName: "time"
        )
    )
    var expireTime: String?

    @Option(name: .letter("i"), help: "An icon: a name from the icon theme, or a file.", completion: .file())
    var icon: String?

    @Option(
        name: .letter("n"),
        help: .init("The app's icon: a name or a file; -i is then the large image.", valueName: "icon"),
        completion: .file()
    )
    var appIcon: String?

    @Option(
        name: .letter("c"),
        help: .init("A category of the desktop notifications specification, such as im.received.", valueName: "type")
    )
    var category: String?

    @Option(
        name: .letter("h"),
        parsing: .unconditionalSingleValue,
        help: "A hint, TYPE:NAME:VALUE; the type is boolean, int, double, string or byte."
    )
    var hint: [String] = []

    @Option(
        name: .letter("A"),
        parsing: .unconditionalSingleValue,
        help: "A button: NAME=LABEL, or LABEL alone; its name is then its number, from 0."
    )
    var action: [String] = []

    @Option(
        help: .init(
            "What a button does in a call: NAME=acceptCall, declineCall, hangUp, enableSpeakerphone or "
                + "disableSpeakerphone.",
            valueName: "name=purpose"
        )
    )
    var purpose: [String] = []

    @Option(name: .letter("a"), help: .init("The app that the notice is from.", valueName: "name"))
    var appName: String?

    @Flag(name: [.customShort("e"), .long], help: "Don't keep the notice in the desktop's history.")
    var transient = false

    @Flag(help: "Keep the notice until it is withdrawn, if the desktop supports that.")
    var persistent = false

    @Option(
        help: .init("What the lock screen shows: visible, contentHidden or hidden.", valueName: "what"),
        completion: .names(of: NoticeContent.Desktop.Privacy.self)
    )
    var privacy: String?

    @Flag(help: "Read markup in the body: b, i, u, a, img. Without this, the body is plain text.")
    var markup = false

    @Option(help: .init("A line between the title and the body.", valueName: "text"))
    var subtitle: String?

    @Option(help: "A large image: a file, or a name from the icon theme.", completion: .file())
    var image: String?

    @Option(help: "The sound: default, none, a file, or a name from the sound theme.", completion: .file())
    var sound: String?

    @Option(help: .init("A progress bar: 0 to 1, or 0% to 100%.", valueName: "share"))
    var progress: String?

    @Option(help: .init("The thread; desktops group the notices of one thread.", valueName: "name"))
    var thread: String?

    @Flag(help: "Add snooze buttons: 5 minutes, 1 hour, tomorrow at 9.")
    var snooze = false

    /// Returns the app that notifies. A `desktop-entry` hint names its identifier, as in notify-send.
    func app() throws(NoticeError) -> AppIdentity {
        for text in hint {
            let hint = try HintText(text)
            if hint.name == "desktop-entry", case .string(let id) = hint.value, !id.isEmpty {
                // Without a name the identifier's is used: the agent stores it for that app, which is not belfry.
                let app = AppIdentity(id: id, name: appName)
                guard app.cleaned().id == id else {
                    throw NoticeError(
                        .invalidIdentifier,
                        "--hint desktop-entry: '\(id.clipped)' is no identifier of an app: use at most 255 bytes "
                            + "without control characters, as in org.example.Tea."
                    )
                }
                return app
            }
        }
        return .command(appName ?? "belfry")
    }

    func content(title: String, body: String?) throws(NoticeError) -> NoticeContent {
        var content = NoticeContent(title: title, subtitle: subtitle ?? "", body: try BodyEscapes.resolve(body ?? ""))
        content.bodyFormat = markup ? .markup : .plain
        content.level = try chosenLevel()
        content.desktop.expiry = try expiry()
        // As in notify-send after 0.8.7: with an app icon, the other icon is the notice's image.
        content.icon = (appIcon ?? icon).map(PictureText.icon)
        content.image = (image ?? (appIcon == nil ? nil : icon)).map(PictureText.image)
        content.sound = sound.map(PictureText.sound)
        content.desktop.category = category
        content.thread = thread
        content.desktop.appName = appName
        if snooze { content.category = NoticeCategory.snoozeID }
        content.desktop.isTransient = transient
        content.desktop.isPersistent = persistent
        if let privacy { content.desktop.privacy = try PolicyName.parse(privacy, of: "--privacy") }
        if let progress { content.progress = try Self.share(progress) }
        for (number, text) in action.enumerated() { content.actions.append(try Self.action(text, number: number)) }
        try setPurposes(of: &content.actions)
        for text in hint {
            let hint = try HintText(text)
            if hint.name != "desktop-entry" { content.take(hint) }
        }
        return content
    }

    private func setPurposes(of actions: inout [NoticeAction]) throws(NoticeError) {
        for text in purpose {
            let (name, value) = text.halves(at: "=")
            guard let value, let index = actions.firstIndex(where: { $0.id == name.trimmed }) else {
                throw .unreadable(
                    "--purpose: '\(text.clipped)' names no button; write -A yes=Answer --purpose yes=acceptCall."
                )
            }
            actions[index].purpose = try PolicyName.parse(String(value.trimmed), of: "--purpose")
        }
    }

    private func chosenLevel() throws(NoticeError) -> InterruptionLevel {
        if let level {
            guard urgency == nil else { throw .usage("--urgency and --level say the same; give one of them.") }
            return try PolicyName.parse(level, of: "--level")
        }
        switch urgency?.lowercased() {
        case nil, "normal": return .active
        case "low": return .passive
        case "critical": return .critical
        default:
            throw .unreadable("'\(urgency!.clipped)' is no value for --urgency; there are low, normal, critical.")
        }
    }

    private func expiry() throws(NoticeError) -> NoticeContent.Desktop.Expiry {
        guard let expireTime else { return .serverDefault }
        guard let number = Int64(expireTime) else {
            let span = try DurationText.parse(expireTime, option: "--expire-time")
            return span == .zero ? .never : .after(span)
        }
        return number < 0 ? .serverDefault : number == 0 ? .never : .after(.milliseconds(number))
    }

    private static func share(_ text: String) throws(NoticeError) -> Double {
        let isPercent = text.hasSuffix("%")
        guard let number = Double(isPercent ? String(text.dropLast()) : text), number.isFinite else {
            throw .unreadable("--progress: '\(text.clipped)' can't be read; write 0.4 or 40%.")
        }
        return isPercent ? number / 100 : number
    }

    private static func action(_ text: String, number: Int) throws(NoticeError) -> NoticeAction {
        let (first, second) = text.halves(at: "=")
        let name = second == nil ? String(number) : String(first.trimmed)
        let label = String((second ?? first).trimmed)
        guard !name.isEmpty, !label.isEmpty else {
            throw .unreadable("--action: '\(text.clipped)' lacks a name or a label; write it as -A yes='Yes, please'.")
        }
        return NoticeAction(name, title: label)
    }
}
#endif
