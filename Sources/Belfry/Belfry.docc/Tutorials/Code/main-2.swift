import Belfry
import BelfryDesktop
import BelfrySQLite
import Foundation
import RemindersKit

let app = AppIdentity(id: "org.example.Reminders", name: "Reminders")
let center = NoticeCenter(app: app, backend: .auto(for: app), store: try await .sqlite(for: app))
try await center.run { center in
    let reminders = Reminders(center: center)
    if let title = CommandLine.arguments.dropFirst().first {
        try await reminders.add(title, date: .now.addingTimeInterval(10))
    }
    print("To come:", try await reminders.titles())
    for await response in await center.responses() {
        print(response.requestID, response.kind)
    }
}
