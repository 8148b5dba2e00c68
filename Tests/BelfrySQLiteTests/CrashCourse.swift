import Belfry
import BelfryTestSupport
import CSystemCallTracer
import Foundation
import SeededRandom
import StoreWorkload
import Testing

@testable import BelfrySQLite

/// What the lives of one app have said, over any number of kills, held against what its store tells after each.
protocol CrashLog {
    /// The command of StoreWriter that is such a life.
    static var command: String { get }
    var kills: Int { get set }
    /// What was counted, in words.
    var text: String { get }
    /// Whether all that is to be shown has happened at all.
    var hasSeenAll: Bool { get }

    init()
    /// Of a new store: what was counted stays.
    mutating func begin()
    /// Takes in what one life said; answers what is wrong about it by itself.
    mutating func takeIn(_ lines: [String]) -> [String]
    /// What the store has lost, or has not let go of.
    mutating func compare(_ found: FoundStore) -> [String]
    /// The same when nothing should be under way any more.
    mutating func compareIdle(_ found: FoundStore) -> [String]
}

/// What is in a store after a life.
struct FoundStore {
    var state: StoredState
    var ledger: [HistoryEntry]
}

/// Lives of an app that are killed, one after the other on the same store, and a last one that is let live.
struct CrashCourse<Log: CrashLog> {
    private let seed = crashSeed
    private var log = Log()

    /// Kills lives at instants that chance takes.
    static func atRandomInstants(kills: Int) async throws -> Log {
        var course = Self()
        var random = SeededGenerator(seed: course.seed)
        var left = kills
        while left > 0 {
            let scratch = try TemporaryFolder()
            let folder = scratch.path("store")
            course.log.begin()
            let lives = min(left, random.number(4...12))
            for life in 1...lives {
                let writer = try await WriterProcess.run(
                    [Log.command, folder, "\(course.seed)", "\(life)", "1000000"],
                    killAfter: random.number(0...120),
                    microseconds: random.number(0...3_000)
                )
                try await course.look(folder, writer.lines, "life \(life), \(left) kills to go")
                course.log.kills += 1
            }
            left -= lives
            try await course.finish(folder, life: lives + 1, "\(left) kills to go")
        }
        return course.log
    }

    /// Kills short lives at one system call after the other; answers how many calls there are, too.
    static func atSystemCalls(every stride: Int) async throws -> (log: Log, calls: Int) {
        var course = Self()
        var call = 1 + Int(course.seed % UInt64(stride))
        var calls = 0
        while true {
            let scratch = try TemporaryFolder()
            let folder = scratch.path("store")
            course.log.begin()
            let life = try await TracedLife.run([Log.command, folder, "\(course.seed)", "1", "6"], killAt: call)
            if life.calls == -Int(EPERM) || life.calls == -Int(EACCES) || life.calls == -Int(ENOSYS) {
                try Test.cancel("this machine lets nobody trace a process (errno \(-life.calls))")
            }
            try #require(life.calls >= 0, "call \(call): errno \(-life.calls)")
            try await course.look(folder, life.lines, "killed at system call \(call)")
            course.log.kills += life.wasKilled ? 1 : 0
            try await course.finish(folder, life: 2, "killed at system call \(call)")
            calls = max(calls, life.calls)
            guard life.wasKilled else { return (course.log, calls) }
            call += stride
        }
    }

    private mutating func look(_ folder: String, _ lines: [String], _ comment: String) async throws {
        var wrong = log.takeIn(lines)
        wrong += log.compare(try await found(in: folder))
        try #require(wrong.isEmpty, "seed \(seed), \(comment): \(wrong.prefix(5))")
    }

    /// The last life of a folder: nobody kills it.
    private mutating func finish(_ folder: String, life: Int, _ comment: String) async throws {
        let last = try await WriterProcess.run([Log.command, folder, "\(seed)", "\(life)", "0"])
        try #require(last.lines.last == "idle", "seed \(seed), \(comment): \(last.output)")
        var wrong = log.takeIn(last.lines)
        wrong += log.compareIdle(try await found(in: folder))
        try #require(wrong.isEmpty, "seed \(seed), \(comment), at its end: \(wrong.prefix(5))")
    }

    private func found(in folder: String) async throws -> FoundStore {
        let store = try await SQLiteRequestStore.open(in: folder, options: .unlimited)
        #expect(store.openingReport.isEmpty)
        let found = FoundStore(state: try await store.load(), ledger: try await store.history(HistoryQuery()))
        try await store.close()
        return found
    }
}

/// Of all crash tests of a run.
let crashSeed = RandomSeed.current
/// `make test-crash` sets 1,000 kills, and every system call.
let crashKills = Int(ProcessInfo.processInfo.environment["BELFRY_CRASH_KILLS"] ?? "") ?? 16
let crashCallStride = Int(ProcessInfo.processInfo.environment["BELFRY_CRASH_CALL_STRIDE"] ?? "") ?? 61
