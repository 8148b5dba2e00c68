import Belfry
import Foundation
import Terminal
import TicketReminderKit

/// The button in a terminal: what it says, a press, and what that did.
struct ReminderDialogue: Sendable {
    let button: ReminderButton
    /// The agent keeps the reminder; else it ends with this program.
    let outlivesProgram: Bool

    func run() async throws {
        while true {
            let state = try await button.state()
            if case .offersRemoval(let date) = state { writeLine("A reminder is set for \(written(date)).") }
            print("[\(state.title)]  Return presses it, q and Return leaves. ", terminator: "")
            // The question has no line ending that would send it out.
            fflush(nil)
            guard let line = readLine(), line != "q" else { break }
            switch try await button.press() {
            case .set(let date): writeLine("You will be reminded at \(written(date)).")
            case .removed: writeLine("The reminder is removed.")
            case .notAllowed(let advice): return writeLine(advice)
            }
            if outlivesProgram { return }
        }
        guard !outlivesProgram, case .offersRemoval(let date) = try await button.state() else { return }
        writeLine("Without the agent this program has to run until \(written(date)); ^C ends it.")
        let signals = processSignals(SIGINT, SIGTERM)
        for await _ in signals { return }
    }

    private func written(_ date: Date) -> String {
        date.formatted(Date.ISO8601FormatStyle(dateTimeSeparator: .space, timeZone: .current))
    }
}
