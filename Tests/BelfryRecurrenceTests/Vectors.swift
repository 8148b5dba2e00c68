import Foundation

/// Cases from others' test suites: the input form of `belfry next --batch` with the expected dates beside it.
struct DateVector: Decodable, Sendable {
    enum Expression: Decodable, Sendable {
        case text(String)
        case sets([[String: Int]])

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let text = try? container.decode(String.self) {
                self = .text(text)
            } else if let set = try? container.decode([String: Int].self) {
                self = .sets([set])
            } else {
                self = .sets(try container.decode([[String: Int]].self))
            }
        }
    }

    let id: String
    let kind: String
    let expression: Expression
    let zone: String
    let after: Double
    let start: Double?
    let count: Int
    let missingDate: String?
    let missingTime: String?
    let repeatedTime: String?
    let firstWeekday: Int?
    let minimumDaysInFirstWeek: Int?
    let expected: [Double]

    /// Those of a kind in the larger set of vectors, or `nil`, with a message, on machines that do not have it.
    static func shared(_ kind: String, from file: String = "dates.jsonl") throws -> [DateVector]? {
        try lines(of: TestFiles.shared.appending(path: "vectors/\(file)"))?.filter { $0.kind == kind }
    }

    /// Those of a kind in the sample that is kept with the tests.
    static func sample(_ kind: String) throws -> [DateVector] {
        try (lines(of: TestFiles.fixtures.appending(path: "dates.jsonl")) ?? []).filter { $0.kind == kind }
    }

    private static func lines(of file: URL) throws -> [DateVector]? {
        guard let data = try? Data(contentsOf: file) else {
            print("Skipped: there is no \(file.lastPathComponent) in \(file.deletingLastPathComponent().path).")
            return nil
        }
        let decoder = JSONDecoder()
        return try data.split(separator: 10).map { try decoder.decode(DateVector.self, from: Data($0)) }
    }
}

/// Where the files of the tests are: found from this source file, so that no bundle is needed.
enum TestFiles {
    static let tests = URL(filePath: #filePath).deletingLastPathComponent()
    static let fixtures = tests.appending(path: "Fixtures")
    /// The folder beside the package, or the one that the environment names.
    static let shared =
        ProcessInfo.processInfo.environment["BELFRY_SHARED"].map { URL(filePath: $0) }
        ?? tests.appending(path: "../../../shared").standardizedFileURL
}

extension DateVector {
    /// Walks on from `after` with a function that gives the next date, and tells where it leaves the expected dates.
    func mismatch(_ next: (Int64) -> Int64?) -> String? {
        var dates: [Double] = []
        var last = Int64(after.rounded(.down))
        while dates.count < count, let date = next(last) {
            dates.append(Double(date))
            if date <= last { return "\(id): \(date) doesn't come after \(last)" }
            last = date
        }
        return dates == expected ? nil : "\(id): \(expression) in \(zone) after \(after): \(dates) and not \(expected)"
    }
}
