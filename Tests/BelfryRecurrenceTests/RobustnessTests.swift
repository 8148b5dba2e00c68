import BelfryRecurrence
import BelfryTestSupport
import Foundation
import SeededRandom
import Testing

@Suite("Inputs that made other engines hang or crash", .takesTurns)
struct RobustnessTests {
    private struct Case: Decodable {
        let id: String
        let startReferenceDate: Double?
        let components: [String: Int]?
    }

    @Test("Each set of components of the shared cases answers within a second")
    func components() throws {
        let file = TestFiles.shared.appending(path: "vectors/robustness.json")
        guard let data = try? Data(contentsOf: file) else {
            print("Skipped: there is no \(file.lastPathComponent) in \(file.deletingLastPathComponent().path).")
            return
        }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        for item in try decoder.decode([Case].self, from: data) {
            guard let components = item.components, let start = item.startReferenceDate else { continue }
            let time = processorTime(leastOf: 3) {
                let pattern = try? DatePattern(
                    matching: [DateFields(json: components)],
                    zone: .utc,
                    policies: DatePolicies(missingDate: .skip)
                )
                let date = pattern?.next(after: Date(timeIntervalSinceReferenceDate: start))
                #expect(date == nil, "\(item.id)")
            }
            #expect(time < .seconds(1), "\(item.id)")
        }
    }

    @Test("Hourly in Dublin across the start of summer time (systemd 36897)")
    func dublin() throws {
        let pattern = try DatePattern(matching: [DateFields(minute: 0)], zone: .named("Europe/Dublin"))
        let start: Int64 = 1_743_285_600
        #expect(Array(pattern.dates(after: start).prefix(4)) == (1...4).map { start + 3600 * $0 })
    }

    @Test("Every minute in Berlin across the end of summer time (systemd 8647)")
    func berlin() throws {
        let pattern = try DatePattern(matching: [DateFields(second: 0)], zone: .named("Europe/Berlin"))
        let start: Int64 = 1_698_541_080
        #expect(Array(pattern.dates(after: start).prefix(3)) == (1...3).map { start + 60 * $0 })
    }

    @Test("A skipped time in a list of times lets the others fire (systemd 13745)")
    func sydney() throws {
        let sets = [2, 6, 10, 14, 18, 22].map { DateFields(hour: $0, minute: 30, second: 0) }
        let pattern = try DatePattern(
            matching: sets,
            zone: .named("Australia/Sydney"),
            policies: DatePolicies(missingTime: .skip)
        )
        #expect(Array(pattern.dates(after: 1_570_284_000).prefix(2)) == [1_570_303_800, 1_570_318_200])
    }

    @Test("The first Monday of each month, where Foundation hangs (swift-foundation 2203)")
    func firstMonday() throws {
        let utc = try Local("UTC")
        let pattern = try RRule(parsing: "FREQ=MONTHLY;BYDAY=1MO").compiled(
            start: utc.instant("2026-06-01"),
            zone: .utc
        )
        #expect(
            pattern.dates(after: 0).prefix(8).map { utc.text($0).prefix(10) } == [
                "2026-06-01", "2026-07-06", "2026-08-03", "2026-09-07", "2026-10-05", "2026-11-02", "2026-12-07",
                "2027-01-04",
            ]
        )
    }

    @Test("Components of any size are refused, never a trap")
    func random() {
        let seed = RandomSeed.current
        var generator = SeededGenerator(seed: seed)
        let names =
            ["era", "year", "month", "day", "dayOfYear", "weekday", "weekdayOrdinal", "weekOfMonth", "weekOfYear"]
            + ["yearForWeekOfYear", "hour", "minute", "second"]
        for _ in 0..<3000 {
            var json: [String: Int] = [:]
            for name in names where generator.chance(30) {
                json[name] =
                    generator.chance(30)
                    ? Int.random(in: .min ... .max, using: &generator) : Int.random(in: -3...70, using: &generator)
            }
            guard let pattern = try? DatePattern(matching: [DateFields(json: json)], zone: .utc) else { continue }
            if let next = pattern.next(after: 0) { #expect(next > 0, "seed \(seed)") }
            _ = pattern.impossibility
        }
    }

    @Test("Four thousand sets of components are compiled and searched, more are refused")
    func many() throws {
        let sets = (0..<4_000).map { DateFields(month: $0 % 12 + 1, day: $0 % 28 + 1, hour: $0 % 24, minute: $0 % 60) }
        let pattern = try DatePattern(matching: sets, zone: .utc)
        #expect(pattern.next(after: 0) != nil)
        #expect(throws: RecurrenceError.self) {
            try DatePattern(matching: sets + [DateFields(hour: 1)], zone: .utc)
        }
    }
}
