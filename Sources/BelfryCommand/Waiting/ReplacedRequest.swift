import Belfry
import BelfryRecurrence
import BelfrySchedules
import Foundation

/// What was pending under the identifiers that something else has taken since.
struct ReplacedRequest: Sendable {
    let title: String
    let next: Date?
    /// How a request that repeats does, in words.
    let sentence: String?
    /// How many elements of a series; nil for a single request.
    let count: Int?

    /// The first of them; nil where nothing was pending under these identifiers.
    init?(_ ids: [String], in pending: [PendingNotice], zone: ZoneRules) {
        let ids = Set(ids)
        let found = pending.filter { ids.contains($0.id) }
        guard let first = found.first else { return nil }
        title = first.request.content.title
        next = first.next
        let trigger = first.request.trigger
        sentence = trigger?.repeats == true ? trigger?.sentence(zone: zone) : nil
        count = first.request.series == nil ? nil : found.count
    }

    func object(in zone: ZoneRules) -> JSONValue {
        var fields: [String: JSONValue] = ["title": .string(title)]
        fields["next"] = next.map { .string(RFC3339.text($0, in: zone)) }
        fields["sentence"] = sentence.map { .string($0) }
        fields["pending"] = count.map { .int(Int64($0)) }
        return .object(fields)
    }

    /// `'Tea', every hour, next on Thu 2026-12-24 18:00:00 +01:00`
    func words(in zone: ZoneRules) -> String {
        var words = ["'\(title)'"]
        if let sentence { words.append(sentence) }
        if let count { words.append("\(count) of a series") }
        if let next { words.append("next on \(ReadableDate.text(next, in: zone))") }
        return words.joined(separator: ", ")
    }
}
