import BelfryRecurrence
import BelfryTestSupport
import Foundation
import Testing

@Suite("The next date is strictly after the given instant", .takesTurns)
struct StrictlyLaterTests {
    @Test("A date is not its own successor")
    func strictlyLater() throws {
        let pattern = try DatePattern(matching: [DateFields(hour: 0)], zone: .utc)
        #expect(pattern.next(after: -1) == 0)
        #expect(pattern.next(after: 0) == 86_400)
    }

    @Test("A fraction of a second before a date is before it, and one after it is after it")
    func fractions() throws {
        let pattern = try DatePattern(matching: [DateFields(hour: 0)], zone: .utc)
        #expect(pattern.next(after: Date(timeIntervalSince1970: 86_399.999)) == Date(timeIntervalSince1970: 86_400))
        #expect(pattern.next(after: Date(timeIntervalSince1970: 86_400)) == Date(timeIntervalSince1970: 172_800))
        #expect(pattern.next(after: Date(timeIntervalSince1970: 86_400.001)) == Date(timeIntervalSince1970: 172_800))
        #expect(pattern.next(after: Date(timeIntervalSince1970: -0.5)) == Date(timeIntervalSince1970: 0))
    }

    @Test("Components with a year fire once, and never after that")
    func once() throws {
        let pattern = try DatePattern(matching: [DateFields(year: 2027, month: 5, day: 10, hour: 8)], zone: .utc)
        let date = try #require(pattern.next(after: 0))
        #expect(date == 1_809_936_000)
        #expect(pattern.next(after: date) == nil)
    }
}
