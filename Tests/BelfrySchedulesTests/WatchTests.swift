import Belfry
import BelfryRecorder
import BelfryRecurrence
import BelfryTestSupport
import BelfryTesting
import Foundation
import Glibc
import Testing

@testable import BelfrySchedules

@Suite("Watching a schedule file", .takesTurns, .serialized)
struct WatchTests {
    /// A folder with a file that is watched; every wait has an end.
    private final class Stage {
        let folder: String
        var path: String { folder + "/schedule.json" }
        private var watch: ScheduleWatch.Iterator

        init(_ text: String) throws {
            folder = NSTemporaryDirectory() + "belfry-watch-\(UUID().uuidString.prefix(8))"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/schedule.json"))
            watch = ScheduleWatch(folder + "/schedule.json").makeAsyncIterator()
        }

        deinit { try? FileManager.default.removeItem(atPath: folder) }

        /// The keys of the next reading, or its first error.
        func next() async -> String {
            switch await watch.next() {
            case .success(let schedule)?: schedule.entries.map(\.key).joined(separator: ",")
            case .failure(let error)?: "error: \(error.diagnostics[0].message)"
            case nil: "end"
            }
        }

        /// In place, as a shell's `>` does.
        func overwrite(_ text: String) throws {
            let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
            try handle.truncate(atOffset: 0)
            try handle.write(contentsOf: Data(text.utf8))
            try handle.close()
        }

        /// As editors do.
        func replace(_ text: String) throws {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path + ".new"))
            #expect(rename(path + ".new", path) == 0)
        }
    }

    private static func file(_ id: String) -> String {
        #"{"version":1,"notices":[{"id":"\#(id)","title":"T","trigger":{"in":"1h"}}]}"#
    }

    @Test(
        "It is read at once, and again when it was written, replaced, or put back after a while",
        .timeLimit(.minutes(5))
    )
    func changes() async throws {
        let stage = try Stage(Self.file("a"))
        #expect(await stage.next() == "a")
        try stage.overwrite(Self.file("b"))
        #expect(await stage.next() == "b")
        try stage.replace(Self.file("c"))
        #expect(await stage.next() == "c")
        try stage.replace(Self.file("d"))
        #expect(await stage.next() == "d", "the file that was put in place is watched too")
        // Away for a moment.
        #expect(unlink(stage.path) == 0)
        try Data(Self.file("e").utf8).write(to: URL(fileURLWithPath: stage.path))
        #expect(await stage.next() == "e")
        #expect(unlink(stage.path) == 0)
        #expect(await stage.next().hasPrefix("error: the file is not there"))
        try stage.replace(Self.file("f"))
        #expect(await stage.next() == "f")
    }

    @Test("A broken edit is told, and the next good one is taken", .timeLimit(.minutes(5)))
    func brokenEdit() async throws {
        let stage = try Stage(Self.file("a"))
        #expect(await stage.next() == "a")
        try stage.replace("{ \"version\": 1, ")
        #expect(await stage.next().hasPrefix("error: the file ends inside the object"))
        try stage.replace(Self.file("a"))
        #expect(await stage.next() == "a")
    }

    @Test("A center that follows a file keeps the last good state through a broken edit", .timeLimit(.minutes(5)))
    func following() async throws {
        let stage = try Stage(Self.file("a"))
        let center = NoticeCenter(app: AppIdentity(id: "org.example.Test"), backend: RecorderBackend())
        let (reports, continuation) = AsyncStream.makeStream(of: String.self)
        let path = stage.path
        let task = Task {
            await center.synchronize(following: ScheduleWatch(path), owner: "o") { result in
                switch result {
                case .success(let report): continuation.yield("added \(report.added), removed \(report.removed)")
                case .failure(let error): continuation.yield(error is ScheduleError ? "broken" : "\(error)")
                }
            }
        }
        var told = reports.makeAsyncIterator()
        #expect(await told.next() == "added [\"a\"], removed []")
        try stage.replace("{")
        #expect(await told.next() == "broken")
        #expect(try await center.pending().map(\.id) == ["a"])
        try stage.replace(Self.file("b"))
        #expect(await told.next() == "added [\"b\"], removed [\"a\"]")
        task.cancel()
        await task.value
    }

    @Test("An edit that can't be stored now is stored later, without another edit", .timeLimit(.minutes(5)))
    func fullDisk() async throws {
        let stage = try Stage(Self.file("a"))
        let store = FailingRequestStore()
        let center = NoticeCenter(
            app: AppIdentity(id: "org.example.Test"),
            backend: RecorderBackend(),
            store: .failing(store)
        )
        let (reports, continuation) = AsyncStream.makeStream(of: String.self)
        let path = stage.path
        let task = Task {
            await center.synchronize(following: ScheduleWatch(path), owner: "o") { result in
                switch result {
                case .success(let report): continuation.yield("added \(report.added)")
                case .failure(let error): continuation.yield("\((error as? NoticeError)?.code.rawValue ?? "\(error)")")
                }
            }
        }
        var told = reports.makeAsyncIterator()
        #expect(await told.next() == "added [\"a\"]")
        store.failNextTransactions()
        try stage.replace(Self.file("b"))
        #expect(await told.next() == "storeFailed")
        #expect(await told.next() == "added [\"b\"]")
        // Another edit replaces the one that waits.
        store.failNextTransactions()
        try stage.replace(Self.file("c"))
        #expect(await told.next() == "storeFailed")
        try stage.replace("{")
        #expect(await told.next()?.hasPrefix("\(path): line 1") == true)
        try stage.replace(Self.file("d"))
        #expect(await told.next() == "added [\"d\"]")
        task.cancel()
        await task.value
    }

    @Test("What reports can end it by an error")
    func endedByReport() async throws {
        let stage = try Stage(Self.file("a"))
        let center = NoticeCenter(app: AppIdentity(id: "org.example.Test"), backend: RecorderBackend())
        let path = stage.path
        await #expect(throws: CancellationError.self) {
            try await center.synchronize(following: ScheduleWatch(path), owner: "o") { _ in throw CancellationError() }
        }
    }

    @Test("What is above a link is above its target, for the file and for what it names", .timeLimit(.minutes(5)))
    func aboveLinks() async throws {
        let stage = try Stage(Self.file("outer"))
        let inner = try Stage(
            #"{"version":1,"notices":[{"id":"inner","title":"T","image":"./cup.png","trigger":{"in":"1h"}}]}"#
        )
        try FileManager.default.createDirectory(atPath: inner.folder + "/sub", withIntermediateDirectories: true)
        try Data().write(to: URL(fileURLWithPath: inner.folder + "/cup.png"))
        let link = stage.folder + "/link"
        #expect(symlink(inner.folder + "/sub", link) == 0)
        var watch = ScheduleWatch(link + "/../schedule.json").makeAsyncIterator()
        let schedule = try #require(await watch.next()).get()
        #expect(schedule.entries.map(\.key) == ["inner"])
        guard case .file(let image)? = schedule.entries[0].content.image else {
            Issue.record("\(String(describing: schedule.entries[0].content.image))")
            return
        }
        #expect(FileManager.default.fileExists(atPath: image), "\(image)")
        try inner.replace(Self.file("new"))
        #expect(try #require(await watch.next()).get().entries.map(\.key) == ["new"])
    }

    @Test(
        "A file is followed by the center's clock, and its times are those of that clock's zone",
        .timeLimit(.minutes(5))
    ) func followingByTheClock() async throws {
        let stage = try Stage(#"{"version":1,"notices":[{"id":"a","title":"T","trigger":{"at":"2020-03-24 18:00"}}]}"#)
        let clock = ManualTriggerClock(date: Reading.date("2020-03-24 12:00"), zone: Reading.berlin)
        let center = NoticeCenter(
            app: AppIdentity(id: "org.example.Test"),
            backend: RecorderBackend(),
            clock: .manual(clock)
        )
        let (reports, continuation) = AsyncStream.makeStream(of: [String]?.self)
        let path = stage.path
        let task = Task {
            await center.synchronize(following: ScheduleWatch(path), owner: "o") { result in
                continuation.yield(try? result.get().added)
            }
        }
        var told = reports.makeAsyncIterator()
        #expect(await told.next() == ["a"])
        task.cancel()
        await task.value
        #expect(try await center.nextFireDate() == Reading.date("2020-03-24 18:00"))
    }

    @Test("What does not change the file is no news, and another file is none of its business", .timeLimit(.minutes(5)))
    func noNews() async throws {
        let stage = try Stage(Self.file("a"))
        #expect(await stage.next() == "a")
        try Data("x".utf8).write(to: URL(fileURLWithPath: stage.folder + "/other"))
        try stage.replace(Self.file("a"))
        try stage.replace(Self.file("b"))
        #expect(await stage.next() == "b")
    }

    @Test("A file that is made readable is looked at again", .timeLimit(.minutes(5)))
    func permissions() async throws {
        let stage = try Stage(Self.file("a"))
        #expect(chmod(stage.path, 0) == 0)
        let unreadable = FileIdentity(ofFileAt: stage.path)
        let changes = FileChanges(of: stage.path)
        var looks = changes.looks.makeAsyncIterator()
        await looks.next()
        #expect(chmod(stage.path, 0o644) == 0)
        await looks.next()
        #expect(FileIdentity(ofFileAt: stage.path) != unreadable)
    }

    @Test(
        "A file that can't be read is read once it can be",
        .enabled(if: geteuid() != 0, "root reads any file"),
        .timeLimit(.minutes(5))
    )
    func unreadable() async throws {
        let stage = try Stage(Self.file("a"))
        #expect(chmod(stage.path, 0) == 0)
        #expect(await stage.next().hasPrefix("error: the file can't be read"))
        #expect(chmod(stage.path, 0o644) == 0)
        #expect(await stage.next() == "a")
    }

    @Test(
        "A file in a folder that can't be watched is looked at now and then",
        .enabled(if: geteuid() != 0, "root watches any folder"),
        .timeLimit(.minutes(5))
    )
    func unreadableFolder() async throws {
        let stage = try Stage(Self.file("a"))
        #expect(chmod(stage.folder, 0o300) == 0)
        defer { chmod(stage.folder, 0o700) }
        #expect(await stage.next() == "a")
        try stage.replace(Self.file("b"))
        #expect(await stage.next() == "b")
        #expect(chmod(stage.folder, 0o700) == 0)
        try stage.replace(Self.file("c"))
        #expect(await stage.next() == "c")
        try stage.replace(Self.file("d"))
        #expect(await stage.next() == "d")
    }

    @Test("A link is followed to its file's folder", .timeLimit(.minutes(5)))
    func links() async throws {
        let stage = try Stage(Self.file("a"))
        let folder = stage.folder + "/elsewhere"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        #expect(symlink(stage.path, folder + "/link.json") == 0)
        var watch = ScheduleWatch(folder + "/link.json").makeAsyncIterator()
        #expect(try await watch.next()?.get().entries.map(\.key) == ["a"])
        try stage.replace(Self.file("b"))
        #expect(try await watch.next()?.get().entries.map(\.key) == ["b"])
    }

    @Test(
        "A link that is pointed elsewhere is followed there, be it to the file or to its folder",
        .timeLimit(.minutes(5)),
        arguments: ["schedule.json", "."]
    )
    func movedLinks(target: String) async throws {
        let (first, second) = (try Stage(Self.file("a")), try Stage(Self.file("b")))
        let link = first.folder + "/link"
        func point(to stage: Stage) throws {
            #expect(symlink(stage.folder + "/" + target, link + ".new") == 0)
            #expect(rename(link + ".new", link) == 0)
        }
        try point(to: first)
        var watch = ScheduleWatch(target == "." ? link + "/schedule.json" : link).makeAsyncIterator()
        #expect(try await watch.next()?.get().entries.map(\.key) == ["a"])
        try point(to: second)
        #expect(try await watch.next()?.get().entries.map(\.key) == ["b"])
        try second.overwrite(Self.file("c"))
        #expect(try await watch.next()?.get().entries.map(\.key) == ["c"])
        try second.replace(Self.file("d"))
        #expect(try await watch.next()?.get().entries.map(\.key) == ["d"])
    }

    @Test("A link that moves amid other changes in its folder is followed each time", .timeLimit(.minutes(5)))
    func busyFolder() async throws {
        let (first, second) = (try Stage(Self.file("a")), try Stage(Self.file("b")))
        let link = first.folder + "/link"
        func point(to stage: Stage) throws {
            #expect(symlink(stage.path, link + ".new") == 0)
            // So that the folder is being looked at as the link moves.
            for noise in 0..<5 { try Data().write(to: URL(fileURLWithPath: "\(first.folder)/noise\(noise)")) }
            #expect(rename(link + ".new", link) == 0)
        }
        try point(to: first)
        var watch = ScheduleWatch(link).makeAsyncIterator()
        #expect(try await watch.next()?.get().entries.map(\.key) == ["a"])
        for _ in 0..<20 {
            try point(to: second)
            #expect(try await watch.next()?.get().entries.map(\.key) == ["b"])
            try point(to: first)
            #expect(try await watch.next()?.get().entries.map(\.key) == ["a"])
        }
    }

    @Test("A folder that was removed is watched again once it is back", .timeLimit(.minutes(5)))
    func removedFolder() async throws {
        let stage = try Stage(Self.file("a"))
        #expect(await stage.next() == "a")
        try FileManager.default.removeItem(atPath: stage.folder)
        #expect(await stage.next().hasPrefix("error: the file is not there"))
        try FileManager.default.createDirectory(atPath: stage.folder, withIntermediateDirectories: true)
        try stage.replace(Self.file("b"))
        #expect(await stage.next() == "b")
        try stage.overwrite(Self.file("c"))
        #expect(await stage.next() == "c")
    }

    @Test("A watch ends with its task", .timeLimit(.minutes(5)))
    func cancellation() async throws {
        let path = NSTemporaryDirectory() + "belfry-\(UUID().uuidString).json"
        let (began, continuation) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            var count = 0
            for await _ in ScheduleWatch(path) {
                count += 1
                continuation.yield()
            }
            return count
        }
        for await _ in began { break }
        task.cancel()
        #expect(await task.value == 1)
    }
}
