import Belfry
import BelfryAgent
import BelfryDesktop
import BelfrySQLite
import UserNotifications

/// The one place of a ported program that knows Belfry.
struct PortedProgram {
    let app: AppIdentity
    let delegate: any UNUserNotificationCenterDelegate

    func main() async throws {
        let center = try await NoticeCenter.overAgent(app: app) {
            NoticeCenter(app: app, backend: .auto(for: app), store: try await .sqlite(for: app))
        }
        UNUserNotificationCenter.current().delegate = delegate
        await UNUserNotificationCenter.use(center)
        try await center.run()
    }
}

struct MovedRequests {
    // An agent was installed after the app had begun with a store of its own.
    func move(from own: NoticeCenter, to center: NoticeCenter) async throws(NoticeError) {
        let requests = try await own.pending().map(\.request)
        try await center.add(requests)
        try await own.remove(requests.map(\.id))
    }
}
