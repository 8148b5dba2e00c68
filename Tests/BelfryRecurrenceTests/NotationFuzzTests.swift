import BelfryRecurrence
import BelfryTestSupport
import Foundation
import SeededRandom
import Testing

@Suite("Notations under bad input", .takesTurns)
struct NotationFuzzTests {
    private static let seeds: [String: [String]] = [
        "rrule": [
            "FREQ=MONTHLY;INTERVAL=2;BYDAY=-1FR,2MO;BYSETPOS=1,-1;COUNT=10;WKST=SU",
            "DTSTART;TZID=Europe/Berlin:20260105T090000\nRRULE:FREQ=YEARLY;BYWEEKNO=1,-1;UNTIL=20301231T235959Z\nEXDATE:20260112",
            "FREQ=SECONDLY;INTERVAL=999999999999;BYHOUR=1;BYMINUTE=2;BYSECOND=60;SKIP=FORWARD;RSCALE=GREGORIAN",
        ],
        "cron": ["*/5 1-7,22 L-3 NOV-FEB mon-fri#2,5L", "0 0 0 29 2 ?", "@weekly", "59 23 31 12 7"],
        "on": ["Mon..Fri,Sun 2020..2030/2-02~03/1 08..18:00/5:01.5/2.25 Europe/Berlin", "@1493187147", "*-*-* *:*:00"],
    ]

    private func compile(_ text: String, as kind: String) throws -> any RecurrencePattern {
        switch kind {
        case "rrule": try RRule(parsing: text).compiled(start: 1_767_258_061, zone: .named("America/New_York"))
        case "cron": try CronExpression(parsing: text).compiled(zone: .named("America/New_York"))
        default: try CalendarExpression(parsing: text).compiled(zone: .named("America/New_York"))
        }
    }

    /// Reads, and where that succeeds searches: nothing may trap, hang, or go back in time.
    private func exercise(_ text: String, as kind: String, _ note: String) {
        let time = processorTime {
            do {
                let pattern = try compile(text, as: kind)
                for after in [Int64.min, 0, 1_767_258_060, 1_800_000_000, .max] {
                    if let next = pattern.next(after: after) { #expect(next > after, "\(note): \(text)") }
                }
            } catch let error as RecurrenceError {
                #expect(!error.message.isEmpty)
            } catch {
                Issue.record("\(note): \(text) throws \(error)")
            }
        }
        #expect(time < .seconds(10), "\(note): \(text.prefix(200)) took \(time)")
    }

    @Test("Texts with changed, lost, doubled and strange characters", arguments: ["rrule", "cron", "on"])
    func mutations(kind: String) {
        let seed = RandomSeed.current
        var generator = SeededGenerator(seed: seed)
        let alphabet = Array("0123456789*/-,.:;=#~@? LlWTZMOFRJAN\n\r\t\u{0}é\u{1F514}")
        let texts = Self.seeds[kind] ?? []
        for number in 0..<1500 {
            var text = Array(generator.pick(texts))
            for _ in 0..<generator.int(1...4) where !text.isEmpty {
                let place = generator.int(0...text.count - 1)
                switch generator.int(0...3) {
                case 0: text[place] = generator.pick(alphabet)
                case 1: text.remove(at: place)
                case 2: text.insert(generator.pick(alphabet), at: place)
                default:
                    let end = min(text.count, place + generator.int(1...6))
                    text.insert(contentsOf: text[place..<end], at: generator.int(0...text.count))
                }
            }
            exercise(String(text), as: kind, "BELFRY_SEED=\(seed) number \(number)")
        }
    }

    @Test("Garbage, numbers of any size, long lists and a megabyte", arguments: ["rrule", "cron", "on"])
    func extremes(kind: String) {
        let list = Array(repeating: "1", count: 10_000).joined(separator: ",")
        let numbers = (0..<10_000).map { String($0 % 28 + 1) }.joined(separator: ",")
        let texts = [
            "", " ", "\u{0}", ";;;;", "=", "*", "************", "FREQ=", "FREQ=DAILY;BYMONTHDAY=\(numbers)",
            "FREQ=DAILY;COUNT=9223372036854775807", "FREQ=DAILY;COUNT=9223372036854775808", "\(list) * * * *",
            "* * \(numbers) * *", "*-*-\(list)", String(repeating: "9", count: 1_000_000),
            String(repeating: "FREQ=DAILY;", count: 100_000), String(repeating: "\n", count: 1_000_000),
            String(repeating: "* ", count: 30_000),
            "RDATE:" + Array(repeating: "20260101", count: 7_000).joined(separator: ","),
            "0 0 31 2,4,6,9,11 *", "*-04-31", "9999999999999999999-01-01", "*:*:*/0.000001", "*:*:0/0.000001",
        ]
        for text in texts { exercise(text, as: kind, "extreme") }
    }

    @Test("A text that is too long is refused before it is read")
    func tooLong() {
        for kind in ["rrule", "cron", "on"] {
            let error = #expect(throws: RecurrenceError.self) {
                try compile(String(repeating: "1", count: 1 << 20), as: kind)
            }
            #expect(error?.code == .limitExceeded)
        }
    }
}
