import Belfry
import BelfryTesting
import Testing

@Suite("A backend of one's own")
struct SignBackendTests {
    @Test("The sign obeys the rules of every backend") func conformance() async throws {
        let suite = DeliveryBackendConformance(
            pressAction: { backend, receipt, action in (backend as? SignBackend)?.press(action, on: receipt) }
        ) {
            SignBackend()
        }
        let report = await suite.runAll()
        print(report)
        try report.verify()
    }
}
