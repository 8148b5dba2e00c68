import Belfry
import BelfryRecorder
import BelfryTesting
import Testing

@Suite("Alerts by place")
struct PlaceTests {
    @Test("The way into a region is two positions, and what is known of them can be told") func errands() async throws {
        let position = ManualLocationProvider()
        let center = NoticeCenter(
            app: AppIdentity(id: "org.example.Errands"),
            backend: RecorderBackend(),
            location: position
        )
        let shop = CircularRegion(latitude: 48.137, longitude: 11.575, radius: 150)
        try await center.run { center in
            try await center.add(
                NoticeRequest(
                    id: "milk",
                    title: "Buy milk",
                    trigger: LocationTrigger(region: shop, during: "Mon..Sat 08..19:*")
                )
            )
            position.report(latitude: 48.2, longitude: 11.6, accuracy: 20)
            position.report(latitude: 48.137, longitude: 11.576, accuracy: 20)
            await center.quiet()
        }
        #expect(try await center.locationReport().accepted == 2)
        try await tell(center)
    }

    /// Says what is known of the position.
    private func tell(_ center: NoticeCenter) async throws {
        let report = try await center.locationReport()
        print(report.fix as Any, report.ignored, report.demand as Any, report.error as Any)
    }
}
