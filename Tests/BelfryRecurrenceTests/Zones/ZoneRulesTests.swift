import BelfryTestSupport
import Foundation
import SeededRandom
import Testing

@testable import BelfryRecurrence

@Suite("Zone data", .takesTurns)
struct ZoneRulesTests {
    /// The oracle reads the same data with other code. (Foundation carries data of its own, which is older or newer
    /// than the system's: the two differ wherever a government has changed its mind in between.)
    @Test("Offsets are those of libc: 1975 to 2035", arguments: OracleZones.names)
    func libc(name: String) throws {
        let zone = try ZoneRules.named(name)
        var generator = SeededGenerator(seed: 20_261_121)
        let instants = (0..<300).map { _ in Int64.random(in: 157_766_400..<2_051_222_400, using: &generator) }
        let offsets = try Self.offsetsByDate(of: instants, in: name)
        #expect(offsets.count == instants.count)
        for (instant, expected) in zip(instants, offsets) {
            #expect(zone.offset(at: instant) == expected, "\(name) at \(instant)")
        }
    }

    /// What date(1) prints as `+0530` or `-123456`, in seconds.
    private static func offsetsByDate(of instants: [Int64], in name: String) throws -> [Int] {
        let date = Process()
        date.executableURL = URL(fileURLWithPath: "/bin/date")
        date.arguments = ["-f", "-", "+%::z"]
        date.environment = ["TZ": name, "LC_ALL": "C"]
        let input = Pipe()
        let output = Pipe()
        date.standardInput = input
        date.standardOutput = output
        try date.run()
        // 300 short lines fit into the pipe: nobody waits for the other.
        input.fileHandleForWriting.write(Data(instants.map { "@\($0)\n" }.joined().utf8))
        try input.fileHandleForWriting.close()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        date.waitUntilExit()
        return text.split(separator: "\n").map { line in
            let parts = line.dropFirst().split(separator: ":").compactMap { Int($0) }
            let seconds = parts.reduce(0) { $0 * 60 + $1 }
            return line.hasPrefix("-") ? -seconds : seconds
        }
    }

    @Test("The rule of the footer holds for any year, and repeats with the calendar")
    func farFuture() throws {
        let berlin = try Local("Europe/Berlin")
        for year in [2038, 2100, 2437, 2438, 2439, 3000, 4999, 9999] {
            let summer = berlin.instant("\(year)-07-01 12:00+00:00")
            let winter = berlin.instant("\(year)-12-31 12:00+00:00")
            #expect(berlin.zone.offset(at: summer) == 7200, "\(year)")
            #expect(berlin.zone.offset(at: winter) == 3600, "\(year)")
            let change = try #require(berlin.zone.nextChange(after: summer))
            #expect(berlin.text(change).hasSuffix(" 02:00+01:00"))
        }
    }

    @Test("The first version, in 32 bits and without a footer, is read as well")
    func versionOne() throws {
        // One change, from +1 h to +2 h, at 1,000,000 seconds.
        var bytes = Array("TZif".utf8) + [0] + [UInt8](repeating: 0, count: 15)
        for count in [0, 0, 0, 1, 2, 4] as [UInt8] { bytes += [0, 0, 0, count] }
        bytes += [0x00, 0x0F, 0x42, 0x40, 1]
        bytes += [0, 0, 0x0E, 0x10, 0, 0] + [0, 0, 0x1C, 0x20, 1, 0] + Array("ABC\u{0}".utf8)
        let table = try #require(TZifReader.table(of: bytes, named: ""))
        #expect(table.segment(at: 999_999).offset == 3600)
        #expect(table.segment(at: 1_000_000).offset == 7200)
        #expect(table.segment(at: 250_000_000_000).offset == 7200)
    }

    @Test("Leap seconds of the right/ zones are taken out, as far as their table of them reaches")
    func leapSeconds() throws {
        let right = "/usr/share/zoneinfo/right/Europe/Berlin"
        guard let data = FileManager.default.contents(atPath: right) else {
            print("Skipped: there is no \(right).")
            return
        }
        let table = try #require(TZifReader.table(of: [UInt8](data), named: ""))
        let berlin = try ZoneRules.named("Europe/Berlin")
        var instant: Int64 = 0
        while let change = berlin.nextChange(after: instant), change < 1_760_000_000 {
            #expect(table.segment(at: Int(change)).start == Int(change))
            instant = change
        }
    }

    @Test("Zone data that is cut off or changed is refused or read, and never a crash")
    func damaged() throws {
        let sound = [UInt8](try Data(contentsOf: URL(filePath: "/usr/share/zoneinfo/America/New_York")))
        for length in stride(from: 0, to: sound.count, by: 7) {
            _ = TZifReader.table(of: Array(sound[..<length]), named: "")
        }
        #expect(TZifReader.table(of: Array(sound[..<100]), named: "") == nil)
        let seed = RandomSeed.current
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<300 {
            var bytes = sound
            for _ in 0..<Int.random(in: 1...8, using: &generator) {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            guard let table = TZifReader.table(of: bytes, named: "") else { continue }
            let zone = ZoneRules(table: table)
            let pattern = try DatePattern(matching: [DateFields(hour: 2, minute: 30)], zone: zone)
            for after in [Int64.min, -3_000_000_000, 0, 1_700_000_000, 9_000_000_000] {
                if let next = pattern.next(after: after) { #expect(next > after, "seed \(seed)") }
            }
        }
    }

    @Test(
        "A POSIX rule that breaks the grammar is none",
        arguments: [
            "", "A5", "ABC", "ABC25", "ABC5DEF,M3", "ABC5DEF,M13.1.0,M11.1.0", "ABC5DEF,M3.6.0,M11.1.0", "<A5",
            "ABC5DEF,J0,J1",
            "ABC5DEF,M3.2.7,M11.1.0", "ABC5DEF,M3.2.0/168,M11.1.0", "ABC5DEF,M3.2.0,M11.1.0,x", "ABC5:60",
            "ABC99999999999",
        ]
    )
    func badRules(text: String) {
        #expect(PosixZone(parsing: text) == nil)
    }

    @Test("Daylight saving all year long is one offset")
    func allYear() throws {
        let zone = try ZoneRules.named("EST5EDT,0/0,J365/25")
        for instant in stride(from: Int64(0), to: 4_000_000_000, by: 700_000) {
            #expect(zone.offset(at: instant) == -14_400)
        }
    }
}
