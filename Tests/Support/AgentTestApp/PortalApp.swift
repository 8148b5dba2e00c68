import Belfry
import BelfryPortal
import BelfrySQLite

/// The app `org.example.Tea` on the portal, without the agent: the bus starts it for the response to a notice of an
/// earlier run.
struct PortalApp {
    let store: String

    func answer() async throws {
        let app = TeaApp.identity
        let store = try await SQLiteRequestStore.open(in: store, options: SQLiteStoreOptions(lockWait: .seconds(20)))
        let backend = PortalBackend(activating: ActivatableApp(app))
        let taker = ResponseTaker()
        try await NoticeCenter(app: app, backend: backend, store: .sqlite(store)).run { center in
            await center.setDelegate(taker)
            let response = await taker.next()
            let body = "\(response.requestID): \(response.actionID ?? "?"), \(response.activationToken ?? "no token")"
            _ = try await center.show(NoticeRequest(id: "thanks", title: "Thanks", body: body))
        }
    }
}
