import Belfry
import BelfryRecorder
import BelfryTestSupport
import ConformanceStage
import Testing

@testable import BelfryDesktop

@Suite("A notice without a center", .takesTurns)
struct NoticeTests {
    private let app = AppIdentity(id: "org.example.Backup", name: "Backup")
    private let recorder = RecorderBackend()

    @discardableResult
    private func show(_ content: NoticeContent) async throws(NoticeError) -> DeliveredNotice {
        try await Notice.show(content, app: app, backend: recorder)
    }

    @Test("Its content is shown in the app's name, now") func shown() async throws {
        var content = NoticeContent(title: "Backup done", body: "42 GB in 3 minutes")
        content.level = .timeSensitive
        content.actions = [NoticeAction("open", title: "Open")]
        let notice = try await show(content)
        let delivery = try #require(recorder.deliveries.first)
        #expect(delivery.content == content && notice.content == content)
        #expect(delivery.app == app && delivery.app.name == "Backup")
        #expect(delivery.requestID == notice.requestID && delivery.late < .seconds(60))
        #expect(notice.receipt == recorder.shown.first?.receipt)
    }

    @Test("It stays on the screen afterwards, beside later ones") func stays() async throws {
        let ids = [
            try await show(NoticeContent(title: "Backup done")).requestID,
            try await show(NoticeContent(title: "Backup done")).requestID,
        ]
        // The second call gave the recorder to a center of its own, so the first one's had ended.
        #expect(Set(ids).count == 2)
        #expect(recorder.shown.map(\.id) == ids && recorder.withdrawn.isEmpty)
    }

    @Test(
        "The backend's error is thrown after one attempt, transient or not, and the next call works",
        arguments: [NoticeError(.noServer, "Nobody there."), NoticeError(.rejected, "Too long.", cause: "dunst")]
    )
    func fails(_ error: NoticeError) async throws {
        recorder.failNext(with: error)
        await #expect(throws: error) { try await show(NoticeContent(title: "Backup done")) }
        #expect(recorder.attempts.count == 1 && recorder.shown.isEmpty)
        try await show(NoticeContent(title: "Backup done"))
        #expect(recorder.shown.count == 1)
    }

    @Test("An error in the content is thrown before the backend is asked") func emptyContent() async throws {
        let error = await #expect(throws: NoticeError.self) { try await show(NoticeContent(title: "")) }
        #expect(error?.code == .emptyContent && error?.isTransient == false)
        #expect(recorder.attempts.isEmpty)
    }
}

@Suite(
    "A notice without a center, against dunst",
    .sharesDesktop,
    .serialized,
    .enabled(if: Desktop.isThere, Comment(rawValue: Desktop.reason))
)
struct NoticeSharedDesktopTests {
    @Test("One line shows it through what suits the desktop, and it stays") func oneLine() async throws {
        _ = try? await Desktop.tool("server-stop")
        try await Desktop.tool("server-start")
        let empty = try await Desktop.picture("no notice")
        let app = AppIdentity(id: "org.example.Backup", name: "Backup")
        let notice = try await Notice.show("Backup done", "42 GB in 3 minutes", app: app)
        #expect(notice.receipt.backend == "dbus")
        #expect(try await Desktop.tool("shown").contains("Backup done"))
        #expect(try await Desktop.screen("notice", differsFrom: empty, by: 1_000))
    }
}
