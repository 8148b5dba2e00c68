public import FoundationEssentials

/// How long a notice is put off.
///
/// A choice can be a button: ``NoticeAction/snooze(_:)``. The center itself carries such a button out, without any code
/// of the app's, also in the agent; ``NoticeCategory/snooze`` has three of them.
public enum SnoozeChoice: Sendable, Hashable {
    /// So long from now, by the clock that counts suspend and is never set. Longer than zero.
    case after(Duration)
    /// The next day at a local time, whatever zone the machine is in by then.
    case tomorrow(hour: Int, minute: Int = 0)
    /// An instant after now.
    case until(Date)

    private static let prefix = "belfry.snooze."

    /// The identifier of the button that stands for this choice: `belfry.snooze.after.300`,
    /// `belfry.snooze.tomorrow.09:00`, `belfry.snooze.until.1767225600`. Identifiers that begin like this are Belfry's.
    public var actionID: String {
        switch self {
        case .after(let span): Self.prefix + "after.\(Self.number(span.seconds))"
        case .tomorrow(let hour, let minute): Self.prefix + "tomorrow." + Self.time(hour, minute)
        case .until(let date): Self.prefix + "until.\(Self.number(date.timeIntervalSince1970))"
        }
    }

    /// The choice that a button stands for; nil for a button of any other kind.
    public init?(actionID: String) {
        guard actionID.hasPrefix(Self.prefix) else { return nil }
        let parts = actionID.dropFirst(Self.prefix.count).split(separator: ".", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        switch parts[0] {
        case "after":
            guard let seconds = Double(parts[1]), seconds > 0, seconds < 4e9 else { return nil }
            self = .after(.microseconds(Int64((seconds * 1e6).rounded())))
        case "until":
            guard let seconds = Double(parts[1]), seconds.magnitude < 3e11 else { return nil }
            self = .until(Date(timeIntervalSince1970: seconds))
        case "tomorrow":
            let time = parts[1].split(separator: ":").map { Int($0) }
            guard time.count == 2, let hour = time[0], let minute = time[1] else { return nil }
            self = .tomorrow(hour: hour, minute: minute)
        default: return nil
        }
        guard (try? validate()) != nil else { return nil }
    }

    /// Throws ``NoticeError/Code/invalidInterval`` and ``NoticeError/Code/invalidComponent``; permanent.
    public func validate() throws(NoticeError) {
        switch self {
        case .after(let span):
            guard span > .zero, span <= .seconds(100 * 366 * 86_400) else {
                throw NoticeError(
                    .invalidInterval,
                    "A snooze of \(span.seconds) s: it must be longer than zero and at most 100 years."
                )
            }
        case .tomorrow(let hour, let minute):
            guard (0...23).contains(hour), (0...59).contains(minute) else {
                throw NoticeError(
                    .invalidComponent,
                    "A snooze until tomorrow at \(hour):\(minute): write an hour of 0 to 23 and a minute of 0 to 59."
                )
            }
        case .until(let date):
            try NumberBounds.check(date, "until")
        }
    }

    private static func number(_ seconds: Double) -> String {
        Int64(exactly: seconds).map(String.init) ?? "\(seconds)"
    }

    private static func time(_ hour: Int, _ minute: Int) -> String {
        [hour, minute].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }
}

/// In storage and on the bus a choice is the identifier of its button.
extension SnoozeChoice: Codable {
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let choice = SnoozeChoice(actionID: text) else {
            throw NoticeError(.invalidNotation, "'\(text.prefix(80))' is no snooze, as 'belfry.snooze.after.300' is.")
        }
        self = choice
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(actionID)
    }
}

extension NoticeAction {
    /// A button that puts the notice off; its title is in the language of the moment of showing.
    public static func snooze(_ choice: SnoozeChoice) -> NoticeAction {
        NoticeAction(choice.actionID, title: "")
    }
}

extension NoticeCategory {
    /// The name of the built-in category, for ``NoticeContent/category``.
    public static let snoozeID = "belfry.snooze"

    /// Built in: in 5 minutes, in 1 hour, tomorrow at 9. Its buttons come after those that the content has of its own.
    public static let snooze = NoticeCategory(
        snoozeID,
        actions: [.after(.seconds(300)), .after(.seconds(3_600)), .tomorrow(hour: 9)].map(NoticeAction.snooze)
    )
}

extension NoticeResponse {
    /// What a button of the center's own asks for; nil for every other answer.
    public var snoozeChoice: SnoozeChoice? {
        guard case .action(let id) = kind else { return nil }
        return SnoozeChoice(actionID: id)
    }
}
