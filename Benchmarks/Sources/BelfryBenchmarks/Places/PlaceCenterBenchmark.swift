import BelfryRecurrence
import CPlaceTrees
import Foundation

@testable import Belfry
@testable import BelfrySQLite
@testable import BelfryTesting

/// A million pending places in a store on disk, under a whole center: opening, and positions that come in.
enum PlaceCenterBenchmark {
    private static let count = Effort.count(1_000_000)
    private static let quietCount = Effort.count(20_000)
    private static let crossingCount = Effort.isTiny ? 20 : 500
    private static let app = AppIdentity(id: "org.example.Measure")

    static func run(_ report: inout BenchmarkReport) throws {
        let sample = PlaceSample(Effort.isTiny ? .city : .europe, count: count)
        let folders = try StoreFolders()
        defer { folders.remove() }
        let folder = folders.path + "/store"
        let figures = try waited {
            try await fill(folder, sample)
            return try await measure(folder, sample)
        }
        report.add(.reported("open a store of 1,000,000 places", figures.opening, "s"))
        report.add(.reported("fixes through a center that cross no border", figures.quiet, "1/s"))
        report.add(
            .reported("fixes through a center, each with a crossing that is stored and shown", figures.crossing, "1/s")
        )
        report.note(
            "The places are those over Europe, each request fires on both crossings and repeats. Opening is from the call to the answer of the "
                + "first question, in processor time of all threads, the best of 3. A fix is reported when all that came of the one before "
                + "is done: a crossing is a commit with the new state and the delivery, durable before the delivery, and another with its receipt."
        )
    }

    private static func fill(_ folder: String, _ sample: PlaceSample) async throws {
        let store = try await SQLiteRequestStore.open(in: folder)
        let (clock, entries) = (SystemTriggerClock(), sample.entries)
        let now = clock.now()
        for start in stride(from: 0, to: count, by: 10_000) {
            try await store.commit(
                entries[start..<min(start + 10_000, count)].map { entry in
                    let number = Int(entry.slot)
                    let request = NoticeRequest(
                        id: SampleRequests.identifier(number),
                        content: SampleRequests.content(number),
                        trigger: LocationTrigger(region: entry.region, edge: .both, repeats: true)
                    )
                    return .putRequest(request, revision: Int64(number + 1), TriggerProgress(anchor: now.wall))
                }
            )
        }
        let mapping = ClockMapping(bootID: clock.bootID, instant: now, zone: clock.systemZone().identifier)
        try await store.commit([.putClockMapping(mapping)])
        try await store.close()
    }

    private struct Figures: Sendable {
        var opening = Double.infinity
        var quiet = 0.0
        var crossing = 0.0
    }

    private static func measure(_ folder: String, _ sample: PlaceSample) async throws -> Figures {
        var figures = Figures()
        for round in 0..<3 {
            let begun = Stopwatch.processSeconds()
            let store = try await SQLiteRequestStore.open(in: folder)
            let position = ManualLocationProvider()
            let center = NoticeCenter(app: app, backend: TakingBackend(), store: .sqlite(store), location: position)
            let regions = try await center.locationReport().regions
            figures.opening = min(figures.opening, Stopwatch.processSeconds() - begun)
            guard regions == count else { throw BenchmarkFault(description: "\(regions) of \(count) places are there") }
            if round == 2 { try await travel(center, position, sample, &figures) }
            try await store.close()
        }
        return figures
    }

    /// From one place to another, as fast as it goes.
    private static func travel(
        _ center: NoticeCenter,
        _ position: ManualLocationProvider,
        _ sample: PlaceSample,
        _ figures: inout Figures
    ) async throws {
        let index = sample.index
        var (outside, inside) = ([LocationFix](), [LocationFix]())
        for fix in sample.fixes where outside.count < quietCount || inside.count < crossingCount {
            let hits = index.sites(around: EarthPoint(fix)).count
            let fix = LocationFix(latitude: fix.latitude, longitude: fix.longitude, accuracy: 10, date: .now)
            if hits == 0 { outside.append(fix) } else if hits == 1 { inside.append(fix) }
        }
        guard let start = outside.first, outside.count >= quietCount, inside.count >= crossingCount else {
            throw BenchmarkFault(description: "\(outside.count) fixes are outside and \(inside.count) inside")
        }
        // In and out again: two crossings of one request.
        let crossing = inside.prefix(crossingCount).flatMap { [$0, start] }
        let (quiet, both) = (Array(outside.prefix(quietCount)), [start] + crossing)
        figures = try await center.run { [figures] center in
            var figures = figures
            await go([start], center, position)
            var begun = ContinuousClock.now
            await go(quiet, center, position)
            figures.quiet = Double(quiet.count) / (ContinuousClock.now - begun).seconds
            begun = ContinuousClock.now
            await go(both, center, position)
            figures.crossing = Double(crossing.count) / (ContinuousClock.now - begun).seconds
            return figures
        }
        let shown = try await center.history(HistoryQuery(limit: crossing.count + 1, outcomes: [.delivered])).count
        guard shown == crossing.count else {
            throw BenchmarkFault(description: "\(shown) of \(crossing.count) crossings were shown")
        }
    }

    private static func go(_ fixes: [LocationFix], _ center: NoticeCenter, _ position: ManualLocationProvider) async {
        for fix in fixes {
            position.report(latitude: fix.latitude, longitude: fix.longitude, accuracy: fix.accuracy)
            await center.quiet()
        }
    }
}

/// A backend that shows whatever it is given, at once.
private struct TakingBackend: DeliveryBackend {
    let name = "taking"

    func capabilities() async throws(NoticeError) -> DeliveryCapabilities {
        DeliveryCapabilities(server: "taking", features: Set(DeliveryCapabilities.Feature.allCases))
    }

    func deliver(_ delivery: Delivery) async throws(NoticeError) -> DeliveryReceipt {
        DeliveryReceipt(backend: name, handle: delivery.id, server: "taking")
    }

    func withdraw(_ receipt: DeliveryReceipt) async throws(NoticeError) {}
    func run(reporting report: @escaping @Sendable (BackendEvent) -> Void) async throws(NoticeError) {}
}
