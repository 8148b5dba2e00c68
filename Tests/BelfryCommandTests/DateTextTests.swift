import Belfry
import BelfryRecurrence
import BelfrySchedules
import BelfryTestSupport
import Foundation
import SeededRandom
import Testing

@testable import BelfryCommand

@Suite("Dates on the command line", .takesTurns)
struct DateTextTests {
    private let berlin = DateText(zone: try! ZoneRules.named("Europe/Berlin"))

    @Test(
        "An instant is read in all three notations",
        arguments: [
            ("2026-12-24T18:00:00+01:00", 1_798_131_600.0), ("2026-12-24T17:00:00Z", 1_798_131_600),
            ("2026-12-24t17:00:00z", 1_798_131_600), ("2026-12-24 12:30:00-0430", 1_798_131_600),
            ("2026-12-24T18:00+01", 1_798_131_600), ("2026-12-24 18:00", 1_798_131_600),
            ("2026-12-24 18:00:30", 1_798_131_630), ("2026-12-24T18:00:00.5+01:00", 1_798_131_600.5),
            ("@1798131600", 1_798_131_600), ("@1798131600.25", 1_798_131_600.25), ("@-1", -1), ("@0", 0),
            ("2026-12-24", 1_798_066_800), ("1970-01-01T00:00:00Z", 0), ("0001-01-01T00:00:00Z", -62_135_596_800),
            ("2024-02-29T00:00:00Z", 1_709_164_800),
        ]
    )
    func instants(text: String, expected: Double) throws {
        #expect(try berlin.parse(text, option: "--at").timeIntervalSince1970 == expected)
    }

    @Test("A bare date is its first second, and after --until its last")
    func bareDates() throws {
        let first = try berlin.parse("2026-03-29", option: "--at")
        let last = try berlin.parse("2026-03-29", option: "--until", bareDate: .lastSecond)
        #expect(first.timeIntervalSince1970 == 1_774_738_800)
        #expect(last.timeIntervalSince(first) == 23 * 3600 - 1, "the day of the clock change has 23 hours")
    }

    @Test("A skipped local time is shifted forward, of a repeated one the first is taken")
    func clockChanges() throws {
        #expect(try berlin.parse("2026-03-29 02:30", option: "--at").timeIntervalSince1970 == 1_774_747_800)
        #expect(try berlin.parse("2026-10-25 02:30", option: "--at").timeIntervalSince1970 == 1_792_888_200)
    }

    @Test(
        "What is no date is refused by name, as wrong usage",
        arguments: [
            "tomorrow", "2026", "2026-12", "2026-13-01", "2026-02-29", "2026-00-10", "2026-04-31", "0000-01-01",
            "2026-12-24 24:00", "2026-12-24 18:60", "2026-12-24 18", "2026-12-24T", "2026-12-24  18:00", "24.12.2026",
            "2026-12-24T18:00:00+25:00", "2026-12-24T18:00:00 +01:00", "2026-12-24T18:00:00+01:00x", "@", "@x", "@1e9",
            "@999999999999999", "@-99999999999", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-12:00", "@nan",
            "@--1", "2026-12-24T18:00:00.Z", "２０２６-12-24",
        ]
    )
    func refused(text: String) {
        let failure = #expect(throws: NoticeError.self) { try berlin.parse(text, option: "--after") }
        #expect(failure?.status == .usage)
        #expect(failure?.message.contains("--after") == true)
        #expect(failure?.message.contains(text) == true)
    }

    @Test("No text makes the parser trap")
    func fuzz() {
        let seed = RandomSeed.current
        var random = SeededGenerator(seed: seed)
        let pieces = [
            "2026", "-", "12", "24", "T", " ", "18", ":", "00", "+", "Z", "@", ".", "9", "0001", "9999", "31", "é",
            "\u{0}",
        ]
        for _ in 0..<5000 {
            let text = random.text(of: pieces, upTo: 14)
            guard let date = try? berlin.parse(text, option: "--at", bareDate: .lastSecond) else { continue }
            #expect(date.timeIntervalSince1970.magnitude < 1e12, "seed \(seed): '\(text)'")
        }
    }

    @Test("What is printed as RFC 3339 is read back as the same instant")
    func roundTrip() throws {
        let seed = RandomSeed.current
        var random = SeededGenerator(seed: seed)
        for name in ["Europe/Berlin", "America/St_Johns", "Asia/Kathmandu", "Pacific/Apia", "UTC"] {
            let zone = try ZoneRules.named(name)
            for _ in 0..<200 {
                // From 1973 on: before, some zones were not whole minutes from UTC, which RFC 3339 can't say.
                let date = Date(
                    timeIntervalSince1970: Double(Int64.random(in: 100_000_000...250_000_000_000, using: &random))
                )
                let text = date.rfc3339(in: zone)
                #expect(try berlin.parse(text, option: "--at") == date, "seed \(seed): \(text)")
            }
        }
    }

    @Test("Calendar days are counted as the Gregorian calendar counts them")
    func localDates() {
        let seed = RandomSeed.current
        var random = SeededGenerator(seed: seed)
        for _ in 0..<2000 {
            let seconds = Int64.random(in: -62_135_596_800...253_402_300_799, using: &random)
            let local = LocalDate(secondsAtUTC: seconds)
            #expect(local.rangeError == nil, "seed \(seed): \(seconds)")
            #expect(local.secondsAtUTC == seconds, "seed \(seed): \(seconds)")
        }
    }
}
