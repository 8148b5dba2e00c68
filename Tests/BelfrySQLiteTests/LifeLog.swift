import Belfry
import Foundation

@testable import BelfrySQLite

/// Of an app that adds, removes, fires and is answered.
struct LifeLog: CrashLog {
    static let command = "live"

    private var added: Set<String> = []
    private var removing: Set<String> = []
    private var removed: Set<String> = []
    private var shown = ShownLog()
    private var life = 0
    private var stored: [String: Int] = [:]
    private var taken: [String: Set<String>] = [:]

    var kills = 0
    private var addedCount = 0
    private var answeredCount = 0
    private var takenCount = 0

    var text: String {
        "\(kills) kills, \(addedCount) acknowledged requests, \(shown.shown) shown, \(shown.repeated) of them again "
            + "after the kill that found them in flight, \(answeredCount) answers stored, \(takenCount) taken"
    }

    var hasSeenAll: Bool { addedCount > 0 && shown.shown > 0 && answeredCount > 0 }

    mutating func begin() {
        (added, removing, removed) = ([], [], [])
        (stored, taken, life) = ([:], [:], 0)
        shown.begin()
    }

    mutating func takeIn(_ lines: [String]) -> [String] {
        var wrong: [String] = []
        life += 1
        for line in lines {
            let words = line.split(separator: " ").map(String.init)
            switch words.first {
            case "added":
                added.insert(words[1])
                addedCount += 1
            case "removing": removing.insert(words[1])
            case "removed": removed.insert(words[1])
            case "shown":
                let id = words[2]
                if removed.contains(id) { wrong.append("'\(id)' was shown after its removal") }
                wrong += shown.takeIn(words, life: life)
                if (shown.deliveries[id]?.count ?? 0) > 1 { wrong.append("'\(id)' fired twice") }
            case "stored":
                stored[words[1], default: 0] += 1
                answeredCount += 1
            case "taken":
                if taken[words[2], default: []].insert(words[1]).inserted { takenCount += 1 }
            case "begun", "idle", "adding": break
            default: wrong.append(line)
            }
        }
        return wrong + shown.tooOften
    }

    func compare(_ found: FoundStore) -> [String] {
        let state = found.state
        var wrong: [String] = []
        let pending = Set(state.pending.map(\.id))
        let delivering = Set(state.deliveries.map(\.requestID))
        for id in added.subtracting(removing) where !pending.contains(id) {
            let staysPending = id.hasPrefix("far") || id.hasPrefix("hourly")
            if staysPending { wrong.append("'\(id)' was added and is not pending") }
            if !delivering.contains(id), shown.deliveries[id] == nil {
                wrong.append("'\(id)' was added and never fired")
            }
        }
        for id in removed where pending.contains(id) { wrong.append("'\(id)' was removed and is pending") }
        var waiting: [String: Set<String>] = [:]
        for response in state.responses { waiting[response.requestID, default: []].insert(response.id) }
        for (id, count) in stored {
            let known = (taken[id] ?? []).union(waiting[id] ?? []).count
            if known < count { wrong.append("of \(count) answers to '\(id)' \(known) are left") }
        }
        return wrong
    }

    func compareIdle(_ found: FoundStore) -> [String] {
        var wrong = compare(found)
        for id in added.subtracting(removing) where !id.hasPrefix("far") && shown.deliveries[id] == nil {
            wrong.append("'\(id)' was never shown")
        }
        for (id, count) in stored where (taken[id]?.count ?? 0) < count {
            wrong.append("an answer to '\(id)' was not taken")
        }
        if !found.state.responses.isEmpty { wrong.append("\(found.state.responses.count) answers still wait") }
        return wrong
    }
}
