import Belfry
import BelfryRecurrence
import BelfryTestSupport
import Foundation
import Testing

@Suite("The names of months, and of weekdays in a month, are those dates", .takesTurns)
struct EverydayNamesTests {
    /// The first date of a trigger from the beginning of 2026.
    private func first(_ trigger: CalendarTrigger) -> String? {
        let eve = World.start.addingTimeInterval(-1)
        return trigger.previewOccurrences(1, after: eve, in: .utc).first?.formatted(.iso8601)
    }

    @Test("Each month") func months() {
        let dates: [CalendarTrigger.DateOfYear] = [
            .january(11), .february(11), .march(11), .april(11), .may(11), .june(11), .july(11), .august(11),
            .september(11), .october(11), .november(11), .december(11),
        ]
        let found = dates.map { first(.yearly(on: $0, at: "8:00")) }
        #expect(found == (1...12).map { "2026-\($0 < 10 ? "0" : "")\($0)-11T08:00:00Z" })
    }

    @Test("The first to the fifth weekday, and the last") func ordinals() {
        // The Thursdays of January 2026: 1, 8, 15, 22, 29.
        let days: [CalendarTrigger.DayOfMonth] = [
            .first(.thursday), .second(.thursday), .third(.thursday), .fourth(.thursday), .fifth(.thursday),
            .last(.thursday), .last(.wednesday),
        ]
        let found = days.map { first(.monthly(on: $0, at: "8:00")) }
        #expect(found == ["01", "08", "15", "22", "29", "29", "28"].map { "2026-01-\($0)T08:00:00Z" })
    }
}
