import BelfryRecurrence
import BelfryTestSupport
import Foundation
import Testing

extension DateVector {
    func rruleMismatch() -> String? {
        guard case .text(let text) = expression else { return "\(id): no text" }
        do {
            let pattern = try RRule(parsing: text).compiled(start: start.map { Int64($0) }, zone: .named(zone))
            return mismatch { pattern.next(after: $0) }
        } catch {
            return "\(id): \(text): \(error)"
        }
    }
}

@Suite("RRULE against others' test suites", .takesTurns)
struct RRuleVectorTests {
    @Test("Every shared case of RRULE has the expected dates")
    func shared() throws {
        guard let vectors = try DateVector.shared("rrule") else { return }
        check(vectors)
    }

    @Test("Every case of the sample has the expected dates")
    func sample() throws {
        let vectors = try DateVector.sample("rrule")
        #expect(vectors.count >= 20)
        check(vectors)
    }

    private func check(_ vectors: [DateVector]) {
        let mismatches = vectors.compactMap { $0.rruleMismatch() }
        #expect(
            mismatches.isEmpty,
            "\(mismatches.count) of \(vectors.count):\n\(mismatches.prefix(20).joined(separator: "\n"))"
        )
    }
}
