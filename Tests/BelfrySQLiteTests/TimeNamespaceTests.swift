import Belfry
import BelfryRecorder
import BelfryTestSupport
import Foundation
import Testing

@testable import BelfrySQLite

@Suite("The kernel's own boot clock, moved on as a suspend moves it", .takesTurns)
struct TimeNamespaceTests {
    private static let tool = ["unshare", "--time", "--boottime", "7200", "--fork", "--kill-child"]

    @Test("An interval counts what the boot clock has moved; a date waits for the wall clock, which has not")
    func bootClock() async throws {
        guard try runTool("unshare", Array(Self.tool.dropFirst()) + ["true"]) == 0 else {
            try Test.cancel("a time namespace needs root, Linux 5.6 and util-linux")
        }
        let scratch = try TemporaryFolder()
        let store = try await SQLiteRequestStore.open(in: scratch.path("store"))
        let app = AppIdentity(id: "org.example.Test")
        let center = NoticeCenter(app: app, backend: RecorderBackend(), store: NoticeStore(store))
        // It doesn't run: nothing fires in this life.
        try await center.add(NoticeRequest(id: "span", title: "Span", trigger: .after(.seconds(3_600))))
        try await center.add(NoticeRequest(id: "beat", title: "Beat", trigger: .every(.seconds(3_100))))
        let hour = Date().addingTimeInterval(3_600)
        try await center.add(NoticeRequest(id: "date", title: "Date", trigger: .date(hour)))
        try await store.close()

        let life = try await WriterProcess.run(["live", scratch.path("store"), "1", "1", "0"], by: Self.tool)
        #expect(life.lines.last == "idle", "\(life.output)")
        let shown = life.lines.filter { $0.hasPrefix("shown") }.compactMap {
            $0.split(separator: " ").dropFirst(2).first
        }
        #expect(shown.sorted() == ["beat", "span"])

        let again = try await SQLiteRequestStore.open(in: scratch.path("store"))
        #expect(try await again.load().pending.map(\.id) == ["beat", "date"])
        let lines = try await again.history(HistoryQuery(outcomes: [.delivered]))
        let span = try #require(lines.first { $0.requestID == "span" }?.late)
        #expect(span >= .seconds(3_590) && span < .seconds(3_700), "\(span)")
        // 7,200 s are two intervals and 1,000 s.
        let beat = try #require(lines.first { $0.requestID == "beat" }?.late)
        #expect(beat >= .seconds(990) && beat < .seconds(1_100), "\(beat)")
        try await again.close()
    }
}
