import Belfry
import BelfryTestSupport
import Foundation
import SeededRandom
import Testing

@testable import BelfrySchedules

@Suite("Broken schedule files", .takesTurns)
struct FuzzTests {
    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Examples/schedules")

    /// Pieces that hurt: at the borders of numbers, dates and texts, and of the grammar.
    private static let pieces: [[UInt8]] =
        [
            "{", "}", "[", "]", ",", ":", "\"", "'", "\\", "//", "/*", "*/", "\n", "\0", "9223372036854775807",
            "-9223372036854775808", "1e999", "NaN", "Infinity", "0x", "null", "true", "-1", "0", "2147483648", "1.5",
            "\\ud800", "é", "\u{2028}", "\"9999/12/31 23:59\"", "\"0001/01/01 00:00\"", "\"31/12/9999\"",
            "\"99999999999d\"",
            "repeat", "occurrence", "endRepeat", "DTSTART:99991231T235959Z\n", "TRIGGER:-P99999999W\n",
            "RRULE:FREQ=SECONDLY\n",
            "BEGIN:VALARM\n", "END:VALARM\n", "\"*-*-31 25:00\"", "\"FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30\"",
        ].map { Array($0.utf8) } + [[0xFF], [0xC3], [0xED, 0xA0, 0x80]]

    @Test("A file that was changed at random is errors or a schedule, and never takes long")
    func mutations() throws {
        let seed = RandomSeed.current
        var random = SeededGenerator(seed: seed)
        print("Broken schedule files, seed \(seed)")
        let names = ["native.json", "places.json", "form-a.json", "form-b.json", "form-c.json", "alarms.ics"]
        let originals = try names.map { try [UInt8](Data(contentsOf: Self.folder.appendingPathComponent($0))) }
        let anchor = Reading.date("2026-03-27 12:00")
        var readable = 0
        for round in 0..<4_000 {
            var bytes = originals[round % originals.count]
            for _ in 0..<Int.random(in: 1...4, using: &random) { Self.mutate(&bytes, &random) }
            let time = processorTime {
                do throws(ScheduleError) {
                    let schedule = try NoticeSchedule(bytes, named: "f", options: ScheduleOptions(zone: Reading.berlin))
                    readable += 1
                    for entry in schedule.entries {
                        guard let requests = try? entry.requests(beginningAt: anchor, in: Reading.berlin) else {
                            continue
                        }
                        for request in requests.prefix(3) {
                            _ = request.trigger?.previewOccurrences(2, after: anchor, in: Reading.berlin)
                        }
                    }
                } catch {
                    #expect(
                        !error.diagnostics.isEmpty && error.diagnostics.allSatisfy { !$0.message.isEmpty },
                        "seed \(seed)"
                    )
                }
            }
            #expect(time < .seconds(10), "seed \(seed), round \(round): \(String(decoding: bytes, as: UTF8.self))")
        }
        #expect(readable > 0, "some changes do no harm")
    }

    private static func mutate(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
        guard !bytes.isEmpty else { return }
        let place = Int.random(in: 0..<bytes.count, using: &random)
        let end = min(bytes.count, place + Int.random(in: 1...12, using: &random))
        let piece = pieces.randomElement(using: &random) ?? []
        switch Int.random(in: 0..<6, using: &random) {
        case 0: bytes.removeSubrange(place..<end)
        case 1: bytes.insert(contentsOf: piece, at: place)
        case 2: bytes.replaceSubrange(place..<end, with: piece)
        case 3: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 4: bytes.insert(contentsOf: bytes[place..<end], at: Int.random(in: 0..<bytes.count, using: &random))
        default: bytes.removeLast(bytes.count - place)
        }
    }

    @Test("Large files of nothing but trouble are refused", arguments: 0..<5)
    func large(kind: Int) {
        let count = 1 << 16
        let text: String =
            switch kind {
            case 0: "[" + String(repeating: "{},", count: count / 3) + "]"
            case 1: "{version:1,notices:[" + String(repeating: "1 ", count: count / 2) + "]}"
            case 2: "{" + (0..<count / 12).map { "k\($0):1" }.joined(separator: ",") + "}"
            case 3: "[{time:'" + String(repeating: "é", count: count / 2) + "'}]"
            default: "BEGIN:VCALENDAR\n" + String(repeating: "BEGIN:VEVENT\nEND:VEVENT\n", count: count / 24)
            }
        #expect(throws: ScheduleError.self) { try NoticeSchedule(parsing: text) }
    }
}
