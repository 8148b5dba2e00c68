import Belfry
import BelfryTestSupport
import Foundation
import Testing

@testable import BelfrySQLite

@Suite("A store has one owner", .takesTurns)
struct StoreOwnershipTests {
    @Test("Another process is named, with its program; when it has ended, the store opens")
    func otherProcess() async throws {
        let scratch = try TemporaryFolder()
        try await WriterProcess.during(["hold", scratch.path("store")]) { process in
            let error = await #expect(throws: NoticeError.self) {
                try await SQLiteRequestStore.open(in: scratch.path("store"))
            }
            #expect(error?.code == .storeInUse)
            #expect(error?.message.contains("process \(process) ('StoreWriter')") == true, "\(error as Any)")
        }
        // Its end is waited for.
        let options = SQLiteStoreOptions(lockWait: .seconds(60))
        let store = try await SQLiteRequestStore.open(in: scratch.path("store"), options: options)
        try await store.commit([.put("a", 1)])
    }

    @Test("A folder on a network file system is told apart by its longest mount point, whose name may have blanks")
    func networkFileSystem() {
        let mounts = #"""
            /dev/sda1 / ext4 rw 0 0
            server:/a /mnt/my\040files nfs4 rw 0 0
            /dev/sdb1 /mnt/my\040files/disk ext4 rw 0 0
            server:/b /mnt/tab\011and\134040 cifs rw 0 0

            """#
        func type(_ folder: String) -> String? { StoreFolder.networkFileSystem(of: folder, in: mounts) }
        #expect(type("/mnt/my files/store") == "nfs4")
        #expect(type("/mnt/my files") == "nfs4")
        #expect(type("/mnt/my files/disk/store") == nil)
        #expect(type("/mnt/my files 2/store") == nil)
        #expect(type("/mnt/tab\tand\\040") == "cifs")
        #expect(type("/home") == nil)
    }

    @Test("A killed owner leaves no lock behind")
    func killedOwner() async throws {
        let scratch = try TemporaryFolder()
        try await WriterProcess.during(["hold", scratch.path("store")]) { process in
            kill(process, SIGKILL)
            let options = SQLiteStoreOptions(lockWait: .seconds(60))
            let store = try await SQLiteRequestStore.open(in: scratch.path("store"), options: options)
            #expect(try await store.load().pending.isEmpty)
        }
    }

    @Test("The same process is refused too, until the first is closed or let go of")
    func sameProcess() async throws {
        let scratch = try TemporaryFolder()
        let folder = scratch.path("store")
        do {
            let first = try await SQLiteRequestStore.open(in: folder)
            let error = await #expect(throws: NoticeError.self) { try await SQLiteRequestStore.open(in: folder) }
            #expect(error?.code == .storeInUse)
            #expect(error?.message.contains("process \(getpid()) ") == true)
            try await first.close()
            let closed = await #expect(throws: NoticeError.self) { try await first.commit([.put("a", 1)]) }
            #expect(closed?.code == .storeFailed)
            #expect(closed?.message.contains("closed") == true, "\(closed as Any)")
        }
        do {
            let second = try await SQLiteRequestStore.open(in: folder)
            try await second.commit([.put("a", 1)])
        }
        let third = try await SQLiteRequestStore.open(in: folder)
        #expect(try await third.load().pending.count == 1)
    }

    @Test("A program that is just being started, and has all descriptors until it runs, does not hold the store")
    func programBeingStarted() async throws {
        let scratch = try TemporaryFolder()
        let folder = scratch.path("store")
        let first = try await SQLiteRequestStore.open(in: folder)
        let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { Int32($0) }
        let lock = try #require(
            descriptors.first { descriptor in
                let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
                return target == folder + "/lock"
            }
        )
        // What fork(2) does to each.
        let inherited = dup(lock)
        defer { close(inherited) }
        try await first.close()
        let second = try await SQLiteRequestStore.open(in: folder)
        try await second.close()
    }

    @Test(
        "Files of others that a store would replace are left alone, and the folder is refused",
        arguments: ["acknowledged", "attachments/2024/photo.png", "check", "examined.sqlite", "lock"]
    )
    func otherFiles(file: String) async throws {
        let scratch = try TemporaryFolder()
        let path = scratch.path("mine/" + file)
        try FileManager.default.createDirectory(
            at: URL(fileURLWithPath: path).deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try makeFile(path, Data(file.utf8))
        let names = try FileManager.default.subpathsOfDirectory(atPath: scratch.path("mine")).sorted()
        let error = await #expect(throws: NoticeError.self) {
            try await SQLiteRequestStore.open(in: scratch.path("mine"))
        }
        #expect(error?.code == .storeFailed)
        #expect(error?.message.contains("which a store would replace: name another") == true, "\(error as Any)")
        #expect(try FileManager.default.subpathsOfDirectory(atPath: scratch.path("mine")).sorted() == names)
        #expect(FileManager.default.contents(atPath: path) == Data(file.utf8))
    }

    @Test("A report of damage is forgotten when it is acknowledged; other files stay") func otherReports() throws {
        let scratch = try TemporaryFolder()
        #expect(mkdir(scratch.path("damage"), 0o700) == 0)
        try makeFile(scratch.path("damage/notes.json"), Data("[]".utf8))
        StoreDamageLog(folder: scratch.path).acknowledge()
        #expect(FileManager.default.contents(atPath: scratch.path("damage/notes.json")) == Data("[]".utf8))
    }

    @Test("The lock of a first opening that was interrupted does no harm", arguments: ["", "4711 tea\n"])
    func interruptedFirstOpening(holder: String) async throws {
        let scratch = try TemporaryFolder()
        #expect(mkdir(scratch.path("store"), 0o700) == 0)
        try makeFile(scratch.path("store/lock"), Data(holder.utf8))
        let store = try await SQLiteRequestStore.open(in: scratch.path("store"))
        try await store.commit([.put("a", 1)])
    }

    @Test("Other files stay beside the store") func besideOthers() async throws {
        let scratch = try TemporaryFolder()
        try makeFile(scratch.path("start.json"), Data("{}".utf8))
        let store = try await SQLiteRequestStore.open(in: scratch.path)
        try await store.commit([.put("a", 1)])
        #expect(FileManager.default.contents(atPath: scratch.path("start.json")) == Data("{}".utf8))
    }

    @Test("Who waits gets the store when the owner closes it")
    func waits() async throws {
        let scratch = try TemporaryFolder()
        let folder = scratch.path("store")
        let first = try await SQLiteRequestStore.open(in: folder)
        let second = Task { try await SQLiteRequestStore.open(in: folder, options: .init(lockWait: .seconds(60))) }
        try await first.commit([.put("a", 1)])
        try await first.close()
        #expect(try await second.value.load().pending.count == 1)
    }

    /// A store that is closed, and another program's connection that has read its file.
    private func readStore(in folder: String) async throws -> SQLiteDatabase {
        let store = try await SQLiteRequestStore.open(in: folder)
        try await store.commit([.put("a", 1)])
        try await store.close()
        let reader = try SQLiteDatabase(folder + "/store.sqlite")
        #expect(try reader.first("SELECT count(*) FROM pending") { $0.integer(0) } == 1)
        return reader
    }

    @Test("A program that reads the file with SQLite is named, after the wait and no sooner")
    func reader() async throws {
        let scratch = try TemporaryFolder()
        let folder = scratch.path("store")
        let reader = try await readStore(in: folder)
        defer { reader.close() }
        for wait in [Duration.zero, .milliseconds(300)] {
            let begin = ContinuousClock.now
            let error = await #expect(throws: NoticeError.self) {
                try await SQLiteRequestStore.open(in: folder, options: SQLiteStoreOptions(lockWait: wait))
            }
            #expect(ContinuousClock.now - begin >= wait)
            #expect(error?.code == .storeFailed)
            #expect(error?.message.contains("Another program reads it with SQLite") == true, "\(error as Any)")
        }
    }

    @Test("Who waits gets the store when a program that reads its file with SQLite ends")
    func waitsForReader() async throws {
        let scratch = try TemporaryFolder()
        let folder = scratch.path("store")
        let reader = try await readStore(in: folder)
        let opening = Task { try await SQLiteRequestStore.open(in: folder, options: .init(lockWait: .seconds(60))) }
        // Opening has the lock from then on, and tries the file.
        while FileManager.default.contents(atPath: folder + "/lock")?.isEmpty != false { await Task.yield() }
        reader.close()
        let store = try await opening.value
        try await store.commit([.put("b", 2)])
        #expect(try await store.load().pending.count == 2)
    }

    @Test("A wait may be as long as can be said")
    func longWait() async throws {
        let scratch = try TemporaryFolder()
        let options = SQLiteStoreOptions(lockWait: .seconds(Int64.max))
        let store = try await SQLiteRequestStore.open(in: scratch.path("store"), options: options)
        #expect(try await store.load().pending.isEmpty)
    }

    @Test("A program that the owner starts doesn't inherit the lock")
    func children() async throws {
        let scratch = try TemporaryFolder()
        let store = try await SQLiteRequestStore.open(in: scratch.path("store"))
        let child = Process()
        child.executableURL = URL(fileURLWithPath: "/bin/cat")
        let input = Pipe()
        child.standardInput = input
        try child.run()
        try await store.close()
        let again = try await SQLiteRequestStore.open(in: scratch.path("store"))
        try await again.close()
        try input.fileHandleForWriting.close()
        child.waitUntilExit()
    }
}
