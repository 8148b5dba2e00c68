import BelfryRecurrence
import BelfryTestSupport
import Foundation
import SeededRandom
import Testing

@testable import Belfry

@Suite("The laws of the schedule, with random input", .takesTurns)
struct ScheduleLawTests {
    private static let environment = ProcessInfo.processInfo.environment
    /// Of the first life; the one after it has the next number. `BELFRY_LIVES` says how many there are.
    static let seed = RandomSeed.current
    static let count = environment["BELFRY_LIVES"].flatMap(Int.init) ?? 400

    private static func zones() throws -> [ZoneRules] {
        [.utc, try .named("Etc/GMT-5"), try .named("Etc/GMT+8"), try .named("Etc/GMT-14")]
    }

    @Test("Thousands of random lives of a schedule break no law") func laws() throws {
        let zones = try Self.zones()
        for life in 0..<UInt64(Self.count) {
            let seed = Self.seed &+ life
            var driver = ScheduleDriver(seed: seed, zones: zones)
            for _ in 0..<60 where driver.faults.isEmpty { driver.step() }
            if driver.faults.isEmpty { driver.finish() }
            guard driver.faults.isEmpty else {
                Issue.record("BELFRY_SEED=\(seed): \(driver.faults.prefix(3).joined(separator: "\n"))")
                return
            }
        }
    }

    @Test("The same events at the same instants have the same effects") func deterministic() throws {
        let zones = try Self.zones()
        for life in 0..<40 as Range<UInt64> {
            let seed = Self.seed &+ life
            let logs = (0..<2).map { _ in
                var driver = ScheduleDriver(seed: seed, zones: zones, logging: true)
                for _ in 0..<60 { driver.step() }
                return driver.log ?? []
            }
            let differing = zip(logs[0], logs[1]).first { $0 != $1 }
            #expect(logs[0] == logs[1], "BELFRY_SEED=\(seed): \(differing.map { "\($0)\n\($1)" } ?? "")")
            #expect(logs[0].count > 10)
        }
    }
}
