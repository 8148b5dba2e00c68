import Belfry
import Foundation
import MessageAlertsKit
import Terminal

/// What ends the alerts of a message.
enum Ending: Sendable {
    case responded(MessageResponse)
    case appOpened
    case interrupted

    /// Waits for the user, here or on the desktop.
    static func first(of responses: NoticeCenter.Responses) async -> Ending? {
        await withTaskGroup(of: Ending?.self) { group in
            group.addTask {
                for await response in responses {
                    guard let message = MessageResponse(response) else { continue }
                    if message.ends { return .responded(message) }
                    writeLine("Snoozed: \(message)")
                }
                return nil
            }
            // The end of the input is no Return: a program without a terminal waits for the response alone.
            group.addTask { await terminalLines().first { _ in true }.map { _ in .appOpened } }
            group.addTask { await processSignals(SIGINT, SIGTERM).first { _ in true }.map { _ in .interrupted } }
            for await case let ending? in group {
                group.cancelAll()
                return ending
            }
            return nil
        }
    }
}
