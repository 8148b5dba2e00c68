import Belfry
import BelfryBus
import BelfryBusTestSupport
import BelfryTestSupport
import Testing

@testable import BelfryDBus

@Suite(
    "Answers and closings over D-Bus",
    .takesTurns,
    .timeLimit(.minutes(5)),
    .enabled(if: TestBus.program != nil, "dbus-daemon is not installed: apt-get install dbus-daemon")
)
struct SignalTests {
    typealias Events = AsyncStream<BackendEvent>.Iterator

    /// Every order of these.
    private static func orders<Element>(_ elements: [Element]) -> [[Element]] {
        guard elements.count > 1 else { return [elements] }
        return elements.indices.flatMap { index in
            var rest = elements
            let first = rest.remove(at: index)
            return orders(rest).map { [first] + $0 }
        }
    }

    /// Sends signals about one notice in one go: whatever is asked meanwhile is answered afterwards.
    private func send(_ signals: [(String, BusValue)], about id: UInt32, _ stage: Stage, to poster: String? = nil) {
        stage.server.stall()
        for (member, value) in signals { stage.server.emit(member, [.uint32(id), value], to: poster) }
        stage.server.resume()
    }

    private func id(_ receipt: DeliveryReceipt) throws -> UInt32 { try #require(UInt32(receipt.handle)) }

    @Test("token, answer and closing in any order are one answer with its token, then the closing") func anyOrder()
        async throws
    {
        let profile = Stage.profile(["body", "actions"])
        try await Stage.run(profile) { stage, events in
            let signals: [(String, BusValue)] = [
                ("ActivationToken", .string("token")), ("ActionInvoked", .string("go")),
                ("NotificationClosed", .uint32(2)),
            ]
            _ = try await stage.backend.capabilities()
            guard case .serverCame = await events.next(isolation: #isolation) else {
                throw BusError(.noOwner, "no server came")
            }
            for order in Self.orders(signals) {
                let receipt = try await stage.backend.deliver(
                    Stage.delivery("Ask") { $0.actions = [NoticeAction("go", title: "Go")] }
                )
                let reference = DeliveryReceipt.Reference(receipt)
                send(order, about: try id(receipt), stage)
                let names = order.map(\.0)
                #expect(
                    await events.next(isolation: #isolation)
                        == .responded(reference, action: "go", text: nil, activationToken: "token"),
                    "\(names)"
                )
                #expect(await events.next(isolation: #isolation) == .closed(reference, .dismissed), "\(names)")
            }
        }
    }

    @Test("the text of a reply comes once, before or after the press of its button and the closing") func replies()
        async throws
    {
        try await Stage.run(.kde) { stage, events in
            _ = try await stage.backend.capabilities()
            guard case .serverCame = await events.next(isolation: #isolation) else {
                throw BusError(.noOwner, "no server came")
            }
            let signals: [(String, BusValue)] = [
                ("ActionInvoked", .string("inline-reply")), ("NotificationReplied", .string("hello")),
                ("NotificationClosed", .uint32(3)),
            ]
            for order in Self.orders(signals) {
                let receipt = try await stage.backend.deliver(
                    Stage.delivery("Ask \(order)") {
                        $0.actions = [NoticeAction("say", title: "Say", kind: .reply(placeholder: ""))]
                    }
                )
                let reference = DeliveryReceipt.Reference(receipt)
                send(order, about: try id(receipt), stage)
                #expect(
                    await events.next(isolation: #isolation)
                        == .responded(reference, action: "say", text: "hello", activationToken: nil)
                )
                #expect(await events.next(isolation: #isolation) == .closed(reference, .withdrawn))
            }
            // As Plasma does it.
            let receipt = try await stage.backend.deliver(
                Stage.delivery("Plasma") {
                    $0.actions = [NoticeAction("say", title: "", kind: .reply(placeholder: ""))]
                }
            )
            stage.server.reply(try id(receipt), "hi")
            let reference = DeliveryReceipt.Reference(receipt)
            #expect(
                await events.next(isolation: #isolation)
                    == .responded(reference, action: "say", text: "hi", activationToken: nil)
            )
            #expect(await events.next(isolation: #isolation) == .closed(reference, .withdrawn))
        }
    }

    @Test("others' signals, wrong ones and second ones are nobody's answer") func foreign() async throws {
        try await Stage.run(Stage.profile(["body", "actions"])) { stage, events in
            let liar = try await stage.bus.connection()
            let receipt = try await stage.backend.deliver(
                Stage.delivery("Ask") { $0.actions = [NoticeAction("go", title: "Go")] }
            )
            let reference = DeliveryReceipt.Reference(receipt)
            #expect(await events.next(isolation: #isolation) == .serverCame(server: receipt.server))
            let poster = try #require(stage.server.calls.first?.sender)
            for member in ["ActionInvoked", "NotificationClosed"] {
                let last = member == "ActionInvoked" ? BusValue.string("go") : .uint32(2)
                // To all and to the backend alone, from somebody who isn't the server.
                for destination in [nil, poster] {
                    let signal = BusSignal(
                        ScriptedServer.path,
                        ScriptedServer.busName,
                        member,
                        [.uint32(1), last],
                        to: destination
                    )
                    try liar.emit(signal)
                }
                // Of the wrong types, too few, too many, of other notices.
                let wrong: [[BusValue]] = [
                    [], [.uint32(1)], [.string("1"), last], [.int64(1), .byte(1)], [.uint32(1), .variant(last)],
                    [.uint32(1), last, last], [.uint32(.max), last], [.uint32(0), last], [.uint32(1), .strings([])],
                ]
                for arguments in wrong { stage.server.emit(member, arguments) }
            }
            _ = try await liar.owner(of: poster)
            stage.server.flood(2000)
            let second = try await stage.backend.deliver(Stage.delivery("Second"))
            send(
                [
                    ("ActionInvoked", .string("go")), ("ActionInvoked", .string("go")),
                    ("ActionInvoked", .string("default")), ("NotificationClosed", .uint32(9)),
                    ("NotificationClosed", .uint32(2)), ("ActionInvoked", .string("go")),
                ],
                about: 1,
                stage
            )
            #expect(
                await events.next(isolation: #isolation)
                    == .responded(reference, action: "go", text: nil, activationToken: nil)
            )
            #expect(
                await events.next(isolation: #isolation) == .closed(reference, NoticeResponse.CloseReason(rawValue: 9))
            )
            stage.server.close(try id(second), 1)
            #expect(await events.next(isolation: #isolation) == .closed(DeliveryReceipt.Reference(second), .expired))
            await liar.close()
        }
    }

    @Test("a resident notice is answered again and again; another once, also by a server that doesn't close")
    func resident() async throws {
        var profile = Stage.profile(["body", "actions"])
        profile.audience = .poster
        profile.closesAfterAction = nil
        try await Stage.run(profile) { stage, events in
            let receipt = try await stage.backend.deliver(
                Stage.delivery("Player") {
                    $0.desktop.isResident = true
                    $0.actions = [NoticeAction("next", title: "Next"), NoticeAction("stop", title: "Stop")]
                }
            )
            let reference = DeliveryReceipt.Reference(receipt)
            #expect(await events.next(isolation: #isolation) == .serverCame(server: receipt.server))
            for key in ["next", "next", "stop"] { stage.server.press(try id(receipt), key) }
            for key in ["next", "next", "stop"] {
                #expect(
                    await events.next(isolation: #isolation)
                        == .responded(reference, action: key, text: nil, activationToken: nil)
                )
            }
            let once = try await stage.backend.deliver(Stage.delivery("Once"))
            stage.server.press(try id(once), "default")
            #expect(
                await events.next(isolation: #isolation)
                    == .responded(DeliveryReceipt.Reference(once), action: "default", text: nil, activationToken: nil)
            )
            stage.server.press(try id(once), "default")
            try await stage.backend.withdraw(once)
            #expect(await events.next(isolation: #isolation) == .closed(DeliveryReceipt.Reference(once), .withdrawn))
        }
    }

    @Test("withdrawing is told once, by servers that tell twice, by those that don't, and of nobody's nothing is told")
    func withdrawing() async throws {
        try await Stage.run(.hostile) { stage, events in
            let receipt = try await stage.backend.deliver(Stage.delivery("Gone"))
            #expect(await events.next(isolation: #isolation) == .serverCame(server: receipt.server))
            try await stage.backend.withdraw(receipt)
            try await stage.backend.withdraw(receipt)
            var foreign = receipt
            for handle in ["4294967295", "0", "-1", "no number", "", "77"] {
                foreign.handle = handle
                try await stage.backend.withdraw(foreign)
            }
            let last = try await stage.backend.deliver(Stage.delivery("Last"))
            stage.server.close(try id(last), 1)
            #expect(await events.next(isolation: #isolation) == .closed(DeliveryReceipt.Reference(receipt), .withdrawn))
            #expect(await events.next(isolation: #isolation) == .closed(DeliveryReceipt.Reference(last), .expired))
        }
        var silent = Stage.profile(["body"])
        silent.audience = .everybody
        try await Stage.run(silent) { stage, events in
            let receipt = try await stage.backend.deliver(Stage.delivery("Gone"))
            #expect(await events.next(isolation: #isolation) == .serverCame(server: receipt.server))
            // CloseNotification is answered, and no signal comes.
            try await stage.server.lie(about: "CloseNotification", [])
            try await stage.backend.withdraw(receipt)
            #expect(await events.next(isolation: #isolation) == .closed(DeliveryReceipt.Reference(receipt), .withdrawn))
        }
    }

    @Test("what a server said before it hung or went is told") func lastWords() async throws {
        try await Stage.run(Stage.profile(["body", "actions"])) { stage, events in
            let receipt = try await stage.backend.deliver(Stage.delivery("Ask"))
            let reference = DeliveryReceipt.Reference(receipt)
            #expect(await events.next(isolation: #isolation) == .serverCame(server: receipt.server))
            stage.server.stall()
            stage.server.press(1, "default")
            // Nobody answers the question that it is followed by.
            #expect(
                await events.next(isolation: #isolation)
                    == .responded(reference, action: "default", text: nil, activationToken: nil)
            )
            #expect(await events.next(isolation: #isolation) == .closed(reference, .dismissed))
            stage.server.resume()
            let second = try await stage.backend.deliver(Stage.delivery("Second"))
            stage.server.stall()
            stage.server.press(2, "default")
            // The press is on the bus before the name is gone.
            _ = try await stage.server.bus?.owner(of: ScriptedServer.busName)
            await stage.server.stop()
            #expect(
                await events.next(isolation: #isolation)
                    == .responded(DeliveryReceipt.Reference(second), action: "default", text: nil, activationToken: nil)
            )
            #expect(await events.next(isolation: #isolation) == .closed(DeliveryReceipt.Reference(second), .dismissed))
            #expect(await events.next(isolation: #isolation) == .serverGone(server: receipt.server))
        }
    }
}
