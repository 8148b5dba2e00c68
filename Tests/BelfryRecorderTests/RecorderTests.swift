import Belfry
import BelfryRecorder
import BelfryTestSupport
import Foundation
import Synchronization
import Testing

func makeDelivery(
    _ requestID: String,
    _ number: Int = 1,
    content: NoticeContent = NoticeContent(title: "Tea"),
    replaces: DeliveryReceipt? = nil
) -> Delivery {
    Delivery(
        id: "\(requestID)#\(number)",
        requestID: requestID,
        app: AppIdentity(id: "org.example.Tea"),
        content: content,
        dueDate: Date(timeIntervalSince1970: 1_800_000_000),
        replaces: replaces
    )
}

extension NoticeContent {
    static var answerable: NoticeContent {
        NoticeContent(
            title: "Message",
            actions: [
                NoticeAction("mute", title: "Mute"),
                NoticeAction("reply", title: "Reply", kind: .reply(placeholder: "Text")),
            ]
        )
    }
}

/// Runs the recorder while `body` does; returns what was reported.
func recording(
    _ recorder: RecorderBackend,
    _ body: () async throws -> Void
) async throws -> [BackendEvent] {
    let log = EventLog()
    let run = Task { try await recorder.run { log.add($0) } }
    try await body()
    await recorder.waitUntilReported()
    run.cancel()
    try await run.value
    return log.all
}

@Suite("The recorder records", .takesTurns)
struct RecorderRecordTests {
    @Test("Deliveries stand in order, and what was shown can be asked for by request")
    func recordsDeliveries() async throws {
        let recorder = RecorderBackend()
        for id in ["a", "b", "c"] { _ = try await recorder.deliver(makeDelivery(id)) }
        try recorder.expectDeliveries(of: ["a", "b", "c"])
        #expect(recorder.shown.map(\.id) == ["a", "b", "c"])
        #expect(try recorder.expectDelivery(of: "b").id == "b#1")
        #expect(recorder.delivery(of: "x") == nil)
    }

    @Test("A replacement keeps its handle and its place")
    func replacesInPlace() async throws {
        let recorder = RecorderBackend()
        let first = try await recorder.deliver(makeDelivery("a"))
        _ = try await recorder.deliver(makeDelivery("b"))
        let second = try await recorder.deliver(makeDelivery("a", 2, replaces: first))
        #expect(second.handle == first.handle)
        #expect(recorder.shown.map(\.delivery.id) == ["a#2", "b#1"])
    }

    @Test("A replacement of what is closed gets a handle of its own")
    func replacesNothing() async throws {
        let recorder = RecorderBackend()
        let first = try await recorder.deliver(makeDelivery("a"))
        try recorder.simulate(.expire, on: "a")
        let second = try await recorder.deliver(makeDelivery("a", 2, replaces: first))
        #expect(second.handle != first.handle)
    }

    @Test("What can't be replaced stays, and the receipt says so")
    func cannotReplace() async throws {
        let recorder = RecorderBackend(offering: .everything.without(.replacing))
        let first = try await recorder.deliver(makeDelivery("a"))
        let second = try await recorder.deliver(makeDelivery("a", 2, replaces: first))
        #expect(second.handle != first.handle)
        #expect(second.lost.map(\.feature) == [.replacing])
        #expect(recorder.shown.count == 2)
    }

    @Test("The receipt names every feature that the capabilities lack, after what preparation had lost")
    func namesLosses() async throws {
        let recorder = RecorderBackend(
            offering: DeliveryCapabilities(server: "poor", features: [.actions], actionLimit: 1)
        )
        var content = NoticeContent.answerable
        content.actions.reverse()
        content.body = "text"
        content.sound = .standard
        content.progress = 0.5
        content.level = .critical
        var delivery = makeDelivery("a", content: content).prepared(for: recorder.offered)
        delivery.lost.insert(DeliveryReceipt.LostFeature(.title, "cut"), at: 0)
        let receipt = try await recorder.deliver(delivery)
        #expect(receipt.lost.map(\.feature) == [.title, .body, .actions, .reply, .progress, .sound, .level])
    }

    @Test("What a center has prepared for the recorder is lost once")
    func losesOnce() async throws {
        let recorder = RecorderBackend(offering: .everything.without(.progress, .sound, .badge))
        let center = NoticeCenter(app: AppIdentity(id: "org.example.Tea"), backend: recorder)
        var content = NoticeContent(title: "Tea")
        content.progress = 0.5
        content.sound = .standard
        content.badge = 3
        let shown = try await center.show(NoticeRequest(id: "tea", content: content))
        #expect(shown.receipt.lost.map(\.feature.rawValue).sorted() == ["badge", "progress", "sound"])
    }

    @Test("Withdrawing takes it off the screen, is reported once, and is no error the second time")
    func withdraws() async throws {
        let recorder = RecorderBackend()
        let receipt = try await recorder.deliver(makeDelivery("a"))
        let events = try await recording(recorder) {
            try await recorder.withdraw(receipt)
            try await recorder.withdraw(receipt)
        }
        #expect(recorder.shown.isEmpty)
        #expect(recorder.withdrawn.map(\.id) == ["a"])
        #expect(events == [.closed(DeliveryReceipt.Reference(receipt), .withdrawn)])
    }

    @Test("A query that finds nothing says what there is")
    func helpsInErrors() async throws {
        let recorder = RecorderBackend()
        _ = try await recorder.deliver(makeDelivery("tea", content: .answerable))
        let missing = #expect(throws: RecorderError.self) { try recorder.expectDelivery(of: "coffee") }
        #expect(missing?.message.contains("delivered so far: \"tea\"") == true)
        let unknown = #expect(throws: RecorderError.self) { try recorder.simulate(.open, on: "coffee") }
        #expect(unknown?.message.contains("there: \"tea\"") == true)
        let wrong = #expect(throws: RecorderError.self) { try recorder.simulate(.action("eat"), on: "tea") }
        #expect(wrong?.message.contains("\"mute\", \"reply\"") == true)
        let other = #expect(throws: RecorderError.self) { try recorder.expectDeliveries(of: ["tea", "milk"]) }
        #expect(other?.message.contains("number 2: expected \"milk\", delivered nothing") == true)
        try recorder.simulate(.dismiss, on: "tea")
        let closed = #expect(throws: RecorderError.self) { try recorder.expectShown("tea") }
        #expect(closed?.message.contains("It was shown and is closed") == true)
    }
}
