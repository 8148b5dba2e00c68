import BelfryRecurrence
import BelfryTestSupport
import Testing

@Suite("Bounds, and searches that find nothing", .takesTurns)
struct SearchBoundTests {
    @Test("A rule may start and end, both included")
    func bounds() throws {
        let daily = try DatePattern(matching: [DateFields(hour: 0)], zone: .utc).bounded(from: 86_400, through: 259_200)
        #expect(Array(daily.dates(after: .min)) == [86_400, 172_800, 259_200])
        #expect(daily.next(after: 259_199) == 259_200)
        #expect(daily.next(after: 259_200) == nil)
    }

    @Test("A rule that starts after its end has no dates, up to the ends of the integers")
    func startAfterEnd() throws {
        let daily = try DatePattern(matching: [DateFields(hour: 0)], zone: .utc)
        for start in [.max, .max - 1, 1 << 60, 259_201] as [Int64] {
            let bounded = daily.bounded(from: start, through: 259_200)
            for after in [.min, 0, .max] as [Int64] { #expect(bounded.next(after: after) == nil) }
        }
        #expect(daily.bounded(from: .max).next(after: 0) == nil)
        #expect(daily.bounded(from: 259_200, through: 259_200).next(after: 0) == 259_200)
    }

    @Test("A rule may count from its start")
    func count() throws {
        let daily = try DatePattern(matching: [DateFields(hour: 0)], zone: .utc).bounded(from: 1)
        #expect(try Array(daily.limited(to: 3).dates(after: .min)) == [86_400, 172_800, 259_200])
        #expect(try daily.limited(to: 3).next(after: 200_000) == 259_200)
        #expect(try daily.limited(to: .max).next(after: 200_000) == 259_200)
        #expect(try daily.limited(to: 0).next(after: 0) == nil)
    }

    @Test("What can never fire says so at once", .timeLimit(.minutes(1)))
    func impossible() throws {
        let rules: [DateFields] = [
            DateFields(month: 2, day: 30), DateFields(month: 4, day: 31, hour: 8, minute: 30),
            DateFields(month: 2, weekday: 2, weekdayOrdinal: 5, hour: 9).with { $0.year = 2027 },
            DateFields(month: 3, dayOfYear: 366), DateFields(weekOfMonth: 0), DateFields(day: 31, dayOfYear: 1),
            DateFields(year: 2027, month: 2, day: 29), DateFields(era: 0, year: 5),
            DateFields(month: 1, weekOfYear: 30),
            DateFields(year: 2026, month: 5, day: 10, weekday: 3),
        ]
        for fields in rules {
            var answer: Int64?
            var impossibility: RecurrenceError?
            let time = try processorTime(leastOf: 3) {
                let pattern = try DatePattern(
                    matching: [fields],
                    zone: .utc,
                    policies: DatePolicies(missingDate: .skip)
                )
                answer = pattern.next(after: 0)
                impossibility = pattern.impossibility
            }
            #expect(answer == nil, "\(fields)")
            #expect(impossibility?.code == .impossibleDate, "\(fields)")
            #expect(time < .milliseconds(200), "\(fields) took \(time)")
        }
    }

    @Test("Dates are found across the whole 400 years after which the calendar repeats")
    func rarest() throws {
        // 29 February on a Sunday, not in the years around 2100.
        let fields = DateFields(month: 2, day: 29, weekday: 1)
        let pattern = try DatePattern(matching: [fields], zone: .utc)
        let utc = try Local("UTC")
        #expect(
            pattern.dates(after: utc.instant("2076-01-01 00:00")).prefix(3).map(utc.text)
                == ["2088-02-29 00:00+00:00", "2128-02-29 00:00+00:00", "2156-02-29 00:00+00:00"]
        )
    }

    @Test("Any instant may be asked for, up to the ends of the integers")
    func extremes() throws {
        let berlin = try ZoneRules.named("Europe/Berlin")
        for fields in [
            DateFields(hour: 8), DateFields(minute: 5), DateFields(month: 2, day: 29), DateFields(weekOfYear: 9),
        ] {
            let pattern = try DatePattern(matching: [fields], zone: berlin)
            for after in [Int64.min, .min + 1, -62_135_596_801, -1, 0, 253_402_300_799, 1 << 60, .max - 1, .max] {
                if let next = pattern.next(after: after) { #expect(next > after) }
            }
            #expect(pattern.next(after: .max) == nil)
            #expect(pattern.next(after: .min) != nil)
        }
    }
}

extension DateFields {
    func with(_ change: (inout DateFields) -> Void) -> DateFields {
        var copy = self
        change(&copy)
        return copy
    }
}
