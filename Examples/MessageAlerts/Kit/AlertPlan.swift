import Belfry

/// How a message alerts until the user responds.
public struct AlertPlan: Sendable, Hashable {
    /// The same wish in two shapes.
    public enum Shape: String, Sendable, Hashable, CaseIterable {
        /// As many requests as alerts (`NoticeSeries`): each alert stands on the screen beside the earlier ones.
        case series
        /// One request that repeats (`NoticeRequest.untilAnswered`): each alert takes the place of the one before.
        case repeating
    }

    public var shape: Shape
    /// From one alert to the next: 1 second or more in a series, 60 seconds or more where one request repeats.
    public var spacing: Duration
    /// How many alerts in all, the first one included.
    public var count: Int
    /// What the button does that puts a message off.
    public var snooze: SnoozeChoice
    /// True: a message alerts in quiet hours too.
    public var isUrgent: Bool
    /// When messages that are not urgent wait.
    public var quietHours: QuietHours?

    public init(
        shape: Shape = .series,
        spacing: Duration = .seconds(300),
        count: Int = 10,
        snooze: SnoozeChoice = .after(.seconds(3_600)),
        isUrgent: Bool = true,
        quietHours: QuietHours? = nil
    ) {
        self.shape = shape
        self.spacing = spacing
        self.count = count
        self.snooze = snooze
        self.isUrgent = isUrgent
        self.quietHours = quietHours
    }
}
