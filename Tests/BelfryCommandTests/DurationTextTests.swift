import Belfry
import BelfrySchedules
import BelfryTestSupport
import SeededRandom
import Testing

@testable import BelfryCommand

@Suite("Durations on the command line", .takesTurns)
struct DurationTextTests {
    @Test(
        "A duration is the sum of its parts",
        arguments: [
            ("90s", Duration.seconds(90)), ("5m", .seconds(300)), ("1h30m", .seconds(5400)), ("2d", .seconds(172_800)),
            ("1w2d3h4m5s", .seconds(788_645)), ("250ms", .milliseconds(250)),
            ("1.5h", .seconds(5400)), ("0.25s", .milliseconds(250)), ("0s", .zero), ("1s500ms", .milliseconds(1500)),
        ]
    )
    func parts(text: String, expected: Duration) throws {
        #expect(try DurationText.parse(text) == expected)
    }

    @Test(
        "What is no duration is refused by name, as wrong usage",
        arguments: [
            "", "5", "m", "5x", "-5m", "5m5m", "5s5m", "1h 30m", "1..5h", ".5h", "5.h", "5M", "٥m", "1e3s",
            "99999999999999999999s", "0.1234567890s", "999999999999w",
        ]
    )
    func refused(text: String) {
        let failure = #expect(throws: NoticeError.self) { try DurationText.parse(text) }
        #expect(failure?.status == .usage)
        #expect(failure?.code == .invalidNotation)
        #expect(failure?.message.contains(text.prefix(40)) == true)
    }

    @Test("No text makes the parser trap, and what it accepts is not negative")
    func fuzz() {
        let seed = RandomSeed.current
        var random = SeededGenerator(seed: seed)
        let pieces = ["1", "0", "9", "999999999999", ".", "w", "d", "h", "m", "s", "ms", "-", " ", "é", "\u{0}", "e"]
        for _ in 0..<5000 {
            let text = random.text(of: pieces, upTo: 8)
            guard let duration = try? DurationText.parse(text) else { continue }
            #expect(duration >= .zero, "seed \(seed): '\(text)'")
        }
    }
}
