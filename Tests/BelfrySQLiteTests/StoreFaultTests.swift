import Belfry
import BelfryRecorder
import BelfryTestSupport
import BelfryTesting
import Foundation
import SeededRandom
import StoreWorkload
import Testing

@testable import BelfrySQLite

@Suite("A disk that is full, closed or failing", .takesTurns)
struct StoreFaultTests {
    @Test(
        "A full disk is told, leaves the old state, and the store goes on when there is room",
        arguments: [60, 100, 300, 1000]
    )
    func fullDisk(kibibytes: Int) async throws {
        let scratch = try TemporaryFolder()
        let seed = UInt64(kibibytes)
        let writer = try await WriterProcess.run(["starve", scratch.path("store"), "\(seed)", "\(kibibytes * 1024)"])
        #expect(writer.status == 0, "\(writer.output)")
        #expect(writer.lines.contains { $0.hasPrefix("starved ") && $0.contains(" storeFailed ") })
        #expect(writer.lines.contains("intact"), "\(writer.output)")
        let last = try #require(writer.acknowledged)
        let store = try await SQLiteRequestStore.open(in: scratch.path("store"), options: .unlimited)
        #expect(try await StoreContents(store) == StoreContents.after(last, seed: seed))
    }

    @Test("Whichever system call fails, the store holds what was acknowledged, then and when it is opened anew")
    func everyCall() async throws {
        let scratch = try TemporaryFolder()
        let seed = RandomSeed.current
        // BELFRY_FAULT_STRIDE=1 tries every one.
        let stride = ProcessInfo.processInfo.environment["BELFRY_FAULT_STRIDE"] ?? "4"
        let writer = try await WriterProcess.run(["fault", scratch.path("store"), "\(seed)", stride], limit: 600)
        #expect(writer.status == 0, "seed \(seed): \(writer.output)")
        #expect(writer.lines.count { $0.hasPrefix("ok ") } == 4, "seed \(seed): \(writer.output)")
        print("store fault test, seed \(seed): \(writer.lines.joined(separator: "; "))")
    }

    @Test("Whichever system call fails while a damaged store is salvaged, the next opening saves what can be read")
    func everyCallOfSalvage() async throws {
        let scratch = try TemporaryFolder()
        let seed = RandomSeed.current
        let stride = ProcessInfo.processInfo.environment["BELFRY_FAULT_STRIDE"] ?? "24"
        try FileManager.default.createDirectory(atPath: scratch.path("stores"), withIntermediateDirectories: false)
        let writer = try await WriterProcess.run(["salvage", scratch.path("stores"), "\(seed)", stride], limit: 600)
        #expect(writer.status == 0, "seed \(seed): \(writer.output)")
        #expect(writer.lines.count { $0.hasPrefix("ok ") } == 4, "seed \(seed): \(writer.output)")
    }

    @Test("A file that may not grow says that its disk is full")
    func noRoom() async throws {
        let scratch = try TemporaryFolder()
        let store = try await SQLiteRequestStore.open(in: scratch.path("store"))
        try await store.commit([.put("a", 1)])
        let pages = try await store.perform("ask") { try $1.first("PRAGMA page_count") { $0.integer(0) } ?? 0 }
        try await store.perform("limit") { try $1.execute("PRAGMA max_page_count = \(pages)") }
        let error = await #expect(throws: NoticeError.self) {
            try await store.commit((2...2_000).map { .put("\($0)", $0) })
        }
        #expect(error?.code == .storeFailed)
        #expect(error?.message.contains("disk is full") == true)
        #expect(error?.message.contains(store.path) == true)
        #expect(error?.cause?.contains("SQLite 13") == true)
        #expect(try await store.load().pending.map(\.id) == ["a"])
        try await store.perform("free") { try $1.execute("PRAGMA max_page_count = 1000000") }
        try await store.commit((2...2_000).map { .put("\($0)", $0) })
        #expect(try await store.load().pending.count == 2_000)
    }

    @Test(
        "A folder that this user may not write in is named, with what to do",
        .enabled(if: geteuid() == 0, "becoming another user needs root")
    )
    func foreignFolder() async throws {
        let scratch = try TemporaryFolder()
        #expect(chmod(scratch.path, 0o755) == 0)
        let writer = try await WriterProcess.run(["stranger", scratch.path("store")])
        #expect(writer.status == 1)
        let line = try #require(writer.lines.first)
        #expect(
            line.hasPrefix("error storeFailed: The store could not make the folder '\(scratch.path("store"))'"),
            "\(line)"
        )
        #expect(line.contains("Give this user the right"))
        #expect(try scratch.names().isEmpty)
    }

    /// Runs `body` with a file system of its own mounted.
    private func mounted(_ options: String, on folder: String, _ body: () async throws -> Void) async throws {
        #expect(mkdir(folder, 0o700) == 0)
        guard geteuid() == 0, try runTool("mount", ["-t", "tmpfs", "-o", options, "belfry-test", folder]) == 0 else {
            try Test.cancel("mounting a small file system needs root, and a machine that lets it mount")
        }
        defer { _ = try? runTool("umount", ["-l", folder]) }
        try await body()
    }

    @Test("A disk that is truly full: the adder is told, the schedule forgets it, and all goes on when there is room")
    func trulyFullDisk() async throws {
        let scratch = try TemporaryFolder()
        let disk = scratch.path("disk")
        try await mounted("size=1m,mode=700", on: disk) {
            let store = try await SQLiteRequestStore.open(in: disk + "/store")
            let clock = ManualTriggerClock(date: AppLife.start)
            let app = AppIdentity(id: "org.example.Test")
            let center = NoticeCenter(
                app: app,
                backend: RecorderBackend(),
                store: NoticeStore(store),
                clock: .manual(clock)
            )
            let due = AppLife.start.addingTimeInterval(3_600)
            var added = 0
            var failure: NoticeError?
            while failure == nil {
                let body = String(repeating: "body ", count: 400)
                do throws(NoticeError) {
                    try await center.add(NoticeRequest(id: "\(added)", title: "T", body: body, trigger: .date(due)))
                    added += 1
                } catch { failure = error }
            }
            #expect(added > 20)
            #expect(failure?.code == .storeFailed)
            #expect(failure?.message.contains("disk is full") == true, "\(failure as Any)")
            #expect(try await center.pending().count == added)
            #expect(try await center.nextFireDate(of: "\(added)") == nil)
            // Removing needs a little room itself.
            #expect(try runTool("mount", ["-o", "remount,size=4m", disk]) == 0)
            try await center.add(NoticeRequest(id: "\(added)", title: "T", trigger: .date(due)))
            try await store.close()
            let again = try await SQLiteRequestStore.open(in: disk + "/store")
            #expect(again.openingReport.damage == nil)
            #expect(try await again.load().pending.map(\.id) == (0...added).map { "\($0)" })
            try await again.close()
        }
    }

    @Test("A file system that turns read-only: a typed error that says so, the old state intact, and back again")
    func readOnlyMount() async throws {
        let scratch = try TemporaryFolder()
        let disk = scratch.path("disk")
        try await mounted("size=4m,mode=700", on: disk) {
            let store = try await SQLiteRequestStore.open(in: disk + "/store")
            try await store.commit([.put("a", 1)])
            try await store.close()
            #expect(try runTool("mount", ["-o", "remount,ro", disk]) == 0)
            let error = await #expect(throws: NoticeError.self) {
                try await SQLiteRequestStore.open(in: disk + "/store")
            }
            #expect(error?.code == .storeFailed)
            #expect(error?.message.contains("read-only file system") == true, "\(error as Any)")
            let new = await #expect(throws: NoticeError.self) { try await SQLiteRequestStore.open(in: disk + "/new") }
            #expect(new?.message.contains("read-only file system") == true, "\(new as Any)")
            #expect(try runTool("mount", ["-o", "remount,rw", disk]) == 0)
            let again = try await SQLiteRequestStore.open(in: disk + "/store")
            #expect(try await again.load().pending.map(\.id) == ["a"])
            try await again.close()
        }
    }

    @Test("A path that goes through a file is named")
    func fileForFolder() async throws {
        let scratch = try TemporaryFolder()
        try makeFile(scratch.path("file"), Data("x".utf8))
        for path in ["file", "file/below"] {
            let error = await #expect(throws: NoticeError.self) {
                try await SQLiteRequestStore.open(in: scratch.path(path))
            }
            #expect(error?.code == .storeFailed)
            #expect(error?.message.contains(scratch.path("file")) == true)
        }
    }

    @Test("A link in the place of the lock or the file is not followed")
    func links() async throws {
        for name in ["lock", "store.sqlite"] {
            let scratch = try TemporaryFolder()
            #expect(mkdir(scratch.path("store"), 0o700) == 0)
            try makeFile(scratch.path("victim"), Data("precious".utf8))
            #expect(symlink(scratch.path("victim"), scratch.path("store/\(name)")) == 0)
            let error = await #expect(throws: NoticeError.self) {
                try await SQLiteRequestStore.open(in: scratch.path("store"))
            }
            #expect(error?.code == .storeFailed, "\(name)")
            #expect(FileManager.default.contents(atPath: scratch.path("victim")) == Data("precious".utf8))
        }
    }
}
