import Belfry
import BelfryConsole
import BelfryRecurrence
import BelfrySchedules
import Foundation

/// Tells what a center does, as it does it: a line for eyes, an object for programs.
struct CenterReporter: Sendable {
    let output: CommandOutput
    let zone: ZoneRules
    let chosen: ChosenBackend

    init(output: CommandOutput, chosen: ChosenBackend, zone: ZoneRules = .system()) {
        self.output = output
        self.zone = zone
        self.chosen = chosen
    }

    func added(
        _ report: NoticeCenter.AddReport,
        id: String,
        request: NoticeRequest,
        firings: Int?,
        replacing earlier: ReplacedRequest?
    ) throws {
        for warning in report.warnings { output.remark(warning) }
        for id in report.dropped { output.remark("there was no room for '\(id)'") }
        try output.object([
            ("id", .string(id)), ("change", .string(earlier == nil ? "added" : "replaced")),
            ("replaced", earlier?.object(in: zone)), ("title", .string(request.content.title)),
            ("next", report.next.map { .string(RFC3339.text($0, in: zone)) }),
            ("pending", firings.map { .int(Int64($0)) }), ("trigger", Self.trigger(of: request)),
            ("sentence", request.trigger?.sentence(zone: zone).map { .string($0) }),
        ])
        let change =
            earlier.map { "replaced '\(id)', which was \($0.words(in: zone))" } ?? "added '\(id)'"
        guard let next = report.next else {
            return output.remark("\(change): \(request.trigger == nil ? "it is shown now" : "it waits for no time")")
        }
        var times = firings.map { $0 == 1 ? "" : ", \($0) times" } ?? ", until it is removed"
        if let trigger = request.trigger, trigger.repeats, let sentence = trigger.sentence(zone: zone) {
            times = " (\(sentence))"
        }
        output.remark(
            "\(change): \(ReadableDate.text(next, in: zone)), "
                + ReadableDate.distance(from: Date(), to: next) + times
        )
    }

    func report(_ event: CenterEvent) throws {
        switch event {
        case .delivered(let notice): try delivered(notice)
        // An event of its own tells of it with the content.
        case .history(let entry) where entry.outcome == .delivered: break
        case .history(let entry): try outcome(entry)
        // Said once for all commands, where the store was opened.
        case .error(let error) where error.code == .storeDamaged: break
        case .error(let error): output.remark(error.description)
        }
    }

    func delivered(_ notice: DeliveredNotice) throws {
        for loss in notice.receipt.lost { output.remark("'\(notice.requestID)' lost \(loss)") }
        if let remark = chosen.remark(on: notice.receipt) { output.remark(remark) }
        guard !chosen.isConsole(notice.receipt) else { return }
        try output.object([
            ("id", .string(notice.requestID)), ("title", .string(notice.content.title)),
            ("body", .string(notice.content.body)), ("at", .string(RFC3339.text(notice.date, in: zone))),
            ("outcome", .string(HistoryEntry.Outcome.delivered.rawValue)),
            ("late", .double(rounded(notice.late))),
            ("lost", .array(notice.receipt.lost.map { .string($0.description) })),
            ("thread", notice.content.thread.map { .string($0) }),
            ("category", notice.content.desktop.category.map { .string($0) }),
        ])
        let late = notice.late >= .seconds(1) ? " (\(ReadableDate.span(Int(notice.late.seconds))) late)" : ""
        try output.line(
            "\(ReadableDate.text(notice.date, in: zone))  shown     \(notice.requestID): \(notice.content.title)\(late)",
            .good
        )
    }

    private func outcome(_ entry: HistoryEntry) throws {
        try output.object([
            ("id", .string(entry.requestID)), ("at", .string(RFC3339.text(entry.date, in: zone))),
            ("outcome", .string(entry.outcome.rawValue)), ("late", entry.late.map { .double(rounded($0)) }),
            ("detail", entry.detail.map { .string($0) }),
        ])
        let word = entry.outcome.rawValue.padding(toLength: 9, withPad: " ", startingAt: 0)
        let detail = entry.detail.map { ": \($0)" } ?? ""
        try output.line(
            "\(ReadableDate.text(entry.date, in: zone))  \(word) \(entry.requestID)\(detail)",
            emphasis(entry.outcome)
        )
    }

    private func emphasis(_ outcome: HistoryEntry.Outcome) -> LineStyle.Emphasis {
        switch outcome {
        case .failed, .missed, .dropped: .bad
        case .retrying, .suppressed, .dormant, .damaged, .clockReset: .warning
        case .answered, .delivered: .good
        case .closed, .removed, .replaced: .faint
        }
    }

    private func rounded(_ late: Duration) -> Double { (late.seconds * 1000).rounded() / 1000 }

    /// As it is stored: kind and value.
    static func trigger(of request: NoticeRequest) -> JSONValue? {
        guard let data = try? JSONEncoder().encode(request),
            let value = try? JSONDecoder().decode(JSONValue.self, from: data),
            case .object(let fields) = value
        else { return nil }
        return fields["trigger"]
    }
}
