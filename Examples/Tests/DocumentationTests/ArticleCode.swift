import Belfry
import BelfryAgent
import BelfryConsole
import BelfryDBus
import BelfryDesktop
import BelfryPluginHost
import BelfryPortal
import BelfrySQLite
import BelfrySchedules
import BelfryTerminal
import Foundation

/// Code that the articles quote: it compiles, and what of it can run without a desktop is run by ``ArticleCodeTests``.
struct ArticleCode {
    let app = AppIdentity(id: "org.example.Tea", name: "Tea")

    func agent() {
        let center = NoticeCenter(app: AppIdentity(id: "org.example.Tea", name: "Tea"), agent: AgentOptions())
        print(center)
    }

    func automatic() {
        let center = NoticeCenter(app: app, backend: .auto(for: app))
        print(center)
    }

    func oneLine() async throws {
        try await Notice.show("Backup done", "42 GB in 3 minutes", app: app)
    }

    func front() async throws -> NoticeResponse? {
        let center = NoticeCenter(app: app, backend: .auto(for: app))
        let response = try await center.run { center in
            try await center.add(NoticeRequest(id: "tea", title: "Tea is ready", trigger: .after(.seconds(240))))
            return await center.responses().first { _ in true }
        }
        return response
    }

    func chain() throws -> BackendChain {
        let chain = BackendChain([DBusBackend(), try PluginBackend(loading: "matrix", for: app), ConsoleBackend()])
        return chain
    }

    func terminal() -> BackendChain {
        let terminal = BackendChain([TerminalBackend(), ConsoleBackend()])
        return terminal
    }

    func portal() -> any DeliveryBackend {
        let portal = PortalBackend(activating: ActivatableApp(app))
        return portal
    }

    func preview(of request: NoticeRequest) async throws {
        let center = NoticeCenter(app: app, backend: DBusBackend())
        try await center.run { center in
            let preview = try await center.previewDelivery(of: request)  // nothing is shown
            print(preview.server, preview.lost)  // gnome-shell 43.9 [reply: 'say' is a button: …]
            let shown = try await center.show(request)
            print(shown.receipt.lost)  // the same
        }
    }

    func synchronize(_ center: NoticeCenter) async throws {
        let schedule = try NoticeSchedule(contentsOf: "schedule.json")
        let report = try await center.synchronize(with: schedule, owner: "schedule.json")
        print("new:", report.added, "gone:", report.removed)
    }

    func store(_ backend: any DeliveryBackend) async throws -> NoticeCenter {
        let app = AppIdentity(id: "org.example.Tea")
        let center = NoticeCenter(app: app, backend: backend, store: try await .sqlite(for: app))
        return center
    }

    func openedStore(_ backend: any DeliveryBackend) async throws -> NoticeCenter {
        let store = try await SQLiteRequestStore.open(for: app)
        print(store.openingReport.messages)
        let center = NoticeCenter(app: app, backend: backend, store: .sqlite(store))
        return center
    }

    func history(_ center: NoticeCenter, since yesterday: Date) async throws {
        let missed = try await center.history(HistoryQuery(outcomes: [.missed, .failed], from: yesterday))
        for entry in missed { print(entry.requestID, entry.detail ?? "") }
    }

    func lookAhead(_ trigger: CalendarTrigger, _ center: NoticeCenter) async throws {
        let next = trigger.nextTriggerDate()  // the first firing from now
        let five = trigger.previewOccurrences(5)  // the first five
        let pending = try await center.nextFireDate(of: "stand-up")  // of a pending request
        print(next as Any, five, pending as Any)
    }
}
