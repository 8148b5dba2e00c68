import Belfry
import BelfryLocationReplay
import BelfryTestSupport
import Foundation
import SeededRandom
import Testing

@Suite("Reading NMEA", .takesTurns)
struct NMEATests {
    private let noon = Date(timeIntervalSince1970: 1_795_262_400)

    private func fixes(_ text: String, day: Date? = nil) -> ([LocationFix], NMEAReader) {
        var reader = NMEAReader(day: day)
        return (text.split(separator: "\r\n").compactMap { reader.read(String($0)) }, reader)
    }

    @Test("GGA and RMC of one time are one position, whichever comes first; the accuracy is five times the dilution")
    func epochs() throws {
        let place = NMEA.coordinates(52.5, 13.4)
        let first = NMEA.epoch(52.5, 13.4)
        let second =
            NMEA.sentence("GNRMC,120001.50,A,\(NMEA.coordinates(-33.75, -70.5)),1,2,211126,,,A")
            + NMEA.sentence("GNGGA,120001.50,\(NMEA.coordinates(-33.75, -70.5)),2,8,2.0,1,M,1,M,,")
        let third = NMEA.sentence("GPGGA,120002,\(place),1,08,,45.0,M,46.9,M,,")
        let (fixes, reader) = fixes(first + second + third)
        #expect(fixes.map(\.date) == [0, 1.5, 2].map { noon.addingTimeInterval($0) })
        #expect(fixes.map(\.latitude) == [52.5, -33.75, 52.5] && fixes.map(\.longitude) == [13.4, -70.5, 13.4])
        // RMC came first: what was known of the accuracy then.
        #expect(fixes.map(\.accuracy) == [4.5, 4.5, nil])
        #expect(reader.badChecksums == 0 && reader.unreadable == 0)
    }

    @Test("Nothing is a position without a date, a fix or a valid status; a date may be given or come with ZDA")
    func withoutDate() {
        let place = NMEA.coordinates(1, 2)
        let gga = NMEA.sentence("GPGGA,120000,\(place),1,08,1,45.0,M,46.9,M,,")
        #expect(fixes(gga).0.isEmpty)
        #expect(fixes(gga, day: noon).0.map(\.date) == [noon])
        #expect(fixes(NMEA.sentence("GPZDA,115959,21,11,2026,00,00") + gga).0.map(\.date) == [noon])
        let none = NMEA.sentence("GPGGA,120000,,,,,0,00,,,M,,M,,") + NMEA.sentence("GPRMC,120000,V,,,,,,,211126,,,N")
        let (found, reader) = fixes(none, day: noon)
        #expect(found.isEmpty && reader.unreadable == 0)
    }

    @Test("At midnight the date goes on, before a sentence says so")
    func midnight() {
        let log =
            NMEA.epoch(1, 2, time: "235959.00") + NMEA.epoch(1, 2, time: "000000.00", date: "221126")
            + NMEA.epoch(1, 2, time: "000001.00", date: "221126")
        let times = fixes(log).0.map { $0.date.timeIntervalSince(noon) }
        #expect(times == [43_199, 43_200, 43_201])
    }

    @Test("At midnight the date goes on without a position too")
    func midnightWithoutPosition() {
        let place = NMEA.coordinates(1, 2)
        func gga(_ time: String, _ quality: Int) -> String {
            NMEA.sentence("GPGGA,\(time),\(quality > 0 ? place : ",,,"),\(quality),08,1,45.0,M,46.9,M,,")
        }
        let night = gga("180000", 1) + gga("235959", 0) + gga("000000", 0) + gga("080000", 1)
        let (found, reader) = fixes(night, day: noon)
        #expect(found.map { $0.date.timeIntervalSince(noon) } == [6 * 3_600, 20 * 3_600])
        #expect(reader.unreadable == 0)
    }

    @Test("A wrong or missing checksum is counted and not believed; what is no sentence is counted apart")
    func damage() {
        let good = NMEA.epoch(52.5, 13.4).split(separator: "\r\n").map(String.init)
        var reader = NMEAReader(day: noon)
        let (body, sum) = (String(good[0].dropLast(3)), String(good[0].suffix(2)))
        #expect(reader.read(body) == nil)
        #expect(reader.read(body + "*") == nil)
        #expect(reader.read(body + "*\(sum)7") == nil)
        #expect(reader.read(good[0].replacingOccurrences(of: "5230", with: "5231")) == nil)
        #expect(reader.badChecksums == 4 && reader.unreadable == 0)
        for line in ["GPGGA", "hello", "\u{FFFD}", "$*00"] { #expect(reader.read(line) == nil) }
        #expect(reader.unreadable == 4)
        // The sum is right, the values aren't.
        for place in [
            "9130.0000,N,01324.0000,E", "5260.0000,N,01324.0000,E", "5230,X,01324,E", "-5230,N,01324,E", "1e3,N,1,E",
        ] {
            #expect(reader.read(NMEA.sentence("GPGGA,120000,\(place),1,08,1,45.0,M,46.9,M,,")) == nil, "\(place)")
        }
        #expect(reader.read(NMEA.sentence("GPGGA,256199,\(NMEA.coordinates(1, 2)),1,08,1,,,,,,")) == nil)
        #expect(reader.read(NMEA.sentence("GPRMC,120000,A,\(NMEA.coordinates(1, 2)),,,310226,,,A")) == nil)
        #expect(reader.unreadable == 11)
        #expect(reader.read("  \(body)*\(sum.lowercased())\r\n") != nil)
    }

    @Test(
        "A file is read to its end, the date of its first sentence that has one holds for all before; a file without positions says why"
    )
    func files() throws {
        let folder = try TemporaryFolder()
        let gga = NMEA.sentence("GPGGA,115959,\(NMEA.coordinates(1, 2)),1,08,1,45.0,M,46.9,M,,")
        let text = gga + "# a comment\r\n" + NMEA.epoch(3, 4) + String(repeating: "x", count: 5_000) + "\n$GPGGA,1*00\n"
        let log = try NMEALog(
            contentsOf: folder.write("walk.nmea", text + NMEA.epoch(5, 6, time: "120001").dropLast())
        )
        #expect(log.fixes.map(\.latitude) == [1, 3, 5])
        #expect(log.fixes.first?.date == noon.addingTimeInterval(-1))
        #expect(log.badChecksums == 1 && log.unreadable == 2)
        let undated = try NMEALog(contentsOf: folder.write("undated.nmea", gga), day: noon)
        #expect(undated.fixes.map(\.date) == [noon.addingTimeInterval(-1)])
        let error = #expect(throws: NoticeError.self) {
            try NMEALog(contentsOf: folder.write("none.nmea", "hello\n$GPGGA,1*00\n"))
        }
        #expect(error?.code == .invalidNotation)
        #expect(
            error?.message.contains("with a wrong checksum or none: 1; lines that are no sentences: 1") == true
        )
    }

    @Test(
        "Positions before midnight and before the first date are on the day before it",
        arguments: [
            NMEA.epoch(3, 4, time: "000001.00", date: "211126"), NMEA.sentence("GPZDA,000001,21,11,2026,00,00"),
        ]
    )
    func undatedEvening(dated: String) throws {
        let folder = try TemporaryFolder()
        func gga(_ time: String) -> String {
            NMEA.sentence("GPGGA,\(time),\(NMEA.coordinates(1, 2)),1,08,1,45.0,M,46.9,M,,")
        }
        let midnight = noon.addingTimeInterval(-43_200)
        for (first, seconds) in [(gga("235958"), [-2.0, 2]), (gga("235958") + gga("000000"), [-2, 0, 2])] {
            let log = try NMEALog(contentsOf: folder.write("walk.nmea", first + dated + gga("000002")))
            let found = log.fixes.map { $0.date.timeIntervalSince(midnight) }
            #expect(found.filter { $0 != 1 } == seconds)
        }
    }

    @Test("Sentences that were damaged at random are positions on the globe or nothing")
    func fuzz() {
        let seed = RandomSeed.current
        print("Damaged NMEA, seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let pieces = ["*", ",", ",,,,", "$", "-", ".", "99999999999999999999", "\0", "nan", "*00", "\u{E9}"]
        var reader = NMEAReader(day: noon)
        for round in 0..<20_000 {
            var bytes = Array((round % 2 == 0 ? "GPGGA,120000.00," : "GPRMC,120000.00,A,").utf8)
            bytes += (NMEA.coordinates(52.5, 13.4) + ",1,08,0.9,211126,M,,").utf8
            bytes = random.damage(bytes, with: pieces)
            // Half of them with the right sum.
            if round % 4 < 2 {
                let sum = bytes.prefix { $0 != 0x2A }.reduce(0, ^)
                bytes =
                    [0x24] + bytes.prefix { $0 != 0x2A }
                    + Array("*\(String(sum >> 4, radix: 16))\(String(sum & 15, radix: 16))".utf8)
            }
            guard let fix = reader.read(bytes[...]) else { continue }
            #expect(fix.latitude.magnitude <= 90 && fix.longitude.magnitude <= 180, "seed \(seed)")
            #expect(fix.accuracy.map { $0 > 0 && $0.isFinite } ?? true, "seed \(seed)")
        }
    }
}
