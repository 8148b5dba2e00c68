import Belfry
import Foundation

@testable import BelfrySQLite

/// What the lives of one app have said, over any number of kills, held against what its store tells.
struct LifeLog {
    private var added: Set<String> = []
    private var removing: Set<String> = []
    private var removed: Set<String> = []
    /// By delivery, the life that showed it last; by life, how many of those came again.
    private var lastShownIn: [String: Int] = [:]
    private var repeatedOf: [Int: Int] = [:]
    private var life = 0
    private var shownRequests: [String: Set<String>] = [:]
    private var stored: [String: Int] = [:]
    private var taken: [String: Set<String>] = [:]

    var counts = Counts()

    struct Counts {
        var kills = 0
        var added = 0
        var shown = 0
        var repeated = 0
        var answered = 0
        var taken = 0

        static func + (left: Counts, right: Counts) -> Counts {
            Counts(
                kills: left.kills + right.kills,
                added: left.added + right.added,
                shown: left.shown + right.shown,
                repeated: left.repeated + right.repeated,
                answered: left.answered + right.answered,
                taken: left.taken + right.taken
            )
        }

        var text: String {
            "\(kills) kills, \(added) acknowledged requests, \(shown) shown, \(repeated) of them again after the kill that "
                + "found them in flight, \(answered) answers stored, \(taken) taken"
        }
    }

    /// Takes in what one life said; answers what is wrong about it by itself.
    mutating func takeIn(_ lines: [String]) -> [String] {
        var wrong: [String] = []
        life += 1
        for line in lines {
            let words = line.split(separator: " ").map(String.init)
            switch words.first {
            case "added":
                added.insert(words[1])
                counts.added += 1
            case "removing": removing.insert(words[1])
            case "removed": removed.insert(words[1])
            case "shown":
                let (delivery, id) = (words[1], words[2])
                counts.shown += 1
                if removed.contains(id) { wrong.append("'\(id)' was shown after its removal") }
                if let earlier = lastShownIn[delivery] {
                    counts.repeated += 1
                    repeatedOf[earlier, default: 0] += 1
                    if words[3] != "repeated" { wrong.append("'\(delivery)' came again and is not marked as repeated") }
                }
                lastShownIn[delivery] = life
                shownRequests[id, default: []].insert(delivery)
                if (shownRequests[id]?.count ?? 0) > 1 { wrong.append("'\(id)' fired twice") }
            case "stored":
                stored[words[1], default: 0] += 1
                counts.answered += 1
            case "taken":
                if taken[words[2], default: []].insert(words[1]).inserted { counts.taken += 1 }
            case "begun", "idle", "adding": break
            default: wrong.append(line)
            }
        }
        for (life, count) in repeatedOf where count > 1 {
            wrong.append("\(count) deliveries of life \(life) came again after its kill")
        }
        return wrong
    }

    /// What the store has lost, or has not let go of.
    func compare(_ state: StoredState) -> [String] {
        var wrong: [String] = []
        let pending = Set(state.pending.map(\.id))
        let delivering = Set(state.deliveries.map(\.requestID))
        for id in added.subtracting(removing) where !pending.contains(id) {
            let staysPending = id.hasPrefix("far") || id.hasPrefix("hourly")
            if staysPending { wrong.append("'\(id)' was added and is not pending") }
            if !delivering.contains(id), shownRequests[id] == nil { wrong.append("'\(id)' was added and never fired") }
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

    /// What should be done when nothing is under way any more.
    func compareIdle(_ state: StoredState) -> [String] {
        var wrong = compare(state)
        for id in added.subtracting(removing) where !id.hasPrefix("far") && shownRequests[id] == nil {
            wrong.append("'\(id)' was never shown")
        }
        for (id, count) in stored where (taken[id]?.count ?? 0) < count {
            wrong.append("an answer to '\(id)' was not taken")
        }
        if !state.responses.isEmpty { wrong.append("\(state.responses.count) answers still wait") }
        return wrong
    }
}
