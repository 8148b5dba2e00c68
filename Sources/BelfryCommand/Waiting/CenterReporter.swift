import Belfry
import BelfryConsole
import BelfryRecurrence
import BelfrySchedules

/// Reports a center's events as they happen: as lines for the user, or as JSON objects.
struct CenterReporter: Sendable {
    /// The added requests.
    struct Added: Sendable {
        let report: NoticeCenter.AddReport
        let request: NoticeRequest
        /// The number of firings; nil for an endless trigger.
        let firings: Int?
    }

    let output: CommandOutput
    let chosen: ChosenBackend
    var zone = ZoneRules.system()

    func report(_ added: Added, id: String, replacing earlier: ReplacedRequest?) throws {
        let (report, request) = (added.report, added.request)
        for warning in report.warnings { output.warn(warning) }
        for id in report.dropped { output.warn("there was no room for '\(id)'") }
        // Without a trigger it is shown as soon as the center runs.
        let next = request.trigger == nil ? nil : report.next
        try output.object([
            "id": id, "change": earlier == nil ? "added" : "replaced", "replaced": earlier?.json,
            "title": request.content.title, "next": next?.rfc3339(in: zone), "pending": added.firings,
            "trigger": request.triggerJSON, "sentence": request.trigger?.sentence(zone: zone),
        ])
        let change = earlier.map { "replaced '\(id)', which was \($0.words)" } ?? "added '\(id)'"
        guard let next else {
            let wait = request.trigger == nil ? "it is shown now" : "it waits for a region"
            return try output.line("\(change): \(wait)")
        }
        let times =
            request.recurrence(in: zone).map { " (\($0))" }
            ?? added.firings.map { $0 == 1 ? "" : ", \($0) times" }
            ?? (request.isEndless ? ", until it is removed" : "")
        try output.line("\(change): \(next.readable(in: zone)), \(next.distance())\(times)")
    }

    func report(_ event: CenterEvent) throws {
        switch event {
        case .delivered(let notice): try report(notice)
        // The `delivered` event reports it with the content.
        case .history(let entry) where entry.outcome == .delivered: break
        case .history(let entry): try report(entry)
        // The history entry reports it.
        case .undisplayed: break
        // It is reported once for all commands, where the store was opened.
        case .error(let error) where error.code == .storeDamaged: break
        case .error(let error): output.report(error, about: Article.about(error.code))
        }
    }

    private func report(_ notice: DeliveredNotice) throws {
        for loss in notice.receipt.lost { output.note("'\(notice.requestID)' lost \(loss)") }
        if let note = chosen.note(on: notice.receipt) { output.note(note) }
        guard !chosen.isConsole(notice.receipt) else { return }
        let content = notice.content
        try output.result(
            [
                "id": notice.requestID, "title": content.title, "body": content.body,
                "at": notice.date.rfc3339(in: zone), "outcome": HistoryEntry.Outcome.delivered.rawValue,
                "late": notice.late, "lost": notice.receipt.lost.map(\.description), "thread": content.thread,
                "category": content.desktop.category,
            ],
            "\(notice.date.readable(in: zone))  \("shown".column(10)) \(notice.requestID): \(content.title)"
                + TimeSpan.lateness(notice.late),
            .good
        )
    }

    private func report(_ entry: HistoryEntry) throws {
        try output.result(
            [
                "id": entry.requestID, "at": entry.date.rfc3339(in: zone), "outcome": entry.outcome.rawValue,
                "late": entry.late, "detail": entry.detail, "code": entry.errorCode?.rawValue,
            ],
            "\(entry.date.readable(in: zone))  \(entry.outcome.rawValue.column(10)) \(entry.requestID)"
                + (entry.detail.map { ": \($0)" } ?? ""),
            emphasis(entry.outcome)
        )
    }

    private func emphasis(_ outcome: HistoryEntry.Outcome) -> LineStyle.Emphasis {
        switch outcome {
        case .failed, .missed, .dropped: .bad
        case .retrying, .suppressed, .dormant, .damaged, .clockReset: .warning
        case .responded, .delivered: .good
        case .closed, .removed, .replaced: .faint
        }
    }
}
