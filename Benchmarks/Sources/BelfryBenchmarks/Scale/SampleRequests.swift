import BelfryRecurrence
import Foundation

@testable import Belfry

/// Requests as an app makes them, the same ones in every run.
enum SampleRequests {
    /// 1 March 2025, 12:00 UTC.
    static let start = TriggerInstant(wall: 1_740_830_400_000_000, boot: 3_600_000_000)

    /// An identifier as most apps have them: longer than a String holds in itself.
    static func identifier(_ number: Int) -> String { "org.example.reminders/\(100_000_000 + number)" }

    static func content(_ number: Int) -> NoticeContent {
        NoticeContent(
            title: "Reminder number \(number)",
            body: "What was to be done today, in a sentence or two: item \(number)."
        )
    }

    /// A third each: after a time span, at a date, daily. All are due within an hour.
    static func mixed(_ count: Int) -> [NoticeRequest] {
        (0..<count).map { number in
            let offset = 1 + number * 7_919 % 3_500
            let trigger: any NoticeTrigger =
                switch number % 3 {
                case 0: IntervalTrigger(after: .seconds(offset))
                case 1: DateTrigger(date: start.date.addingTimeInterval(Double(offset)))
                default:
                    CalendarTrigger(
                        matching: DateFields(hour: 12, minute: offset / 60, second: offset % 60),
                        repeats: true
                    )
                }
            return NoticeRequest(id: identifier(number), content: content(number), trigger: trigger)
        }
    }

    /// The components of calendar triggers: a quarter each daily, weekly, monthly and yearly, at any minute of the day,
    /// on any day of the week, month or year.
    static func calendarFields(_ count: Int) -> [DateFields] {
        var random = SplitMix(state: 20_250_301)
        return (0..<count).map { number in
            var fields = DateFields(hour: random.below(24), minute: random.below(60))
            switch number % 4 {
            case 0: break
            case 1: fields.weekday = 1 + random.below(7)
            case 2: fields.day = 1 + random.below(31)
            default:
                let month = 1 + random.below(12)
                fields.month = month
                fields.day = 1 + random.below([31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1])
            }
            return fields
        }
    }

    static func calendar(_ count: Int) -> [NoticeRequest] {
        calendarFields(count).enumerated().map { number, fields in
            NoticeRequest(
                id: identifier(number),
                content: content(number),
                trigger: CalendarTrigger(matching: fields, repeats: true)
            )
        }
    }
}

/// Steele, Lea and Flood's SplitMix64: numbers that are the same on every machine.
struct SplitMix {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
}
