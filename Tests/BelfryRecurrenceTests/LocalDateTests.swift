import BelfryRecurrence
import BelfryTestSupport
import SeededRandom
import Testing

@Suite("Dates of the wall clock", .takesTurns)
struct LocalDateTests {
    @Test(
        "Dates before the year 1 and after 9999 are those of the same calendar",
        arguments: [
            (0, "1970-01-01", 5), (-1, "1969-12-31", 4), (-62_135_596_800, "0001-01-01", 2),
            (-62_135_596_801, "0000-12-31", 1), (-62_162_208_000, "0000-02-28", 2), (-62_198_755_200, "-0001-01-01", 6),
            (253_402_300_799, "9999-12-31", 6), (253_402_300_800, "10000-01-01", 7), (951_782_400, "2000-02-29", 3),
        ] as [(Int64, String, Int)]
    )
    func otherYears(seconds: Int64, date: String, weekday: Int) {
        let local = LocalDate(secondsAtUTC: seconds)
        #expect(local.date == date)
        #expect(local.weekday == weekday)
        #expect(local.secondsAtUTC == seconds)
    }

    @Test("A date is turned into seconds and back, tens of thousands of years away too")
    func roundTrip() {
        let seed = RandomSeed.current
        var random = SeededGenerator(seed: seed)
        for _ in 0..<2000 {
            let seconds = Int64.random(in: -1_000_000_000_000...1_000_000_000_000, using: &random)
            let local = LocalDate(secondsAtUTC: seconds)
            #expect(local.secondsAtUTC == seconds, "seed \(seed): \(seconds)")
            #expect(
                LocalDate(secondsAtUTC: seconds + 86_400).weekday == local.weekday % 7 + 1,
                "seed \(seed): \(seconds)"
            )
            #expect(local.day <= LocalDate.length(ofMonth: local.month, in: local.year), "seed \(seed): \(seconds)")
        }
    }
}
