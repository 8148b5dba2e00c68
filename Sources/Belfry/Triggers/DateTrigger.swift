public import FoundationEssentials

/// Fires once, at a date.
///
/// ```swift
/// let departure = Date(timeIntervalSinceNow: 7_200)
/// let train = NoticeRequest(id: "train", title: "The train leaves in ten minutes", trigger: .date(departure - 600))
/// ```
public struct DateTrigger: WallClockTrigger {
    public static let kind: TriggerKind = "date"

    /// The date at which it fires.
    public var date: Date
    public var repeats: Bool { false }
    public var followsSystemZone: Bool { false }

    /// Creates a trigger; `add` refuses a date that is not after now.
    public init(date: Date) { self.date = date }

    public func nextDate(after date: Date, in context: TriggerContext) -> Date? {
        self.date > date ? self.date : nil
    }

    /// Checks the date.
    ///
    /// - Throws: ``NoticeError/Code/invalidComponent`` for a date outside the years 1 to 9999; permanent.
    public func validate() throws(NoticeError) { try NumberBounds.check(date, "date") }
}

extension NoticeTrigger where Self == DateTrigger {
    /// Fires once, at a date.
    public static func date(_ date: Date) -> DateTrigger { DateTrigger(date: date) }
}
