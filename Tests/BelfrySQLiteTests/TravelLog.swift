import Belfry
import Foundation

@testable import BelfrySQLite

/// Of an app whose requests wait for places.
///
/// What must be in the store is worked out from what the app has said, place by place. Whatever was under way when it
/// was killed has happened as a whole or not at all, and of several fixes some of the first: any of these the store may
/// tell, and one of them it must.
struct TravelLog: CrashLog {
    static let command = "travel"

    private struct Place {
        let kind: String
        let spot: String
        /// Nil before the first fix after it was added.
        var isInside: Bool?
        /// The crossings that it is to tell of, as words of ``CircularRegion/Crossing``.
        var crossings: [String] = []
        var isOver = false

        mutating func take(_ spot: String) {
            guard !isOver, !spot.hasSuffix("~") else { return }
            let before = isInside
            isInside = spot == self.spot
            guard let before, let isInside, before != isInside else { return }
            switch (kind, isInside) {
            case ("both", _), ("in", true), ("out", false), ("stay", true):
                crossings.append(isInside ? "entered" : "left")
            default: return
            }
            isOver = kind == "in" || kind == "out"
        }
    }

    private typealias World = [String: Place]

    /// What the store may hold: the last one, if nothing was under way.
    private var worlds: [World] = [[:]]
    private var shown = ShownLog()
    private var removed: Set<String> = []
    private var life = 0
    /// Deliveries that were shown and whose store doesn't know that: a kill came between. With the last life after
    /// which that was so, which may be a later one than showed them: it was killed before it came to them.
    private var cutOff: [String: Int] = [:]

    var kills = 0
    private var addedCount = 0
    private var fixCount = 0
    /// How often a life was killed with something under way, and how often some of that was in the store.
    private var cutCount = 0
    private var storedCount = 0

    var text: String {
        "\(kills) kills, \(addedCount) acknowledged places, \(fixCount) fixes, \(shown.shown) crossings shown, "
            + "\(shown.repeated) of them again after the kill that found them in flight; \(cutCount) times something "
            + "was under way, \(storedCount) times stored"
    }

    var hasSeenAll: Bool { addedCount > 0 && fixCount > 0 && shown.shown > 0 }

    mutating func begin() {
        (worlds, removed, life, cutOff) = ([[:]], [], 0, [:])
        shown.begin()
    }

    mutating func takeIn(_ lines: [String]) -> [String] {
        var wrong: [String] = []
        life += 1
        for line in lines {
            let words = line.split(separator: " ").map(String.init)
            var next = worlds[worlds.count - 1]
            switch words.first {
            case "adding":
                next[words[1]] = Place(kind: words[2], spot: words[3])
                worlds.append(next)
            case "removing":
                next[words[1]] = nil
                worlds.append(next)
            case "going":
                for spot in words.dropFirst() {
                    for id in next.keys { next[id]?.take(spot) }
                    worlds.append(next)
                }
                fixCount += words.count - 1
            case "added", "removed", "been":
                worlds = [next]
                if words[0] == "added" { addedCount += 1 }
                if words[0] == "removed" { removed.insert(words[1]) }
            case "shown":
                if removed.contains(words[2]) { wrong.append("'\(words[2])' was shown after its removal") }
                wrong += shown.takeIn(words, life: life)
            case "begun", "idle": break
            default: wrong.append(line)
            }
        }
        return wrong + shown.tooOften
    }

    mutating func compare(_ found: FoundStore) -> [String] {
        // The last one first: of several that look alike from outside, such as after a rough fix.
        let all = worlds.reversed().map { (world: $0, wrong: differences(from: $0, found)) }
        if worlds.count > 1 { cutCount += 1 }
        guard let right = all.firstIndex(where: { $0.wrong.isEmpty }) else {
            return all.flatMap(\.wrong).prefix(3) + ["(\(worlds.count) were possible)"]
        }
        if worlds.count > 1, right < worlds.count - 1 { storedCount += 1 }
        worlds = [all[right].world]
        for record in found.state.deliveries where record.receipt == nil && shown.life(of: record.id) != nil {
            cutOff[record.id] = life
        }
        return []
    }

    mutating func compareIdle(_ found: FoundStore) -> [String] {
        var wrong = compare(found)
        for record in found.state.deliveries where record.receipt == nil {
            wrong.append("the delivery '\(record.id)' of '\(record.requestID)' is still under way")
        }
        for item in found.state.pending where worlds[0][item.id]?.kind == "stay" {
            if found.state.places[item.revision]?.since != nil {
                wrong.append("the stay of '\(item.id)' has not ended")
            }
        }
        return wrong
    }

    /// In what a store is not what it would be in that world.
    private func differences(from world: World, _ found: FoundStore) -> [String] {
        let pending = Set(found.state.pending.map(\.id))
        let expected = Set(world.filter { !$0.value.isOver }.keys)
        var wrong: [String] = []
        if pending != expected { wrong.append("pending differ by \(pending.symmetricDifference(expected).sorted())") }
        for item in found.state.pending {
            let progress = found.state.places[item.revision]
            let wasJudged = found.state.placeMarks.covers(item.revision, radius: 100)
            let isInside = wasJudged || progress?.isInside == true ? progress?.isInside ?? false : nil
            if isInside != world[item.id]?.isInside {
                wrong.append("'\(item.id)' is inside: \(isInside as Any), not \(world[item.id]?.isInside as Any)")
            }
        }
        for (id, place) in world { wrong += differences(of: id, from: place, found) }
        return wrong
    }

    /// Whether each crossing was told of once: it was shown, is on its way, or the history says what took its place.
    private func differences(of id: String, from place: Place, _ found: FoundStore) -> [String] {
        var wrong: [String] = []
        let shown = self.shown.deliveries[id, default: []]
        let coming = found.state.deliveries.filter { $0.requestID == id && $0.receipt == nil }
        let ledger = found.ledger.filter { $0.requestID == id }
        // Those on their way that a kill left unsaid, and that the next life passed over for a later one.
        let unsaid = shown.filter { shown in
            guard let cut = cutOff[shown.id], let last = self.shown.life(of: shown.id) else { return false }
            return cut >= last && !coming.contains { $0.id == shown.id }
        }
        let said = shown.filter { shown in !(unsaid.map(\.id) + coming.map(\.id)).contains(shown.id) }
        let lines = ledger.filter { $0.outcome == .delivered }
            .map { $0.detail?.contains("entered") == true ? "entered" : "left" }
        if lines != said.map(\.crossing) {
            wrong.append("the ledger has \(lines) of '\(id)', which has shown \(said.map(\.crossing))")
        }
        let unseen = coming.filter { record in !shown.contains { $0.id == record.id } }
        var crossings = shown.map(\.crossing) + unseen.map { $0.crossing?.rawValue ?? "-" }
        let isStaying = found.state.pending.contains { $0.id == id && found.state.places[$0.revision]?.since != nil }
        if place.kind == "stay", isStaying { crossings.append("entered") }
        // Of several that came while one was being shown the last is shown, and the history says so of the others.
        let passedOver = ledger.count { $0.outcome == .missed }
        if crossings.count - unsaid.count + passedOver != place.crossings.count
            || !Self.leavesOut(crossings, place.crossings)
        {
            wrong.append("'\(id)' has \(crossings) and \(passedOver) more, not \(place.crossings)")
        }
        return wrong
    }

    /// Whether the few are the many, but for some that are left out.
    private static func leavesOut(_ few: [String], _ many: [String]) -> Bool {
        var rest = many[...]
        for one in few {
            guard let index = rest.firstIndex(of: one) else { return false }
            rest = rest[(index + 1)...]
        }
        return true
    }
}
