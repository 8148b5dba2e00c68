import Belfry
import BelfryTestSupport
import Foundation
import Synchronization
import Testing

@Suite("A chain of location providers", .takesTurns, .timeLimit(.minutes(5)))
struct LocationProviderChainTests {
    /// Reports each demand that it hears as a fix of that accuracy, so many times, then ends with an error or goes on.
    private struct Source: LocationProvider {
        let name: String
        var error: NoticeError?
        var after = 0

        func run(
            demands: LocationDemand.Updates,
            reporting report: @escaping @Sendable (LocationFix) -> Void
        ) async throws(NoticeError) {
            if after == 0, let error { throw error }
            var count = 0
            for await demand in demands {
                report(LocationFix(latitude: 0, longitude: 0, accuracy: demand.accuracy, date: Date()))
                count += 1
                if count == after, let error { throw error }
            }
        }
    }

    private static let absent = NoticeError(.locationUnavailable, "It is not there.")
    private static let demand = LocationDemand(accuracy: 100, distance: 10)

    @Test("The first that has positions is taken, and hears the newest demand, whatever was heard before")
    func order() async throws {
        let chain: [any LocationProvider] = [
            Source(name: "absent", error: Self.absent), Source(name: "lost", error: Self.absent, after: 2),
            Source(name: "good", error: NoticeError(.locationDenied, "Enough."), after: 2), Source(name: "unused"),
        ]
        let seen = Mutex<[Double]>([])
        let demands = LocationDemand.Source(Self.demand)
        let error = await #expect(throws: NoticeError.self) {
            try await LocationProviderChain(chain).run(demands: demands.demands) { fix in
                let count = seen.withLock { seen in
                    seen.append(fix.accuracy ?? -1)
                    return seen.count
                }
                if count == 1 { demands.send(LocationDemand(accuracy: 50, distance: 5)) }
                if count == 3 { demands.send(LocationDemand(accuracy: 20, distance: 2)) }
            }
        }
        #expect(error?.code == .locationDenied)
        #expect(seen.withLock { $0 } == [100, 50, 50, 20])
    }

    @Test("Where none has positions, the error names each with its reason; a refusal ends the chain")
    func failure() async throws {
        let chain = LocationProviderChain([
            Source(name: "one", error: Self.absent),
            Source(name: "two", error: NoticeError(.locationUnavailable, "No.")),
        ])
        #expect(chain.name == "one, two")
        let error = await #expect(throws: NoticeError.self) {
            try await chain.run(demands: LocationDemand.Updates(Self.demand)) { _ in }
        }
        #expect(error?.code == .locationUnavailable)
        #expect(error?.message == "one: It is not there. two: No.")
        let refused = await #expect(throws: NoticeError.self) {
            try await LocationProviderChain([
                Source(name: "one", error: NoticeError(.locationDenied, "No.")), Source(name: "two"),
            ]).run(demands: LocationDemand.Updates(Self.demand)) { _ in Issue.record("got round the refusal") }
        }
        #expect(refused?.code == .locationDenied)
        let none = await #expect(throws: NoticeError.self) {
            try await LocationProviderChain([]).run(demands: LocationDemand.Updates(Self.demand)) { _ in }
        }
        #expect(none?.code == .locationUnavailable)
    }

    @Test("Canceled, it ends with the provider that it runs") func cancelled() async throws {
        let demands = LocationDemand.Source(Self.demand)
        let (fixes, continuation) = AsyncStream.makeStream(of: LocationFix.self)
        let running = Task {
            try await LocationProviderChain([Source(name: "good")]).run(demands: demands.demands) { fix in
                continuation.yield(fix)
            }
        }
        for await _ in fixes { break }
        running.cancel()
        try? await running.value
    }
}
