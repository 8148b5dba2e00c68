#if ServiceLifecycle
import Belfry
import BelfryRecorder
import BelfryTestSupport
import BelfryTesting
import InMemoryLogging
import Logging
import Testing

@testable import BelfryService

@Suite("What a service logs", .takesTurns)
struct CenterEventLogTests {
    @Test("A delivery: the request, the delivery, the backend, the lateness in milliseconds") func delivered()
        async throws
    {
        let daemon = Daemon()
        try await daemon.run {
            try await daemon.center.add(secret("tea", .after(.seconds(240))))
            try await daemon.clock.advance(by: .seconds(240))
        }
        let line = try #require(daemon.lines(at: .info).first)
        #expect(line.message == "Notice delivered")
        let delivery = try daemon.recorder.expectDelivery(of: "tea")
        #expect(line.metadata["belfry.request.id"] == "tea")
        #expect(line.metadata["belfry.delivery.id"] == "\(delivery.id)")
        #expect(line.metadata["belfry.backend"] == "recorder")
        #expect(line.metadata["belfry.late.ms"].map { "\($0)" } == "0.0")
        #expect(daemon.lines(at: .info).count == 1)
    }

    @Test("What was late, tried again, missed, or failed is above info, with the reason") func troubles()
        async throws
    {
        let daemon = Daemon()
        try await daemon.run {
            var skipped = secret("skipped", .after(.seconds(60)))
            skipped.misfire = .skip
            try await daemon.center.add([secret("late", .after(.seconds(60))), skipped])
            try await daemon.clock.suspend(for: .seconds(180))
            daemon.recorder.failNext(3, with: NoticeError(.serverBusy, "The queue is full."))
            try await daemon.center.add(secret("retried"))
            try await daemon.clock.advance(by: .seconds(60))
            daemon.recorder.failNext(with: NoticeError(.rejected, "The server refuses it."))
            try await daemon.center.add(secret("failed"))
            try await daemon.clock.settle()
        }
        #expect(
            daemon.log.entries.filter { $0.level > .info }.map(Line.init) == [
                Line(.warning, "Notice missed", "skipped"),
                Line(.notice, "Notice delivered late", "late"),
                Line(.notice, "Notice failed and is tried again", "retried"),
                Line(.notice, "Notice delivered late", "retried"),
                Line(.error, "Notice failed", "failed"),
            ]
        )
        #expect(daemon.lines(at: .error).first?.metadata["belfry.reason"] == "The server refuses it.")
        #expect(
            daemon.log.entries.compactMap { $0.metadata["belfry.error.code"].map { "\($0)" } } == [
                "serverBusy", "rejected",
            ]
        )
        let late = daemon.log.entries.first { $0.metadata["belfry.request.id"] == "late" }
        #expect(late?.metadata["belfry.late.ms"].map { "\($0)" } == "120000.0")
    }

    @Test("An error that concerns no request: its code; transient is a warning, what only reports is a notice")
    func errors() {
        let cases: [(NoticeError.Code, Logger.Level)] = [
            (.systemFailure, .error), (.noServer, .warning), (.backendMessage, .notice), (.storeDamaged, .error),
        ]
        for (code, level) in cases {
            let line = EventLine(.error(NoticeError(code, "So it is.", cause: "because")), lateAfter: .seconds(1))
            #expect(line?.level == level)
            #expect(line?.metadata["belfry.error.code"] == "\(code.rawValue)")
            #expect(line?.metadata["belfry.reason"] == "So it is. (because)")
        }
    }

    @Test(
        "What nobody has heard before the service ran is logged, and still waits for the app",
        .timeLimit(.minutes(5))
    )
    func unheard() async throws {
        let daemon = Daemon()
        daemon.center.engine.report(NoticeError(.storeMessage, "Others may read the folder."))
        try await daemon.run {
            let event = await daemon.center.events().first { _ in true }
            #expect(event == .error(NoticeError(.storeMessage, "Others may read the folder.")))
        }
        #expect(daemon.lines(at: .notice).map { $0.metadata["belfry.error.code"] } == ["storeMessage"])
    }

    @Test(
        "No text of a notice is logged, except at the level trace",
        arguments: [Logger.Level.trace, .debug, .info]
    )
    func privacy(level: Logger.Level) async throws {
        let daemon = Daemon(logLevel: level)
        try await daemon.run {
            try await daemon.center.add([secret("shown"), secret("removed", .after(.seconds(60)))])
            try await daemon.clock.settle()
            try daemon.recorder.simulate(.reply("secret reply"), on: "shown")
            try await daemon.clock.settle()
            try await daemon.center.remove("removed")
            daemon.recorder.failNext(with: NoticeError(.rejected, "The server refuses it."))
            try await daemon.center.add(secret("failed"))
            try await daemon.clock.settle()
        }
        let all = daemon.log.entries.map { "\($0.message) \($0.metadata)" }
        #expect(all.count >= 2)
        let telling = all.filter { $0.contains("secret") }
        #expect(telling.count == (level == .trace ? 1 : 0), "\(telling)")
    }

    @Test("A log that is too slow for a burst says how many events it lacks") func slowLog() async {
        let daemon = Daemon()
        let logger = Logger(label: "slow") { [log = daemon.log] _ in log }
        let log = CenterEventLog(logger, lateAfter: .seconds(1))
        for number in 0..<1_030 { log.append(.error(NoticeError(.noServer, "\(number)"))) }
        log.finish()
        await log.write()
        #expect(daemon.log.entries.count == 1_025)
        let lack = daemon.log.entries.first { $0.metadata["belfry.count"] != nil }
        #expect(lack?.metadata["belfry.count"] == "6")
    }

    private func secret(_ id: String, _ trigger: (any NoticeTrigger)? = nil) -> NoticeRequest {
        var request = NoticeRequest(id: id, title: "secret title", body: "secret body", trigger: trigger)
        request.content.subtitle = "secret subtitle"
        request.content.actions = [NoticeAction("say", title: "secret button", kind: .reply(placeholder: ""))]
        return request
    }
}

/// A line of the log without the metadata that tests look at one by one.
private struct Line: Equatable {
    let level: Logger.Level
    let message: Logger.Message
    let request: Logger.MetadataValue?

    init(_ level: Logger.Level, _ message: Logger.Message, _ request: String) {
        (self.level, self.message, self.request) = (level, message, .string(request))
    }

    init(_ entry: InMemoryLogHandler.Entry) {
        (level, message, request) = (entry.level, entry.message, entry.metadata["belfry.request.id"])
    }
}
#endif
