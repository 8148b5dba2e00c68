import Belfry
import BelfryTestSupport
import Foundation
import Glibc
import Testing

@testable import BelfrySQLite

@Suite("Attachments are copied, and kept as long as the content", .takesTurns)
struct AttachmentCopyTests {
    private func request(_ paths: [String]) -> NoticeRequest {
        var content = NoticeContent(title: "Pictures")
        content.attachments = paths.enumerated().map { NoticeAttachment(id: "\($0)", path: $1) }
        return NoticeRequest(id: "pictures", content: content)
    }

    @Test("The copy outlives the file, its request and a restart, and goes with the content")
    func copies() async throws {
        let scratch = try TemporaryFolder()
        try makeFile(scratch.path("cat.png"), Data(repeating: 7, count: 200_000))
        try makeFile(scratch.path("same.png"), Data("b".utf8))
        let added = request([
            scratch.path("cat.png"), scratch.path("same.png"), scratch.path("same.png"), "/not/there.png",
        ])
        var store = try await SQLiteRequestStore.open(in: scratch.path("store"))
        try await store.commit([.putRequest(added, revision: 1, TriggerProgress(anchor: 0))])
        #expect(FileManager.default.contents(atPath: scratch.path("cat.png"))?.count == 200_000)
        try FileManager.default.removeItem(atPath: scratch.path("cat.png"))
        try await store.commit([.removeRequest(revision: 1)])
        try await store.close()

        store = try await SQLiteRequestStore.open(in: scratch.path("store"))
        let kept = try #require(try await store.request(revision: 1)).content.attachments
        #expect(kept.map(\.id) == ["0", "1", "2", "3"])
        #expect(FileManager.default.contents(atPath: kept[0].path) == Data(repeating: 7, count: 200_000))
        #expect(kept[0].path.hasSuffix("cat.png"))
        #expect(Set(kept.map(\.path)).count == 4)
        #expect(kept[3].path == "/not/there.png")
        #expect(scratch.mode("store/attachments/1") == 0o700)
        try await store.commit([.dropContent(revision: 1)])
        #expect(try scratch.names(in: "store/attachments").isEmpty)
    }

    @Test("Elements of a series share one copy, which stays as long as one of them; what is added later has its own")
    func shared() async throws {
        let scratch = try TemporaryFolder()
        try makeFile(scratch.path("cat.png"), Data("cat".utf8))
        let added = request([scratch.path("cat.png")])
        let store = try await SQLiteRequestStore.open(in: scratch.path("store"))
        let revisions: [Int64] = [1, 2, 3]
        try await store.commit(revisions.map { .putRequest(added, revision: $0, TriggerProgress(anchor: 0)) })
        try makeFile(scratch.path("cat.png"), Data("changed".utf8))
        try await store.commit([.putRequest(added, revision: 4, TriggerProgress(anchor: 0))])
        var inodes: Set<ino_t> = []
        for revision in revisions {
            var info = stat()
            #expect(stat(scratch.path("store/attachments/\(revision)/0-cat.png"), &info) == 0)
            inodes.insert(info.st_ino)
        }
        #expect(inodes.count == 1)
        try await store.commit([.dropContent(revision: 1), .dropContent(revision: 2)])
        for (revision, contents) in [(3, "cat"), (4, "changed")] as [(Int64, String)] {
            let kept = try #require(try await store.request(revision: revision)).content.attachments
            #expect(kept.map(\.path) == [scratch.path("store/attachments/\(revision)/0-cat.png")])
            #expect(FileManager.default.contents(atPath: kept[0].path) == Data(contents.utf8))
        }
    }

    @Test("A commit that fails leaves no copies, and what a crash left goes at the next opening")
    func leavesNothing() async throws {
        let scratch = try TemporaryFolder()
        try makeFile(scratch.path("cat.png"), Data("cat".utf8))
        let store = try await SQLiteRequestStore.open(in: scratch.path("store"))
        let batch: [StoreChange] = [
            .putRequest(request([scratch.path("cat.png")]), revision: 1, TriggerProgress(anchor: 0)), .line("a", 1),
        ]
        store.failNextCommit { if case .appendHistory = $0 { true } else { false } }
        await #expect(throws: NoticeError.self) { try await store.commit(batch) }
        #expect(try scratch.names(in: "store/attachments").isEmpty)
        try await store.commit(batch)
        #expect(try scratch.names(in: "store/attachments") == ["1"])
        try FileManager.default.createDirectory(
            atPath: scratch.path("store/attachments/99"),
            withIntermediateDirectories: false
        )
        try await store.close()
        let again = try await SQLiteRequestStore.open(in: scratch.path("store"))
        #expect(try scratch.names(in: "store/attachments") == ["1"])
        try await again.close()
    }

    @Test("Names that the store never makes are left alone, also those that read like one of its numbers")
    func otherNames() async throws {
        let scratch = try TemporaryFolder()
        try await SQLiteRequestStore.open(in: scratch.path("store")).close()
        let others = ["+99", "099", "notes"]
        for name in others + ["99"] { _ = try scratch.folder("store/attachments/" + name) }
        try await SQLiteRequestStore.open(in: scratch.path("store")).close()
        #expect(try scratch.names(in: "store/attachments") == others.sorted())
    }

    @Test("A long name keeps its extension, wherever it is cut: what kind of file it is depends on it")
    func longNames() async throws {
        let scratch = try TemporaryFolder()
        let names = ["", "x", "xy"].map { $0 + String(repeating: "家", count: 70) + ".png" }
        for name in names { try makeFile(scratch.path(name), Data("cat".utf8)) }
        let store = try await SQLiteRequestStore.open(in: scratch.path("store"))
        let added = request(names.map(scratch.path))
        try await store.commit([.putRequest(added, revision: 1, TriggerProgress(anchor: 0))])
        let kept = try #require(try await store.request(revision: 1)).content.attachments
        #expect(
            kept.allSatisfy { $0.path.hasPrefix(scratch.path("store")) && $0.path.hasSuffix(".png") },
            "\(kept.map(\.path))"
        )
        #expect(try scratch.names(in: "store/attachments/1").count == 3)
    }

    @Test("A file that can't be read keeps its path, and costs nobody else's call")
    func unreadable() async throws {
        let scratch = try TemporaryFolder()
        // Reading its beginning is an error: no page is mapped there.
        let added = request(["/proc/self/mem"])
        let store = try await SQLiteRequestStore.open(in: scratch.path("store"))
        try await store.commit([.putRequest(added, revision: 1, TriggerProgress(anchor: 0)), .put("other", 2)])
        #expect(try await store.request(revision: 1) == added)
        #expect(try scratch.names(in: "store/attachments/1").isEmpty)
    }

    @Test("A store that was moved has its copies")
    func moved() async throws {
        let scratch = try TemporaryFolder()
        try makeFile(scratch.path("cat.png"), Data("cat".utf8))
        let added = request([scratch.path("cat.png"), "/not/there/attachments/1/0-cat.png"])
        var store = try await SQLiteRequestStore.open(in: scratch.path("store"))
        try await store.commit([.putRequest(added, revision: 1, TriggerProgress(anchor: 0))])
        try await store.close()
        try FileManager.default.moveItem(atPath: scratch.path("store"), toPath: scratch.path("moved"))
        store = try await SQLiteRequestStore.open(in: scratch.path("moved"))
        let paths = try #require(try await store.request(revision: 1)).content.attachments.map(\.path)
        let copy = scratch.path("moved/attachments/1/0-cat.png")
        #expect(paths == [copy, "/not/there/attachments/1/0-cat.png"])
        #expect(FileManager.default.contents(atPath: copy) == Data("cat".utf8))
        #expect(try await store.requests(revisions: [1])[1]?.content.attachments.first?.path == copy)
        try await store.close()
    }

    @Test("A pipe in the place of a file holds nothing up")
    func pipes() async throws {
        let scratch = try TemporaryFolder()
        #expect(mkfifo(scratch.path("pipe.png"), 0o600) == 0)
        let store = try await SQLiteRequestStore.open(in: scratch.path("store"))
        let added = request([scratch.path("pipe.png")])
        try await store.commit([.putRequest(added, revision: 1, TriggerProgress(anchor: 0))])
        #expect(try await store.request(revision: 1) == added)
    }

    @Test("What has grown beyond the limit since it was checked is not copied, however long it seems to be")
    func limit() async throws {
        let scratch = try TemporaryFolder()
        try makeFile(scratch.path("small.png"), Data(repeating: 1, count: 16))
        try makeFile(scratch.path("grown.png"), Data(repeating: 1, count: 17))
        // The kernel's own files have a length of zero, as one that is written while it is being copied has too small a
        // one.
        let growing = "/proc/self/status"
        let options = SQLiteStoreOptions(attachmentLimit: 16)
        let store = try await SQLiteRequestStore.open(in: scratch.path("store"), options: options)
        let added = request([scratch.path("small.png"), scratch.path("grown.png"), growing])
        try await store.commit([.putRequest(added, revision: 1, TriggerProgress(anchor: 0))])
        let kept = try #require(try await store.request(revision: 1)).content.attachments.map(\.path)
        #expect(kept == [scratch.path("store/attachments/1/0-small.png"), scratch.path("grown.png"), growing])
        #expect(try scratch.names(in: "store/attachments/1") == ["0-small.png"])
    }
}
