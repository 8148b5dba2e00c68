import Belfry
import BelfryAgent
import BelfryConsole
import BelfryDesktop
import Foundation
import Terminal
import TicketReminderKit

let arguments = CommandLine.arguments
guard arguments.count == 3 else {
    writeError(
        """
        usage: ticket-reminder TITLE DATE       DATE is 2026-12-24T19:00:00+01:00, or 2026-12-24 for the whole day
        Shows the button beside a ticket; Return presses it.
        """
    )
    exit(64)
}
let app = AppIdentity(id: "org.example.TicketReminder", name: "Ticket Reminder")
// Over the agent where there is one, which reminds also when this program has ended; else in this process.
let hasAgent = await ![nil, .absent].contains(try? AgentDirectory().presence())
// The agent asks for permission by a popup, this process in its terminal.
let center =
    hasAgent
    ? NoticeCenter(app: app, agent: AgentOptions())
    : NoticeCenter(app: app, backend: .auto(for: app), prompt: ConsolePrompt())

do {
    let button = ReminderButton(for: try Ticket(title: arguments[1], date: arguments[2]), on: center)
    try await center.run { center in
        async let _: Void = writeErrors(of: await center.events())
        try await ReminderDialogue(button: button, outlivesProgram: hasAgent).run()
    }
} catch {
    writeError("ticket-reminder: \(error)")
    exit(1)
}
