import Belfry
import BelfryTestSupport
import Foundation
import SeededRandom
import StoreWorkload
import Testing

@testable import BelfrySQLite

@Suite("Nothing acknowledged is lost, whenever the process or the power goes", .takesTurns)
struct StoreCrashTests {
    /// `BELFRY_CRASH_KILLS=1000` makes the long run.
    private static let kills = Int(ProcessInfo.processInfo.environment["BELFRY_CRASH_KILLS"] ?? "") ?? 20
    private static let seed = RandomSeed.current

    @Test("A process that commits as fast as it can is killed at random instants", .timeLimit(.minutes(30)))
    func killed() async throws {
        let seed = Self.seed
        var random = SeededGenerator(seed: seed)
        var scratch = try TemporaryFolder()
        var committed = 0
        var acknowledged = 0
        var unacknowledgedFound = 0
        for kill in 1...Self.kills {
            // A new folder now and then: the first commits of a store are instants too.
            if kill % 10 == 0 {
                scratch = try TemporaryFolder()
                committed = 0
            }
            let first = committed + 1
            let arguments = ["write", scratch.path("store"), "\(seed)", "\(first)", "1000000"]
            let wanted = random.number(0...40)
            let spins = random.number(0...3_000)
            let writer = try await WriterProcess.run(arguments, killAfter: wanted, microseconds: spins)
            let last = writer.acknowledged ?? committed
            acknowledged += last - committed
            let store = try await SQLiteRequestStore.open(in: scratch.path("store"), options: .unlimited)
            #expect(store.openingReport.damage == nil)
            let found = try await StoreContents(store)
            try await store.close()
            // The one in flight may have made it to the disk.
            if found == (try await StoreContents.after(last, seed: seed)) {
                committed = last
            } else {
                let next = try await StoreContents.after(last + 1, seed: seed)
                try #require(found == next, "seed \(seed), kill \(kill), \(last) acknowledged: \(writer.output)")
                committed = last + 1
                unacknowledgedFound += 1
            }
        }
        print(
            "store crash test, seed \(seed): \(Self.kills) kills, \(acknowledged) acknowledged commits, none lost; "
                + "\(unacknowledgedFound) in flight had reached the disk"
        )
        #expect(acknowledged > 0)
    }

    @Test("A write that the power cut tore leaves the state of before, without its commit")
    func torn() async throws {
        let seed = Self.seed
        var random = SeededGenerator(seed: seed)
        let scratch = try TemporaryFolder()
        let store = try await SQLiteRequestStore.open(in: scratch.path("store"), options: .unlimited)
        let log = scratch.path("store/store.sqlite-wal")
        var workload = StoreWorkload(seed: seed)
        var tears = 0
        for number in 1...60 {
            let before = try Self.size(log)
            try await store.commit(workload.next())
            let after = try Self.size(log)
            guard after > before else { continue }
            tears += 1
            try scratch.copyStore("store", to: "copy")
            defer { try? FileManager.default.removeItem(atPath: scratch.path("copy")) }
            // What an fsync has not confirmed may be missing from any byte on, or be anything.
            let cut = random.number(before...after - 1)
            let copy = try FileHandle(forUpdating: URL(fileURLWithPath: scratch.path("copy/store.sqlite-wal")))
            try copy.truncate(atOffset: UInt64(cut))
            if random.number(0...1) == 0 {
                let garbage = (cut..<after).map { _ in UInt8(truncatingIfNeeded: random.number(0...255)) }
                try copy.seek(toOffset: UInt64(cut))
                try copy.write(contentsOf: Data(garbage))
            }
            try copy.close()
            let reopened = try await SQLiteRequestStore.open(in: scratch.path("copy"), options: .unlimited)
            var found = try await StoreContents(reopened)
            // Torn near its end it looks complete, and might be damage: then the history says so, and all else stays.
            #expect(reopened.openingReport.damage?.setAside == nil)
            found.history.removeAll { $0.outcome == .damaged }
            let expected = try await StoreContents.after(number - 1, seed: seed)
            try #require(found == expected, "seed \(seed), batch \(number), the log cut at \(cut) of \(after)")
            try await reopened.close()
        }
        #expect(tears > 20)
    }

    private static func size(_ path: String) throws -> Int {
        try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
    }
}
