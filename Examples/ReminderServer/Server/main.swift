import Belfry
import BelfryConsole
import BelfrySQLite
import BelfryService
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import ServiceLifecycle
import UnixSignals

// A server that keeps reminders, and shows each on its terminal when it is due.
//
//   reminder-server FOLDER [PORT]     the store is in FOLDER; PORT is 8080 by default

guard CommandLine.arguments.count > 1 else {
    print("usage: reminder-server FOLDER [PORT]")
    exit(64)
}
let port = CommandLine.arguments.dropFirst(2).first.flatMap(Int.init) ?? 8080
let logger = Logger(label: "reminder-server")
let store = try await SQLiteRequestStore.open(in: CommandLine.arguments[1])

let center = NoticeCenter(
    app: AppIdentity(id: "org.example.ReminderServer", name: "Reminders"),
    backend: ConsoleBackend(),
    store: .sqlite(store)
)
let server = Application(
    router: ReminderRoutes(center: center).router(),
    configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port)),
    logger: logger
)
// Graceful shutdown goes from the last to the first: no request comes in when the center ends.
let group = ServiceGroup(
    services: [NoticeService(center, logger: logger), server],
    gracefulShutdownSignals: [.sigterm, .sigint],
    logger: logger
)
try await group.run()
try await store.close()
