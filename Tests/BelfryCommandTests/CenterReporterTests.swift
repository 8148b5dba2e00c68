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
}
