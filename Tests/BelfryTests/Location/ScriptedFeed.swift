import Belfry
import Foundation
import Synchronization

/// A source of places along the equator that answers as it is told, and knows what it was asked.
final class ScriptedFeed: Sendable {
    private struct State {
        var places: [NoticeRequest] = []
        var positions: [LocationFix] = []
        var error: NoticeError?
        var gate: Gate?
        var asked: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    init(_ places: [NoticeRequest] = []) { state.withLock { $0.places = places } }

    var places: [NoticeRequest] {
        get { state.withLock { $0.places } }
        set { state.withLock { $0.places = newValue } }
    }

    /// Meters east at which it was asked.
    var questions: [Double] { state.withLock { $0.positions.map { ($0.longitude * RegionWorld.meters).rounded() } } }

    func fail(_ error: NoticeError?) { state.withLock { $0.error = error } }

    /// Questions from now on wait until it is open.
    func hold(_ gate: Gate?) { state.withLock { $0.gate = gate } }

    /// Returns when one more question has come.
    func waitUntilAsked(since count: Int) async {
        await withCheckedContinuation { continuation in
            let isMet = state.withLock { state in
                if state.positions.count <= count { state.asked.append(continuation) }
                return state.positions.count > count
            }
            if isMet { continuation.resume() }
        }
    }

    func feed(
        _ name: String = "stories",
        nearest count: Int = 3,
        stride: Double = 500,
        largestRadius: Double? = nil,
        timeout: Duration = .seconds(30)
    ) -> RegionFeed {
        RegionFeed(name, nearest: count, stride: stride, largestRadius: largestRadius, timeout: timeout) {
            try await self.answer($0, $1)
        }
    }

    private func answer(_ fix: LocationFix, _ count: Int) async throws -> [NoticeRequest] {
        let (gate, all) = state.withLock { state in
            state.positions.append(fix)
            defer { state.asked = [] }
            return (state.gate, state.asked)
        }
        for waiter in all { waiter.resume() }
        await gate?.wait()
        let (places, error) = state.withLock { ($0.places, $0.error) }
        if let error { throw error }
        func distance(_ request: NoticeRequest) -> Double {
            (request.trigger as? LocationTrigger).map { abs($0.region.longitude - fix.longitude) } ?? 0
        }
        return Array(places.sorted { (distance($0), $0.id) < (distance($1), $1.id) }.prefix(count))
    }
}

extension NoticeRequest {
    /// A place so many meters east.
    static func place(
        _ id: String,
        at meters: Double,
        radius: Double = 100,
        edge: CircularRegion.Edge = .entry,
        dwell: Duration = .zero,
        repeats: Bool = false,
        title: String? = nil
    ) -> NoticeRequest {
        let region = RegionWorld.region(at: meters, radius: radius)
        let trigger = LocationTrigger(region: region, edge: edge, dwell: dwell, repeats: repeats)
        return NoticeRequest(id: id, title: title ?? "Story \(id)", trigger: trigger)
    }
}
