import Foundation

@testable import Belfry

/// Rules 29 and 30 of the article exact-rules as a plain loop over all regions, each with a state of its own.
struct RegionOracle {
    struct Event: Equatable, CustomStringConvertible {
        var id: String
        var crossing: CircularRegion.Crossing
        /// Microseconds since 1970.
        var at: Int64
        var description: String { "\(id) \(crossing) at \(at)" }
    }

    private struct Place {
        let id: String
        let trigger: LocationTrigger
        let order: Int
        /// Nil before the first fix that counts.
        var isInside: Bool?
        var since: Int64?
        var isOver = false

        var dwell: Int64 { Int64((trigger.dwell.seconds * 1e6).rounded()) }
        var end: Int64 { (since ?? 0) + dwell }
    }

    private var places: [Place] = []
    private var order = 0
    private let distance: (CircularRegion, LocationFix) -> Double
    var events: [Event] = []

    init(distance: @escaping (CircularRegion, LocationFix) -> Double) { self.distance = distance }

    mutating func add(_ id: String, _ trigger: LocationTrigger) {
        order += 1
        places.removeAll { $0.id == id }
        places.append(Place(id: id, trigger: trigger, order: order))
    }

    mutating func remove(_ id: String) { places.removeAll { $0.id == id } }

    /// Stays that are over by then, in the order of their ends.
    mutating func advance(to now: Int64) {
        let due = places.indices.filter { place in
            !places[place].isOver && places[place].since.map { $0 + places[place].dwell <= now } ?? false
        }
        for index in due.sorted(by: { (places[$0].end, places[$0].order) < (places[$1].end, places[$1].order) }) {
            endStay(index)
        }
    }

    private mutating func endStay(_ index: Int) {
        let end = places[index].end
        places[index].since = nil
        fire(index, places[index].isInside == true ? .entered : .left, end)
    }

    mutating func take(_ fix: LocationFix, at now: Int64) {
        let (accuracy, at) = (fix.accuracy ?? 0, min(now, Int64((fix.date.timeIntervalSince1970 * 1e6).rounded())))
        for index in places.indices.sorted(by: { places[$0].order < places[$1].order }) where !places[index].isOver {
            let region = places[index].trigger.region
            guard accuracy <= max(region.radius, 200) else { continue }
            let distance = distance(region, fix)
            guard let wasInside = places[index].isInside else {
                places[index].isInside = distance <= region.radius
                continue
            }
            if !wasInside, distance <= region.radius {
                cross(index, .entered, at)
            } else if wasInside, distance > region.radius + max(accuracy, 20) {
                cross(index, .left, at)
            }
        }
    }

    private mutating func cross(_ index: Int, _ crossing: CircularRegion.Crossing, _ at: Int64) {
        if places[index].since != nil, places[index].end <= at {
            endStay(index)
            if places[index].isOver { return }
        }
        places[index].isInside = crossing == .entered
        places[index].since = nil
        let edge = places[index].trigger.edge
        guard edge == .both || (edge == .entry) == (crossing == .entered) else { return }
        if places[index].dwell > 0 { places[index].since = at } else { fire(index, crossing, at) }
    }

    private mutating func fire(_ index: Int, _ crossing: CircularRegion.Crossing, _ at: Int64) {
        events.append(Event(id: places[index].id, crossing: crossing, at: at))
        if !places[index].trigger.repeats { places[index].isOver = true }
    }
}
