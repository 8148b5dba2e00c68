import Belfry
import BelfryLibnotify
import Foundation
import MessageAlertsKit
import Terminal

guard let invocation = Invocation(Array(CommandLine.arguments.dropFirst())) else {
    writeError(Invocation.usage)
    exit(64)
}
let app = AppIdentity(id: "org.example.MessageAlerts", name: "Message Alerts")
let center = NoticeCenter(app: app, backend: .libnotify(for: app))
let alerts = MessageAlerts(center: center, plan: invocation.plan)
let message = Message(id: UUID().uuidString, sender: invocation.sender, text: invocation.text, arrived: .now)

do {
    try await center.run { center in
        let (events, responses) = (await center.events(), await center.responses())
        async let _: Void = writeErrors(of: events)
        try await alerts.prepare()
        try await alerts.received(message)
        writeLine("Alerting. Respond to the notice, or press Return here, which stands for opening the app.")
        switch await Ending.first(of: responses) {
        case .responded(let response): writeLine("Response: \(response)")
        case .appOpened: writeLine("The app was opened.")
        case .interrupted, nil: writeLine("Interrupted.")
        }
        // A response has ended them already; a program that ends must not leave alerts behind that nobody hears.
        try await alerts.appWasOpened()
    }
} catch {
    writeError("message-alerts: \(error)")
    exit(1)
}
