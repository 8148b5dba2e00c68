import Belfry
import BelfryRecurrence
import BelfrySchedules
import FoundationEssentials

/// What was pending under the identifiers that something else has taken since.
struct ReplacedRequest: Sendable {
    /// `'Tea', every hour, next on Thu 2026-12-24 18:00:00 +01:00`
    let words: String
    let json: JSONValue

    /// The first of them; nil where nothing was pending under these identifiers.
    init?(_ ids: [String], in pending: [PendingNotice], zone: ZoneRules) {
        let found = pending.filter { Set(ids).contains($0.id) }
        guard let first = found.first else { return nil }
        let title = first.request.content.title
        var words = ["'\(title)'"]
        var fields: [String: JSONValue] = ["title": .string(title)]
        if let sentence = first.request.recurrence(in: zone) {
            words.append(sentence)
            fields["sentence"] = .string(sentence)
        }
        if first.request.series != nil {
            words.append("\(found.count) of a series")
            fields["pending"] = found.count.json
        }
        if let next = first.next {
            words.append("next on \(next.readable(in: zone))")
            fields["next"] = .string(next.rfc3339(in: zone))
        }
        self.words = words.joined(separator: ", ")
        json = .object(fields)
    }
}

extension NoticeRequest {
    /// How a request that repeats does, in words; nil for others, whose next date says all.
    func recurrence(in zone: ZoneRules) -> String? {
        trigger?.repeats == true ? trigger?.sentence(zone: zone) : nil
    }

    /// The trigger as it is stored: its kind and value.
    var triggerJSON: JSONValue? {
        guard let data = try? JSONEncoder().encode(self) else { return nil }
        return (try? JSONDecoder().decode(JSONValue.self, from: data))?.objectValue?["trigger"]
    }
}
