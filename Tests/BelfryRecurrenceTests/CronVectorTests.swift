import BelfryRecurrence
import BelfryTestSupport
import Foundation
import Testing

extension DateVector {
    func cronMismatch() -> String? {
        guard case .text(let text) = expression else { return "\(id): no text" }
        do {
            let rules = try ZoneRules.named(zone)
            let pattern = try CronExpression(parsing: text).compiled(zone: rules)
            return mismatch { pattern.next(after: $0) }
        } catch {
            return "\(id): \(text): \(error.message)"
        }
    }
}

@Suite("Cron against others' test suites", .takesTurns)
struct CronVectorTests {
    /// Where rule 19 of the article exact-rules decides against an expected answer.
    static let decidedOtherwise: [String: String] = [
        "croniter/039/cron": "the source asks croniter for AND; day and weekday combine with OR",
        "croniter/081/cron": "croniter applies # to both fields; day and weekday combine with OR",
        "croniter/083/cron": "croniter applies # to both fields; day and weekday combine with OR",
        "croniter/086/cron": "croniter applies # to both fields; day and weekday combine with OR",
        "croniter/160/cron": "croniter takes three days for the second step around the end; a step is always as long",
    ]

    @Test("Every shared case of cron has the expected dates")
    func shared() throws {
        guard let vectors = try DateVector.shared("cron") else { return }
        check(vectors)
    }

    @Test("Every case of the sample has the expected dates")
    func sample() throws {
        let vectors = try DateVector.sample("cron")
        #expect(vectors.count >= 40)
        check(vectors)
    }

    private func check(_ vectors: [DateVector]) {
        let mismatches = vectors.compactMap { Self.decidedOtherwise[$0.id] == nil ? $0.cronMismatch() : nil }
        #expect(
            mismatches.isEmpty,
            "\(mismatches.count) of \(vectors.count):\n\(mismatches.prefix(20).joined(separator: "\n"))"
        )
        // A case that has come to agree is no exception any more.
        let agreeing = vectors.filter { Self.decidedOtherwise[$0.id] != nil && $0.cronMismatch() == nil }
        #expect(agreeing.isEmpty, "\(agreeing.map(\.id)) have the expected dates after all")
    }
}
