import BelfryAgent
import BelfryTestSupport
import Foundation
import Testing

@Suite("The agent's last errors", .takesTurns)
struct ErrorJournalTests {
    @Test("The journal of errors keeps the newest, for this user alone, and leaves out what can't be read")
    func journal() throws {
        let scratch = try TemporaryFolder()
        let journal = ErrorJournal(path: scratch.path("errors.jsonl"))
        #expect(journal.entries().isEmpty)
        let date = Date(timeIntervalSinceReferenceDate: 0)
        for number in 1...ErrorJournal.limit + 5 { journal.append("error \(number)", date: date) }
        #expect(journal.entries().count == ErrorJournal.limit)
        #expect(journal.entries().first?.date == date)
        #expect(journal.entries().first?.message == "error 6")
        #expect(scratch.mode("errors.jsonl") == 0o600)
        #expect(try scratch.names() == ["errors.jsonl"])
        let text = try String(contentsOfFile: scratch.path("errors.jsonl"), encoding: .utf8)
        try scratch.write("errors.jsonl", "{half\n" + text)
        #expect(journal.entries().count == ErrorJournal.limit)
        journal.clear()
        #expect(journal.entries().isEmpty)
        ErrorJournal(path: "/nonexistent/errors").append("nowhere")
    }
}
