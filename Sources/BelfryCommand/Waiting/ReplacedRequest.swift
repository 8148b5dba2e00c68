import Belfry
import BelfryRecurrence
import BelfrySchedules
import FoundationEssentials

/// The pending requests that were replaced by requests with the same identifiers.
struct ReplacedRequest: Sendable {
    /// The description, such as `'Tea', every hour, next on Thu 2026-12-24 18:00:00 +01:00`.
    let words: String
    let json: JSONValue

    /// Describes the first of them; nil if nothing was pending under these identifiers. A request that the store has
    /// lost is not replaced, but back.
    init?(_ ids: [String], in pending: [PendingNotice], zone: ZoneRules) {
        let ids = Set(ids)
        let found = pending.filter { ids.contains($0.id) && !$0.isUnreadable }
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
    /// Returns the recurrence of a repeating request in words; nil for others, whose next date is sufficient.
    func recurrence(in zone: ZoneRules) -> String? {
        trigger?.repeats == true ? trigger?.sentence(zone: zone) : nil
    }

    /// Whether the trigger never ends by itself: a rule may have a COUNT, an UNTIL or a year.
    var isEndless: Bool {
        let farFuture = Date(timeIntervalSince1970: 250_000_000_000)
        return trigger?.nextTriggerDate(after: farFuture) != nil
    }

    /// The trigger in its stored form, with kind and value, but with dates that other programs understand.
    var triggerJSON: JSONValue? {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        guard let data = try? encoder.encode(self) else { return nil }
        return (try? JSONDecoder().decode(JSONValue.self, from: data))?.objectValue?["trigger"]
    }
}
