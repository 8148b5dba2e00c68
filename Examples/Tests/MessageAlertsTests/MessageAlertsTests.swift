import Belfry
import BelfryRecorder
import BelfryTesting
import Foundation
import MessageAlertsKit
import Testing

@Suite("Alerts of a message")
struct MessageAlertsTests {
    static let shapes = AlertPlan.Shape.allCases

    @Test("Ten alerts five minutes apart, the first at once, and no eleventh", arguments: shapes)
    func tenAlerts(shape: AlertPlan.Shape) async throws {
        try await AlertWorld.run(shape) { world in
            let message = try await world.receive("1")
            try await world.clock.advance(by: .seconds(9 * 300) - .microseconds(1))
            #expect(world.recorder.deliveries.count == 9)
            try await world.clock.advance(by: .microseconds(1))
            let dues = world.recorder.deliveries.map { $0.dueDate.timeIntervalSince(message.arrived) }
            #expect(dues == (0..<10).map { Double($0) * 300 })
            #expect(world.recorder.deliveries.allSatisfy { $0.content.title == "Ada" && $0.late == .zero })
            #expect(try await world.center.pending() == [])
            try await world.clock.advance(by: .seconds(86_400))
            #expect(world.recorder.deliveries.count == 10)
        }
    }

    @Test("Ten stand on the screen as a series, one where a request repeats")
    func onTheScreen() async throws {
        for (shape, count) in [(AlertPlan.Shape.series, 10), (.repeating, 1)] {
            try await AlertWorld.run(shape) { world in
                try await world.receive("1")
                try await world.clock.advance(by: .seconds(3_600))
                #expect(world.recorder.shown.count == count, "\(shape)")
                #expect(Set(world.recorder.shown.map(\.delivery.content.thread)) == ["messages/Ada"])
            }
        }
    }

    @Test("A response after the third alert removes the rest and takes down those shown", arguments: shapes)
    func respond(shape: AlertPlan.Shape) async throws {
        try await AlertWorld.run(shape) { world in
            try await world.receive("1")
            try await world.clock.advance(by: .seconds(2 * 300))
            #expect(world.recorder.deliveries.count == 3)

            let responses = await world.center.responses()
            try world.respondToLatest(.action("read"))
            try await world.clock.settle()
            #expect(world.recorder.shown == [])
            #expect(try await world.center.delivered() == [])
            #expect(try await world.center.pending() == [])
            #expect(await responses.first { _ in true }.flatMap(MessageResponse.init) == .markAsRead(messageID: "1"))

            try await world.clock.advance(by: .seconds(86_400))
            #expect(world.recorder.deliveries.count == 3)
        }
    }

    @Test("The user may respond to any alert of a series, not the latest alone") func respondToTheFirst() async throws {
        try await AlertWorld.run(.series) { world in
            try await world.receive("1")
            try await world.clock.advance(by: .seconds(2 * 300))
            let first = try #require(world.recorder.shown.first)
            try world.recorder.simulate(.open, on: first.id)
            try await world.clock.advance(by: .seconds(86_400))
            #expect(world.recorder.shown == [])
            #expect(world.recorder.withdrawn.count == 2)
            #expect(world.recorder.deliveries.count == 3)
        }
    }

    @Test("A typed reply comes back with the message it belongs to", arguments: shapes)
    func reply(shape: AlertPlan.Shape) async throws {
        try await AlertWorld.run(shape) { world in
            try await world.receive("7")
            let responses = await world.center.responses()
            try world.respondToLatest(.reply("On my way"))
            let response = try #require(await responses.first { _ in true })
            #expect(MessageResponse(response) == .reply(messageID: "7", text: "On my way"))
        }
    }

    @Test("Where a server has no field to type into, Reply is a button that opens the message", arguments: shapes)
    func replyWithoutField(shape: AlertPlan.Shape) async throws {
        try await AlertWorld.run(shape) { world in
            world.recorder.offered.features.remove(.reply)
            try await world.receive("7")
            #expect(world.recorder.shown.first?.receipt.lost.map(\.feature) == [.reply])
            let responses = await world.center.responses()
            try world.respondToLatest(.action("reply"))
            let response = try #require(await responses.first { _ in true })
            #expect(MessageResponse(response) == .open(messageID: "7"))
        }
    }

    @Test("Snoozed, a message is quiet for an hour, and alerts again then until the user responds", arguments: shapes)
    func snooze(shape: AlertPlan.Shape) async throws {
        try await AlertWorld.run(shape) { world in
            let message = try await world.receive("1")
            try await world.clock.advance(by: .seconds(300))
            let responses = await world.center.responses()
            try world.respondToLatest(.action(SnoozeChoice.after(.seconds(3_600)).actionID))
            try await world.clock.settle()
            let until = message.arrived.addingTimeInterval(3_900)
            let response = await responses.first { _ in true }.flatMap(MessageResponse.init)
            #expect(response == .snoozed(messageID: "1", until: until) && response?.ends == false)
            #expect(world.recorder.shown == [])
            try await world.clock.advance(to: until)
            #expect(world.recorder.deliveries.map { $0.dueDate.timeIntervalSince(message.arrived) } == [0, 300, 3_900])
            try world.respondToLatest(.action("read"))
            try await world.clock.advance(by: .seconds(86_400))
            #expect(world.recorder.deliveries.count == 3)
            #expect(try await world.center.pending() == [])
        }
    }

    @Test("In quiet hours a message waits, unless it is urgent", arguments: shapes)
    func quietHours(shape: AlertPlan.Shape) async throws {
        for isUrgent in [false, true] {
            let plan = AlertPlan(
                shape: shape,
                isUrgent: isUrgent,
                quietHours: QuietHours([QuietHours.Period(from: "0:00", to: "0:00")])
            )
            try await AlertWorld.run(plan) { world in
                try await world.alerts.prepare()
                try await world.receive("1")
                #expect(world.recorder.deliveries.count == (isUrgent ? 1 : 0))
                try await world.center.setQuietHours(nil)
                try await world.clock.settle()
                #expect(world.recorder.deliveries.count == 1)
            }
        }
    }

    @Test("Closing an alert by hand is no response: the next one comes", arguments: shapes)
    func dismissal(shape: AlertPlan.Shape) async throws {
        try await AlertWorld.run(shape) { world in
            try await world.receive("1")
            try world.respondToLatest(.dismiss)
            try await world.clock.advance(by: .seconds(300))
            #expect(world.recorder.deliveries.count == 2)
            #expect(world.recorder.shown.count == 1)
        }
    }

    @Test("Opening the app ends all alerts", arguments: shapes) func opening(shape: AlertPlan.Shape) async throws {
        try await AlertWorld.run(shape) { world in
            try await world.receive("1")
            try await world.clock.advance(by: .seconds(60))
            try await world.receive("2")
            try await world.clock.advance(by: .seconds(300))
            #expect(world.recorder.deliveries.count == 4)
            try await world.alerts.appWasOpened()
            try await world.clock.settle()
            #expect(world.recorder.shown == [])
            #expect(try await world.center.pending() == [])
            try await world.clock.advance(by: .seconds(86_400))
            #expect(world.recorder.deliveries.count == 4)
        }
    }

    @Test("Opening the app takes down the last alert", arguments: shapes) func openingLate(shape: AlertPlan.Shape)
        async throws
    {
        try await AlertWorld.run(shape) { world in
            try await world.receive("1")
            try await world.clock.advance(by: .seconds(86_400))
            #expect(!world.recorder.shown.isEmpty)
            #expect(try await world.center.pending() == [])
            try await world.alerts.appWasOpened()
            try await world.clock.settle()
            #expect(world.recorder.shown == [])
        }
    }

    @Test("A second message alerts beside the first, and goes on when the user responds to that", arguments: shapes)
    func secondMessage(shape: AlertPlan.Shape) async throws {
        try await AlertWorld.run(shape) { world in
            try await world.receive("1", from: "Ada")
            try await world.clock.advance(by: .seconds(2 * 300 + 120))
            try await world.receive("2", from: "Grace")
            #expect(world.senders() == ["Ada", "Ada", "Ada", "Grace"])

            try world.respondToLatest(.open, to: "Ada")
            try await world.clock.advance(by: .seconds(86_400))
            #expect(world.senders() == ["Ada", "Ada", "Ada"] + Array(repeating: "Grace", count: 10))
            #expect(Set(world.recorder.shown.map(\.delivery.content.title)) == ["Grace"])
        }
    }

    @Test("A message seen elsewhere ends its alerts and no other's", arguments: shapes)
    func seenElsewhere(shape: AlertPlan.Shape) async throws {
        try await AlertWorld.run(shape) { world in
            try await world.receive("1", from: "Ada")
            try await world.receive("2", from: "Grace")
            try await world.alerts.wasSeen(messageID: "1")
            try await world.clock.settle()
            #expect(world.recorder.shown.map(\.delivery.content.title) == ["Grace"])
            try await world.clock.advance(by: .seconds(300))
            #expect(world.senders() == ["Ada", "Grace", "Grace"])
        }
    }

    @Test("A message that comes while nothing can be shown is shown as soon as it can, once", arguments: shapes)
    func noServer(shape: AlertPlan.Shape) async throws {
        try await AlertWorld.run(shape) { world in
            world.recorder.removeServer()
            try await world.receive("1")
            try await world.clock.advance(by: .seconds(120))
            #expect(world.recorder.shown == [])
            world.recorder.restoreServer()
            try await world.clock.settle()
            #expect(world.recorder.deliveries.map(\.late) == [.seconds(120)])
            try await world.clock.advance(by: .seconds(180))
            #expect(world.recorder.deliveries.map(\.late) == [.seconds(120), .zero])
        }
    }

    @Test("One request can't repeat faster than every minute; a series can") func fast() async throws {
        let plan = AlertPlan(shape: .repeating, spacing: .seconds(59))
        try await AlertWorld.run(plan) { world in
            let error = await #expect(throws: NoticeError.self) { try await world.receive("1") }
            #expect(error?.code == .intervalTooShort)
        }
        try await AlertWorld.run(AlertPlan(shape: .series, spacing: .seconds(1), count: 3)) { world in
            try await world.receive("1")
            try await world.clock.advance(by: .seconds(60))
            #expect(world.recorder.deliveries.count == 3)
        }
    }
}
