import Belfry
import BelfryDBus
import Foundation
import MessageAlertsKit
import Testing

private let environment = ProcessInfo.processInfo.environment

@Suite(
    "Message alerts on a real notification server",
    .serialized,
    .timeLimit(.minutes(5)),
    .enabled(
        if: environment["BELFRY_TEST_DESKTOP"] == "1" && environment["DISPLAY"] != nil,
        "no private desktop with a screen: run the tests with make test, or .ci/desktop swift test"
    )
)
struct SharedDesktopTests {
    /// Runs one of the desktop's tools; off Swift's pool, for they wait for the desktop.
    @discardableResult
    private func tool(_ name: String, _ arguments: String...) async throws -> Int32 {
        let path = "\(environment["BELFRY_TEST_DESKTOP_DIR"] ?? "")/\(name)"
        return try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result {
                        let process = try Process.run(URL(fileURLWithPath: path), arguments: arguments)
                        process.waitUntilExit()
                        return process.terminationStatus
                    }
                )
            }
        }
    }

    @Test(
        "The snooze button is pressed, the message comes again, and is marked as read",
        arguments: AlertPlan.Shape.allCases
    )
    func snooze(shape: AlertPlan.Shape) async throws {
        // Fails where one runs already.
        try await tool("server-start")
        let sender = "Ada, \(shape)"
        let later = SnoozeChoice.after(.seconds(2))
        let app = AppIdentity(id: "org.example.MessageAlerts", name: "Message Alerts")
        let center = NoticeCenter(app: app, backend: DBusBackend())
        let alerts = MessageAlerts(center: center, plan: AlertPlan(shape: shape, snooze: later))
        try await center.run { center in
            let (events, responses) = (await center.events(), await center.responses())
            var iterator = responses.makeAsyncIterator()
            try await alerts.prepare()
            try await alerts.received(Message(id: "1", sender: sender, text: "Are you coming?", arrived: .now))
            let snoozed = try await tool("pick", "--wait", "60", "--title", sender, later.actionID)
            #expect(snoozed == 0)
            let first = try #require(await iterator.next())
            guard case .snoozed("1", _) = MessageResponse(first) else { throw first.unexpected }
            for await case .delivered(let notice) in events where notice.snoozeCount == 1 { break }
            let read = try await tool("pick", "--wait", "60", "--title", sender, "read")
            #expect(read == 0)
            let second = try #require(await iterator.next())
            #expect(MessageResponse(second) == .markAsRead(messageID: "1"))
            await center.quiet()
            #expect(try await center.pending() == [])
            #expect(try await center.delivered() == [])
        }
    }
}

extension NoticeResponse {
    fileprivate var unexpected: NoticeError { NoticeError(.notFound, "\(self) is no snooze.") }
}
