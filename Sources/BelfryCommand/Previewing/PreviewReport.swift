import Belfry
import BelfryConsole
import BelfryRecurrence
import BelfrySchedules
import FoundationEssentials

/// Writes a preview: grouped by days, or as one JSON object per line.
struct PreviewReport: Sendable {
    let zone: ZoneRules
    let output: CommandOutput

    /// Writes what the notices don't show.
    func writeNotes(on result: PreviewPlan.Result) {
        for note in result.notes { output.warn(note) }
        for outcome in HistoryEntry.Outcome.allCases {
            let unshown = result.outcome.unshown.filter { $0.outcome == outcome }
            guard let first = unshown.first else { continue }
            let reason = first.detail.map { ", '\(first.requestID)' because: \($0)" } ?? ""
            output.warn("\(unshown.count) not shown (\(outcome.rawValue)\(reason))")
        }
        if result.outcome.isCut { output.warn("there is more; --limit shows it") }
        if result.outcome.shown.isEmpty { output.note("nothing would be shown") }
    }

    func write(_ notices: [DeliveredNotice]) throws {
        var day = ""
        for notice in notices {
            // `Thu 2026-12-24 18:00:00 +01:00`
            let words = notice.date.readable(in: zone).split(separator: " ")
            let heading = words.prefix(2).joined(separator: " ")
            if heading != day {
                if !day.isEmpty { try output.line("") }
                try output.line(heading, .strong)
                day = heading
            }
            let content = notice.content
            let texts = [content.title, content.subtitle, content.body].filter { !$0.isEmpty }
            let line = texts.joined(separator: " — ").split(whereSeparator: \.isNewline).joined(separator: " ")
            try output.result(
                [
                    "id": notice.requestID, "title": content.title, "body": content.body,
                    "at": notice.date.rfc3339(in: zone),
                    "late": notice.late >= .seconds(1) ? Int(notice.late.components.seconds) : nil,
                ],
                "  \(words.dropFirst(2).joined(separator: " "))  \(line)\(TimeSpan.lateness(notice.late))"
            )
        }
    }
}
