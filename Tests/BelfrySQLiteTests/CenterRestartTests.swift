import Belfry
import BelfryRecorder
import BelfryRecurrence
import BelfryTestSupport
import BelfryTesting
import Foundation
import Synchronization
import Testing

@testable import BelfrySQLite

@Suite("A center on a SQLite store, over restarts and reboots", .takesTurns)
struct CenterRestartTests {
    private let start = AppLife.start

    @Test("What came due while the machine was off is delivered late, once, and the ledger says how late")
    func late() async throws {
        let scratch = try TemporaryFolder()
        let folder = scratch.path("store")
        let clock = ManualTriggerClock(date: start, zone: .utc)
        let due = start.addingTimeInterval(3_600)
        try await AppLife.run(in: folder, clock) { life in
            let center = life.center
            try await center.add(NoticeRequest(id: "date", title: "Date", trigger: .date(due)))
            try await center.add(NoticeRequest(id: "interval", title: "Interval", trigger: .after(.seconds(7_200))))
            try await center.add(NoticeRequest(id: "hourly", title: "Hourly", trigger: .every(.seconds(3_600))))
            try await center.add(
                NoticeRequest(
                    id: "skipped",
                    content: NoticeContent(title: "Skipped"),
                    trigger: .date(due),
                    misfire: .skip
                )
            )
        }
        try await clock.reboot(taking: .seconds(5 * 3_600 + 60))
        try await AppLife.run(in: folder, clock) { life in
            let (center, recorder) = (life.center, life.recorder)
            #expect(Set(recorder.deliveries.map(\.requestID)) == ["date", "interval", "hourly"])
            #expect(recorder.deliveries.count == 3)
            func outcomes(_ id: String) async throws -> [HistoryEntry] {
                try await center.history(HistoryQuery(requestID: id))
            }
            let date = try await outcomes("date")
            #expect(date.map(\.outcome) == [.delivered])
            #expect(date.first?.late == .seconds(4 * 3_600 + 60))
            #expect(try await outcomes("interval").first?.late == .seconds(3 * 3_600 + 60))
            // The latest of five missed ones, a minute late.
            #expect(try await outcomes("hourly").last { $0.outcome == .delivered }?.late == .seconds(60))
            #expect(try await outcomes("skipped").map(\.outcome) == [.missed])
            #expect(try await center.pending().map(\.id) == ["hourly"])
        }
        try await clock.reboot(taking: .seconds(60))
        try await AppLife.run(in: folder, clock) { life in
            let recorder = life.recorder
            #expect(recorder.deliveries.isEmpty)
            try await clock.advance(by: .seconds(3_600))
            #expect(recorder.deliveries.map(\.requestID) == ["hourly"])
        }
    }

    @Test("An answer that the app's handler has not acknowledged is handed over after every restart, until it has")
    func responses() async throws {
        let scratch = try TemporaryFolder()
        let folder = scratch.path("store")
        let clock = ManualTriggerClock(date: start, zone: .utc)
        try await AppLife.run(in: folder, clock) { life in
            let (center, recorder) = (life.center, life.recorder)
            var content = NoticeContent(title: "Question")
            content.actions = [NoticeAction("yes", title: "Yes")]
            content.userInfo = ["order": .int(7)]
            try await center.add(NoticeRequest(id: "question", content: content))
            await center.quiet()
            try recorder.simulate(.action("yes"), on: "question")
            await center.quiet()
        }
        // Nobody asked for it in this life either.
        try await AppLife.run(in: folder, clock) { life in
            await life.center.quiet()
        }
        let handler = CollectingHandler()
        try await AppLife.run(in: folder, clock) { life in
            let center = life.center
            await center.setDelegate(handler)
            await center.quiet()
        }
        let taken = handler.responses
        #expect(taken.map(\.requestID) == ["question"])
        #expect(taken.first?.kind == .action("yes"))
        #expect(taken.first?.userInfo["order"] == .int(7))
        try await AppLife.run(in: folder, clock) { life in
            let center = life.center
            await center.setDelegate(handler)
            await center.quiet()
        }
        #expect(handler.responses.count == 1)
    }

    @Test("A commit that fails is told to who added, and its request never fires")
    func failedCommit() async throws {
        let scratch = try TemporaryFolder()
        let clock = ManualTriggerClock(date: start, zone: .utc)
        let store = try await SQLiteRequestStore.open(in: scratch.path("store"))
        let recorder = RecorderBackend()
        let center = NoticeCenter(
            app: AppIdentity(id: "org.example.Test"),
            backend: recorder,
            store: NoticeStore(store),
            clock: .manual(clock)
        )
        let due = start.addingTimeInterval(60)
        try await center.run { center in
            try await center.add(NoticeRequest(id: "good", title: "Good", trigger: .date(due)))
            store.failNextCommit { if case .putRequest = $0 { true } else { false } }
            let error = await #expect(throws: NoticeError.self) {
                try await center.add(NoticeRequest(id: "bad", title: "Bad", trigger: .date(due)))
            }
            #expect(error?.code == .storeFailed)
            #expect(try await center.pending().map(\.id) == ["good"])
            try await clock.advance(by: .seconds(120))
            #expect(recorder.deliveries.map(\.requestID) == ["good"])
        }
    }

    @Test("A request of a kind that this program doesn't know stays pending and fires nothing")
    func dormant() async throws {
        let scratch = try TemporaryFolder()
        let clock = ManualTriggerClock(date: start, zone: .utc)
        let store = try await SQLiteRequestStore.open(in: scratch.path("store"))
        let trigger = TriggerRegistry.UnknownTrigger(storedKind: "tide", payload: .object(["port": "Cuxhaven"]))
        let tide = NoticeRequest(id: "tide", title: "Tide", trigger: trigger)
        try await store.commit([.putRequest(tide, revision: 1, TriggerProgress(anchor: 0))])
        try await store.close()
        try await AppLife.run(in: scratch.path("store"), clock) { life in
            let (center, recorder) = (life.center, life.recorder)
            try await clock.advance(by: .seconds(400 * 86_400))
            #expect(recorder.deliveries.isEmpty)
            #expect(try await center.pending().map(\.id) == ["tide"])
            try await center.remove("tide")
            #expect(try await center.pending().isEmpty)
        }
    }
}

/// `Sendable` by its lock.
private final class CollectingHandler: NoticeCenterDelegate {
    private let taken = Mutex<[NoticeResponse]>([])

    var responses: [NoticeResponse] { taken.withLock { $0 } }

    func handle(_ response: NoticeResponse) async { taken.withLock { $0.append(response) } }
}
