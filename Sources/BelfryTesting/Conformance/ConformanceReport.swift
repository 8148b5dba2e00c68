/// What a conformance suite found.
public struct ConformanceReport: Sendable, CustomStringConvertible {
    /// What became of one rule.
    public struct Result: Sendable, Hashable, Codable {
        /// How the check of a rule ended.
        public enum Outcome: Sendable, Hashable, Codable {
            /// The rule holds.
            case passed
            /// The reason: what the backend or store can't do, or what the suite was not given.
            case skipped(String)
            /// The rule is broken: what was expected, and what was there.
            case failed(String)
        }

        /// The rule that was checked, a sentence.
        public let rule: String
        /// How the check ended.
        public let outcome: Outcome

        package init(rule: String, outcome: Outcome) {
            self.rule = rule
            self.outcome = outcome
        }
    }

    /// What was checked.
    public let subject: String
    /// The rules, in the order in which they were checked.
    public let results: [Result]

    /// Those that are broken.
    public var failures: [Result] {
        results.filter { if case .failed = $0.outcome { true } else { false } }
    }

    /// Those that could not be checked, each with its reason.
    public var skipped: [Result] {
        results.filter { if case .skipped = $0.outcome { true } else { false } }
    }

    /// One line for each rule.
    public var description: String {
        results.reduce("\(subject):") { text, result in
            switch result.outcome {
            case .passed: text + "\n  passed   \(result.rule)"
            case .skipped(let reason): text + "\n  skipped  \(result.rule): \(reason)"
            case .failed(let message): text + "\n  FAILED   \(result.rule): \(message)"
            }
        }
    }

    /// Throws ``ConformanceFailure`` with every rule that is broken.
    public func verify() throws(ConformanceFailure) {
        guard !failures.isEmpty else { return }
        let lines = failures.map { result in
            guard case .failed(let message) = result.outcome else { return result.rule }
            return "\(result.rule): \(message)"
        }
        throw ConformanceFailure("\(subject) breaks \(failures.count) rules.\n" + lines.joined(separator: "\n"))
    }
}

/// How far a suite has come.
public enum ConformanceStep: Sendable, Hashable, Codable {
    /// The check of a rule has begun.
    case began(rule: String)
    /// The check of a rule has ended.
    case ended(ConformanceReport.Result)
}

/// A rule of a seam that is broken: what was expected, and what was there.
public struct ConformanceFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was expected, and what was there.
    public let message: String
    public var description: String { message }
    /// Creates a failure of one rule.
    public init(_ message: String) { self.message = message }
}

/// Thrown by a check that can't be made here, with the reason.
struct ConformanceSkip: Error {
    let reason: String
    init(_ reason: String) { self.reason = reason }
}

/// A rule and the check of it.
struct ConformanceCheck: Sendable {
    let rule: String
    let check: @Sendable () async throws -> Void

    init(_ rule: String, _ check: @escaping @Sendable () async throws -> Void) {
        self.rule = rule
        self.check = check
    }

    /// One after another, each within the limit.
    static func run(
        _ checks: [ConformanceCheck],
        of subject: String,
        within limit: Duration,
        following follow: @Sendable (ConformanceStep) -> Void = { _ in }
    ) async -> ConformanceReport {
        var results: [ConformanceReport.Result] = []
        for check in checks {
            follow(.began(rule: check.rule))
            let outcome: ConformanceReport.Result.Outcome
            do {
                try await within(limit, "the whole check", check.check)
                outcome = .passed
            } catch let skip as ConformanceSkip {
                outcome = .skipped(skip.reason)
            } catch { outcome = .failed("\(error)") }
            results.append(.init(rule: check.rule, outcome: outcome))
            follow(.ended(results[results.count - 1]))
        }
        return ConformanceReport(subject: subject, results: results)
    }
}

/// Throws unless `condition` holds.
func expect(_ condition: Bool, _ message: @autoclosure () -> String) throws(ConformanceFailure) {
    if !condition { throw ConformanceFailure(message()) }
}

/// Throws unless both are equal, and shows them.
func expectEqual<Value: Equatable>(_ found: Value, _ expected: Value, _ what: String) throws(ConformanceFailure) {
    guard found != expected else { return }
    throw ConformanceFailure("\(what): expected \(abridged(expected)), found \(abridged(found))")
}

private func abridged<Value>(_ value: Value) -> String {
    let text = "\(value)"
    return text.utf8.count > 600 ? text.prefix(600) + "…" : text
}
