import BelfryRecurrence
import BelfryTestSupport
import Foundation
import Testing

extension DateVector {
    func onMismatch() -> String? {
        guard case .text(let text) = expression else { return "\(id): no text" }
        do {
            let rules = try ZoneRules.named(zone)
            let pattern = try CalendarExpression(parsing: text).compiled(zone: rules)
            var dates: [Double] = []
            var last = Int64((after * 1e6).rounded())
            while dates.count < count, let date = pattern.next(afterMicroseconds: last) {
                dates.append(Double(date) / 1e6)
                last = date
            }
            return dates == expected ? nil : "\(id): \(text) in \(zone) after \(after): \(dates) and not \(expected)"
        } catch {
            return "\(id): \(text): \(error.message)"
        }
    }
}

@Suite("OnCalendar against systemd's test suite", .takesTurns)
struct OnCalendarVectorTests {
    private struct Form: Decodable {
        let input: String
        let normalized: String?
        let rejected: Bool?
    }

    @Test("Every shared case of OnCalendar has the expected dates")
    func shared() throws {
        guard let vectors = try DateVector.shared("on") else { return }
        check(vectors)
    }

    @Test("Every case of the sample has the expected dates")
    func sample() throws {
        let vectors = try DateVector.sample("on")
        #expect(vectors.count >= 10)
        check(vectors)
    }

    private func check(_ vectors: [DateVector]) {
        let mismatches = vectors.compactMap { $0.onMismatch() }
        #expect(mismatches.isEmpty, "\(mismatches.joined(separator: "\n"))")
    }

    @Test("Every expression has systemd's normal form, or is refused with a column, as there")
    func normalForms() throws {
        let fixture = TestFiles.fixtures.appending(path: "oncalendar-parse.jsonl")
        let shared = TestFiles.shared.appending(path: "vectors/oncalendar-parse.jsonl")
        let data = try (try? Data(contentsOf: shared)) ?? Data(contentsOf: fixture)
        for line in data.split(separator: 10) {
            let form = try JSONDecoder().decode(Form.self, from: Data(line))
            do {
                let expression = try CalendarExpression(parsing: form.input)
                #expect(expression.description == form.normalized, "\(form.input)")
                let again = try CalendarExpression(parsing: expression.description)
                #expect(again == expression, "\(form.input)")
            } catch {
                #expect(form.rejected == true, "\(form.input): \(error)")
                #expect(error.column != nil, "\(form.input)")
            }
        }
    }
}
