import BelfryTestSupport
import Foundation
import Synchronization
import Testing

@testable import Belfry

@Suite("The zone's folders are watched by their paths, once for the process", .takesTurns, .timeLimit(.minutes(5)))
struct ZoneWatchTests {
    private let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("belfry-zones-\(UUID().uuidString)")

    private func make(_ url: URL) throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    /// Counts what a watch tells of its folders.
    private final class Listener: Sendable {
        private let (news, continuation) = AsyncStream.makeStream(of: Void.self)
        private let watch: ZoneWatch
        private let id: UInt64

        init(_ watch: ZoneWatch) {
            self.watch = watch
            id = watch.listen { [continuation] in continuation.yield() }
        }

        func next() async { for await _ in news { return } }
        func end() { watch.forget(id) }
    }

    /// Waits for what is told of `change`, which comes at once or once what it brought has settled.
    private func news(of watch: ZoneWatch, _ change: () throws -> Void) async throws {
        let listener = Listener(watch)
        defer { listener.end() }
        try change()
        await listener.next()
    }

    @Test("Zone data that is moved away and replaced is watched where it stands now") func replaced() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let zones = folder.appendingPathComponent("zoneinfo")
        try make(zones)
        var files = try #require(WatchedFiles([zones.path + "/tzdata.zi"]) {}, "no inotify instance")
        defer { files.end() }
        try FileManager.default.moveItem(at: zones, to: folder.appendingPathComponent("old"))
        var isNews = files.read()
        #expect(isNews)
        try make(zones)
        isNews = files.read()
        #expect(isNews)
        try Data().write(to: folder.appendingPathComponent("old/tzdata.zi"))
        isNews = files.read()
        #expect(!isNews, "what was moved away is no news")
        try Data().write(to: zones.appendingPathComponent("tzdata.zi"))
        isNews = files.read()
        #expect(isNews)
    }

    @Test("Zone data that was missing at the start is watched once it comes, however much of the path is missing")
    func missing() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try make(folder)
        let zones = folder.appendingPathComponent("share/zoneinfo")
        var files = try #require(WatchedFiles([zones.path + "/tzdata.zi"]) {}, "no inotify instance")
        defer { files.end() }
        try Data().write(to: folder.appendingPathComponent("other"))
        var isNews = files.read()
        #expect(!isNews)
        try make(folder.appendingPathComponent("share"))
        isNews = files.read()
        #expect(isNews)
        try make(zones)
        isNews = files.read()
        #expect(isNews)
        try Data().write(to: zones.appendingPathComponent("tzdata.zi"))
        isNews = files.read()
        #expect(isNews)
    }

    @Test("The alarm hears of zone data that was replaced while it waited") func alarmHears() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let zones = folder.appendingPathComponent("zoneinfo")
        try make(zones)
        let watch = ZoneWatch([zones.path])
        try await news(of: watch) {
            try FileManager.default.moveItem(at: zones, to: folder.appendingPathComponent("old"))
        }
    }

    /// Whether a watch that begins later tells of `change`, which was made before it began.
    private func tellsLater(of change: (URL) throws -> Void) async throws -> Bool {
        try make(folder)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data("a".utf8).write(to: folder.appendingPathComponent("localtime"))
        let (opened, open) = AsyncStream.makeStream(of: Void.self)
        // The change has to come before.
        let watch = ZoneWatch([folder.path], after: .milliseconds(500)) {
            open.yield()
            return WatchedFiles.open()
        }
        let told = Atomic(false)
        let id = watch.listen { told.store(true, ordering: .relaxed) }
        defer { watch.forget(id) }
        try change(folder)
        for await _ in opened { break }
        // Behind what the thread was doing when it opened the instance, which ends with the telling.
        await withCheckedContinuation { continuation in
            CenterThread.shared.wait(until: .now) { continuation.resume() }
        }
        return told.load(ordering: .relaxed)
    }

    @Test("A watch that begins later tells of a change that came before, and of nothing else") func later() async throws
    {
        let isNews = try await tellsLater { folder in
            try Data("b".utf8).write(to: folder.appendingPathComponent("localtime"), options: .atomic)
        }
        #expect(isNews)
        let isOther = try await tellsLater { try Data().write(to: $0.appendingPathComponent("hostname")) }
        #expect(!isOther)
    }

    @Test("Where no directory can be watched at first, a change is found later") func noWatches() async throws {
        try make(folder)
        defer { try? FileManager.default.removeItem(at: folder) }
        // A descriptor that has no watches, like an instance of a user who has none left.
        let watch = ZoneWatch([folder.path], retrying: .milliseconds(20)) {
            socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        }
        let file = folder.appendingPathComponent("localtime")
        try await news(of: watch) { try Data("a".utf8).write(to: file) }
    }

    @Test("Nothing is opened for listeners that are gone before it begins") func early() async throws {
        let opened = Atomic(0)
        let watch = ZoneWatch(["/etc"], after: .milliseconds(20)) {
            opened.add(1, ordering: .relaxed)
            return WatchedFiles.open()
        }
        watch.forget(watch.listen {})
        await withCheckedContinuation { continuation in
            CenterThread.shared.wait(until: .now + .milliseconds(40)) { continuation.resume() }
        }
        #expect(opened.load(ordering: .relaxed) == 0)
    }

    @Test("All alarms of a process share one inotify instance") func shared() async throws {
        let opened = Atomic(0)
        let watch = ZoneWatch(["/etc"]) {
            opened.add(1, ordering: .relaxed)
            return WatchedFiles.open()
        }
        let alarms = try (0..<20).map { _ in try SystemAlarm(zones: watch) }
        withExtendedLifetime(alarms) { #expect(opened.load(ordering: .relaxed) == 1) }
    }

    @Test("Without an inotify instance there is a clock all the same") func noInotify() async throws {
        let alarm = try SystemAlarm(zones: ZoneWatch(["/etc"]) { -EMFILE })
        let log = WakeLog(clock: SystemTriggerClock())
        alarm.set(WakeDeadline(wall: nil, boot: 0))
        try await running(alarm, waking: log) { _ = try await log.first(.due) }
    }
}
