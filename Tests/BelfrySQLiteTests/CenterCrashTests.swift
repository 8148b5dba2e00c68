import Belfry
import CSystemCallTracer
import Foundation
import StoreWorkload
import Testing

@testable import BelfrySQLite

@Suite("A center that is killed loses no request and no answer, and fires nothing twice but what was in flight")
struct CenterCrashTests {
    private static let environment = ProcessInfo.processInfo.environment
    /// `make test-crash` sets 1,000 kills, and every system call.
    private static let kills = Int(environment["BELFRY_CRASH_KILLS"] ?? "") ?? 16
    private static let callStride = Int(environment["BELFRY_CRASH_CALL_STRIDE"] ?? "") ?? 61
    private static let seed = UInt64(environment["BELFRY_CRASH_SEED"] ?? "") ?? UInt64.random(in: 1..<1_000_000)

    private func state(in folder: String) async throws -> StoredState {
        let store = try await SQLiteRequestStore.open(in: folder, options: .unlimited)
        #expect(store.openingReport.isEmpty)
        let state = try await store.load()
        try await store.close()
        return state
    }

    /// The last life of a folder: nobody kills it.
    private func finish(_ folder: String, _ log: inout LifeLog, life: Int, _ comment: String) async throws {
        let last = try await WriterProcess.run(["live", folder, "\(Self.seed)", "\(life)", "0"])
        try #require(last.lines.last == "idle", "\(comment): \(last.output)")
        var wrong = log.takeIn(last.lines)
        wrong += log.compareIdle(try await state(in: folder))
        try #require(wrong.isEmpty, "\(comment), at its end: \(wrong.prefix(5))")
    }

    @Test("At random instants", .timeLimit(.minutes(60)))
    func randomInstants() async throws {
        var random = SeededGenerator(seed: Self.seed)
        var counts = LifeLog.Counts()
        var left = Self.kills
        while left > 0 {
            let scratch = try ScratchFolder()
            let folder = scratch.path("store")
            var log = LifeLog()
            let lives = min(left, random.number(4...12))
            for life in 1...lives {
                let arguments = ["live", folder, "\(Self.seed)", "\(life)", "1000000"]
                let writer = try await WriterProcess.run(
                    arguments,
                    killAfter: random.number(0...120),
                    microseconds: random.number(0...3_000)
                )
                let comment = "seed \(Self.seed), life \(life), \(left) kills to go"
                var wrong = log.takeIn(writer.lines)
                wrong += log.compare(try await state(in: folder))
                try #require(wrong.isEmpty, "\(comment): \(wrong.prefix(5))")
                log.counts.kills += 1
            }
            left -= lives
            try await finish(folder, &log, life: lives + 1, "seed \(Self.seed), \(left) kills to go")
            counts = counts + log.counts
        }
        print("center crash test, seed \(Self.seed): \(counts.text); nothing lost")
        #expect(counts.added > 0 && counts.shown > 0 && counts.answered > 0)
    }

    @Test("At each system call of a short life", .timeLimit(.minutes(60)))
    func everySystemCall() async throws {
        var counts = LifeLog.Counts()
        var call = 1 + Int(Self.seed % UInt64(Self.callStride))
        var calls = 0
        while true {
            let scratch = try ScratchFolder()
            let folder = scratch.path("store")
            var log = LifeLog()
            let life = try await TracedLife.run(["live", folder, "\(Self.seed)", "1", "6"], killAt: call)
            if life.calls == -Int(EPERM) || life.calls == -Int(EACCES) || life.calls == -Int(ENOSYS) {
                try Test.cancel("this machine lets nobody trace a process (errno \(-life.calls))")
            }
            try #require(life.calls >= 0, "call \(call): errno \(-life.calls)")
            let comment = "seed \(Self.seed), killed at system call \(call)"
            var wrong = log.takeIn(life.lines)
            wrong += log.compare(try await state(in: folder))
            try #require(wrong.isEmpty, "\(comment): \(wrong.prefix(5))")
            log.counts.kills += life.wasKilled ? 1 : 0
            try await finish(folder, &log, life: 2, comment)
            counts = counts + log.counts
            calls = max(calls, life.calls)
            guard life.wasKilled else { break }
            call += Self.callStride
        }
        print("center crash test at system calls, every \(Self.callStride)th of \(calls): \(counts.text); nothing lost")
        #expect(counts.kills > 0)
    }
}

/// A life under the tracer.
private struct TracedLife {
    var calls: Int
    var wasKilled: Bool
    var lines: [String]

    static func run(_ arguments: [String], killAt call: Int) async throws -> TracedLife {
        try await withCheckedThrowingContinuation { continuation in
            // A thread of its own: whoever traces waits for its children, and for no other thread's.
            let thread = Thread { continuation.resume(with: Result { try trace(arguments, call) }) }
            thread.start()
        }
    }

    private static func trace(_ arguments: [String], _ call: Int) throws -> TracedLife {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw POSIXError(.EMFILE) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let reader = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
        let output = ReadToEnd(reader)
        var status: Int32 = 0
        var words = ([WriterProcess.path] + arguments).map { strdup($0) }
        defer { words.forEach { free($0) } }
        words.append(nil)
        let calls = words.withUnsafeBufferPointer { words in
            words.withMemoryRebound(to: UnsafePointer<CChar>?.self) {
                system_call_tracer_run($0.baseAddress, ends[1], call, 60, &status)
            }
        }
        close(ends[1])
        let lines = String(decoding: output.wait(), as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        return TracedLife(calls: calls, wasKilled: status & 0x7F == SIGKILL, lines: lines.map(String.init))
    }
}

/// Reads a pipe beside whoever writes into it.
private final class ReadToEnd: Sendable {
    private let group = DispatchGroup()
    nonisolated(unsafe) private var data = Data()

    /// `data` is written before the group is left and read after.
    init(_ handle: FileHandle) {
        group.enter()
        DispatchQueue.global().async { [self] in
            data = handle.readDataToEndOfFile()
            group.leave()
        }
    }

    func wait() -> Data {
        group.wait()
        return data
    }
}
