import Belfry
import BelfryConsole
import BelfryRecurrence
import BelfrySchedules
import Foundation

/// Tells what would be shown: under its days, or one object a line.
struct PreviewReport: Sendable {
    let zone: ZoneRules
    let output: CommandOutput

    func tell(_ result: PreviewPlan.Result) throws {
        try tell(result.outcome.shown)
        for remark in result.remarks { output.remark(remark) }
        let unshown = result.outcome.unshown
        for outcome in HistoryEntry.Outcome.allCases {
            let count = unshown.count { $0.outcome == outcome }
            guard count > 0, let first = unshown.first(where: { $0.outcome == outcome }) else { continue }
            let reason = first.detail.map { ", '\(first.requestID)' because: \($0)" } ?? ""
            output.remark("\(count) not shown (\(outcome.rawValue)\(reason))")
        }
        if result.outcome.isCut { output.remark("there is more; --limit shows it") }
        if result.outcome.shown.isEmpty { output.remark("nothing would be shown") }
    }

    private func tell(_ notices: [DeliveredNotice]) throws {
        var day = ""
        for notice in notices {
            let content = notice.content
            let late = notice.late >= .seconds(1) ? Int64(notice.late.components.seconds) : nil
            try output.object([
                ("id", .string(notice.requestID)), ("title", .string(content.title)), ("body", .string(content.body)),
                ("at", .string(RFC3339.text(notice.date, in: zone))), ("late", late.map { .int($0) }),
            ])
            // `Thu 2026-12-24 18:00:00 +01:00`
            let words = ReadableDate.text(notice.date, in: zone).split(separator: " ").map(String.init)
            let heading = words.prefix(2).joined(separator: " ")
            if heading != day {
                if !day.isEmpty { try output.line("") }
                try output.line(heading, .strong)
                day = heading
            }
            let texts = [content.title, content.subtitle, content.body].filter { !$0.isEmpty }
            let line = texts.joined(separator: " — ").split(whereSeparator: \.isNewline).joined(separator: " ")
            let lateness = late.map { " (\(ReadableDate.span(Int($0))) late)" } ?? ""
            try output.line("  \(words.dropFirst(2).joined(separator: " "))  \(line)\(lateness)")
        }
    }
}
