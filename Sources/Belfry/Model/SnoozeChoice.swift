public import FoundationEssentials

/// How long a notice is snoozed.
///
/// A choice can be a button: ``NoticeAction/snooze(_:)``. The center, or the agent, handles that button without any
/// code of the app. ``NoticeCategory/snooze`` has three such buttons.
///
/// ```swift
/// var content = NoticeContent(title: "Water the plants")
/// content.actions = [.snooze(.after(.seconds(3_600))), .snooze(.tomorrow(hour: 9))]
/// ```
public enum SnoozeChoice: Sendable, Hashable {
    /// This long from now, measured with CLOCK_BOOTTIME. Longer than zero.
    case after(Duration)
    /// The next day at a local time, in the machine's time zone on that day.
    case tomorrow(hour: Int, minute: Int = 0)
    /// Until a date after now.
    case until(Date)

    private static let prefix = "belfry.snooze."

    /// The identifier of the button for this choice: `belfry.snooze.after.300`, `belfry.snooze.tomorrow.09:00`,
    /// `belfry.snooze.until.1767225600`. Identifiers with this prefix are reserved for Belfry.
    public var actionID: String {
        switch self {
        case .after(let span): Self.prefix + "after.\(Self.number(span.seconds))"
        case .tomorrow(let hour, let minute): Self.prefix + "tomorrow." + Self.time(hour, minute)
        case .until(let date): Self.prefix + "until.\(Self.number(date.timeIntervalSince1970))"
        }
    }

    /// Parses the identifier of a snooze button; nil for any other button.
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

    /// Checks the numbers.
    ///
    /// - Throws: ``NoticeError/Code/invalidInterval`` for a time that is not above zero and at most 100 years.
    ///   ``NoticeError/Code/invalidComponent`` for an hour, minute or date that is out of range. Both are permanent.
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

/// In storage and on D-Bus, a choice is coded as the identifier of its button.
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
    /// Returns a button that snoozes the notice; its title is in the user's language at the time of delivery.
    public static func snooze(_ choice: SnoozeChoice) -> NoticeAction {
        NoticeAction(choice.actionID, title: "")
    }
}

extension NoticeCategory {
    /// The name of the built-in category, for ``NoticeContent/category``.
    public static let snoozeID = "belfry.snooze"

    /// The built-in category: in 5 minutes, in 1 hour, tomorrow at 9. Its buttons follow those of the content.
    public static let snooze = NoticeCategory(
        snoozeID,
        actions: [.after(.seconds(300)), .after(.seconds(3_600)), .tomorrow(hour: 9)].map(NoticeAction.snooze)
    )
}

extension NoticeResponse {
    /// The choice of a snooze button; nil for every other response.
    public var snoozeChoice: SnoozeChoice? {
        guard case .action(let id) = kind else { return nil }
        return SnoozeChoice(actionID: id)
    }
}
