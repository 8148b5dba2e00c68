import Foundation

/// Fires once, at an instant.
public struct DateTrigger: WallClockTrigger {
    public static let kind: TriggerKind = "date"

    public var date: Date
    public var repeats: Bool { false }
    public var followsSystemZone: Bool { false }

    public init(at date: Date) { self.date = date }

    public func nextDate(after date: Date, in context: TriggerContext) -> Date? {
        self.date > date ? self.date : nil
    }

    public func validate() throws(NoticeError) {
        guard date.timeIntervalSince1970.magnitude <= 253_402_300_799 else {
            throw NoticeError(
                .invalidComponent,
                "The date \(date.timeIntervalSince1970) is outside the years 1 to 9999."
            )
        }
    }
}

extension NoticeTrigger where Self == DateTrigger {
    /// Once, at an instant.
    public static func at(_ date: Date) -> DateTrigger { DateTrigger(at: date) }
}
