import Belfry
import BelfryRecorder
import BelfryRecurrence
import BelfryTestSupport
import Foundation
import Testing

@testable import BelfryCommand

@Suite("The lines about a center's events", .takesTurns)
struct CenterReporterTests {
    @Test("Every outcome is a whole word, and what it is about begins in one column")
    func outcomes() throws {
        let captured = try CapturedOutput()
        let reporter = CenterReporter(
            output: captured.output,
            chosen: ChosenBackend(backend: RecorderBackend()),
            zone: .utc
        )
        // The event of a delivery reports it.
        let outcomes = HistoryEntry.Outcome.allCases.filter { $0 != .delivered }
        for outcome in outcomes {
            try reporter.report(.history(HistoryEntry(requestID: "tea", date: .distantPast, outcome: outcome)))
        }
        let lines = try captured.lines
        #expect(lines.map { $0.split(separator: " ").suffix(2) } == outcomes.map { [$0.rawValue[...], "tea"] })
        #expect(Set(lines.map(\.count)).count == 1)
    }

    @Test("An error is told, also to programs and where notes are not wanted")
    func errors() throws {
        for (json, quiet) in [(true, false), (false, true)] {
            let captured = try CapturedOutput(json: json, quiet: quiet)
            let reporter = CenterReporter(output: captured.output, chosen: ChosenBackend(backend: RecorderBackend()))
            try reporter.report(.error(NoticeError(.serverBusy, "The server is busy.")))
            let lines = try captured.noteLines
            #expect(lines.count == 1 && lines[0].contains("The server is busy."), "\(lines)")
            #expect((JSONLine(lines.first ?? "")?["error", "code"] == "serverBusy") == json)
        }
    }

    @Test(
        "Only what has no end is said to stay until it is removed",
        arguments: [
            (.rrule("FREQ=HOURLY"), true), (.rrule("FREQ=HOURLY;COUNT=3"), false),
            (.rrule("FREQ=HOURLY;UNTIL=20260103T000000Z"), false), (.onCalendar("*:00/7"), true),
            (.onCalendar("2026-12-24 18:00"), false),
        ] as [(RecurrenceTrigger.Rule, Bool)]
    )
    func endless(rule: RecurrenceTrigger.Rule, isEndless: Bool) throws {
        let captured = try CapturedOutput()
        let reporter = CenterReporter(
            output: captured.output,
            chosen: ChosenBackend(backend: RecorderBackend()),
            zone: .utc
        )
        let date = Date(timeIntervalSince1970: 1_767_225_600)
        let trigger = try RecurrenceTrigger(rule, zone: .named("UTC"), starting: date)
        let added = CenterReporter.Added(
            report: NoticeCenter.AddReport(added: ["a"], next: date),
            request: NoticeRequest(id: "a", title: "A", trigger: trigger),
            firings: nil
        )
        try reporter.report(added, id: "a", replacing: nil)
        let lines = try captured.lines
        #expect(lines.first?.hasSuffix(", until it is removed") == isEndless, "\(lines)")
    }
}
