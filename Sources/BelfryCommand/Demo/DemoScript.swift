import Belfry
import BelfryConsole
import FoundationEssentials

/// Performs the demo's steps through a center.
struct DemoScript: Sendable {
    enum Ending: Sendable, Hashable {
        case responded(action: String)
        case noResponse(reason: String)
    }

    let center: NoticeCenter
    let chosen: ChosenBackend
    let output: CommandOutput
    let hook: DemoHook?
    /// The pause after a step, so that the user can see it.
    let pause: Duration
    let responseTimeout: Duration

    /// Performs all steps. Throws if a notice can't be shown at all.
    func perform() async throws -> Ending {
        try await step(.plain) {
            try await show("plain", DemoContent.plain)
            try await show("icon", DemoContent.icon)
        }
        try await step(.urgent) { try await show("urgent", DemoContent.urgent) }
        try await step(.actions) { try await show("actions", DemoContent.actions) }
        try await step(.progress) {
            for share in [0, 0.25, 0.5, 0.75, 1] {
                try await show("progress", DemoContent.progress(share), notingLosses: share == 0)
                if share < 1 { try await Task.sleep(for: pause / 4) }
            }
        }
        try await step(.series) { try await showSeries() }
        let ending = try await ask()
        try await step(.done) {}
        try await center.removeAllDelivered()
        return ending
    }

    private func step(_ step: DemoStep, _ body: () async throws -> Void) async throws {
        try output.result(
            ["step": step.rawValue, "detail": step.summary],
            "\(step.rawValue.column(9)) \(step.summary)",
            .strong
        )
        try await body()
        await hook?.run(step)
        if step != .done, step != .answer { try await Task.sleep(for: pause) }
    }

    private func show(_ id: String, _ content: NoticeContent, notingLosses: Bool = true) async throws {
        let shown = try await center.show(NoticeRequest(id: "demo-\(id)", content: content))
        guard notingLosses else { return }
        for loss in shown.receipt.lost { output.note("'\(content.title)' lost \(loss)") }
    }

    private func showSeries() async throws {
        let series = NoticeSeries(
            id: "demo-series",
            content: DemoContent.series,
            first: Date(),
            spacing: .seconds(1),
            count: 3
        )
        let events = await center.events()
        try await center.add(series)
        var ended = 0
        for await event in events {
            switch event {
            case .delivered(let notice) where notice.series == series.id: ended += 1
            case .history(let entry) where entry.requestID.hasPrefix("demo-series@"):
                // The user has already responded; the remaining notices are not shown.
                if entry.outcome == .removed { ended += 1 }
                if entry.outcome == .failed || entry.outcome == .missed {
                    throw NoticeError.notShown("'\(entry.requestID)'", entry)
                }
            default: break
            }
            if ended >= series.count { return }
        }
        try Task.checkCancellation()
    }

    func ask() async throws -> Ending {
        let wait = await NoticeWait(for: "demo-answer", in: center)
        try await step(.answer) { try await show("answer", DemoContent.answer) }
        let asked = try await center.delivered().first { $0.requestID == "demo-answer" }
        guard asked.map({ chosen.acceptsResponses($0.receipt) }) ?? true else {
            return .noResponse(reason: "standard input is no terminal")
        }
        guard let ending = try await wait.end(within: responseTimeout) else {
            return .noResponse(reason: "no response came within \(Int(responseTimeout.seconds)) seconds")
        }
        return ending.response?.actionID.map(Ending.responded)
            ?? .noResponse(reason: "the question was closed without a response")
    }
}
