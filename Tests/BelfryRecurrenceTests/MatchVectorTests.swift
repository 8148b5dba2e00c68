import BelfryRecurrence
import BelfryTestSupport
import Foundation
import Testing

@Suite("Date components against others' test suites", .takesTurns)
struct MatchVectorTests {
    /// Where a rule decides against an expected answer: the case and the rule.
    static let decidedOtherwise: [String: String] = [:]

    @Test("Every shared case of components has the expected dates")
    func shared() throws {
        guard let vectors = try DateVector.shared("match") else { return }
        check(vectors)
    }

    @Test("Every case of the sample has the expected dates")
    func sample() throws {
        let vectors = try DateVector.sample("match")
        #expect(vectors.count >= 100)
        check(vectors)
    }

    private func check(_ vectors: [DateVector]) {
        let mismatches = vectors.compactMap { vector in
            Self.decidedOtherwise[vector.id] == nil ? vector.matchMismatch() : nil
        }
        #expect(
            mismatches.isEmpty,
            "\(mismatches.count) of \(vectors.count):\n\(mismatches.prefix(20).joined(separator: "\n"))"
        )
    }
}
