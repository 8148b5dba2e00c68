import Belfry
import BelfryConsole
import BelfrySQLite
import BelfryService
import Logging
import ServiceLifecycle
import UnixSignals

/// Code that the article "In a daemon" quotes: it compiles. `Tests/BelfryServiceTests` and `Examples/ReminderServer` run
/// its like.
struct DaemonCode {
    let server: any Service

    func main() async throws {
        let app = AppIdentity(id: "org.example.ReminderServer", name: "Reminders")
        let logger = Logger(label: "reminder-server")
        let center = NoticeCenter(app: app, backend: ConsoleBackend(), store: try await .sqlite(for: app))
        let group = ServiceGroup(
            services: [NoticeService(center, logger: logger), server],
            gracefulShutdownSignals: [.sigterm, .sigint],
            logger: logger
        )
        try await group.run()
    }

    func bounded(_ center: NoticeCenter, _ logger: Logger) -> ServiceGroup {
        var configuration = ServiceGroupConfiguration(
            services: [NoticeService(center, logger: logger), server],
            gracefulShutdownSignals: [.sigterm],
            logger: logger
        )
        configuration.maximumGracefulShutdownDuration = .seconds(5)
        return ServiceGroup(configuration: configuration)
    }
}
