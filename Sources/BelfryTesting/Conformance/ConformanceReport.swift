/// The results of a conformance suite.
///
/// ```swift
/// let report = await DeliveryBackendConformance { RecorderBackend() }.runAll()
/// print(report)
/// for result in report.skipped { print("not checked: \(result.rule)") }
/// try report.verify()
/// ```
public struct ConformanceReport: Sendable, CustomStringConvertible {
    /// The result of one rule.
    public struct Result: Sendable, Hashable, Codable {
        /// The outcome of checking a rule.
        public enum Outcome: Sendable, Hashable, Codable {
            /// The rule holds.
            case passed
            /// The rule was not checked: what the subject does not support, or what the suite was not given.
            case skipped(String)
            /// The rule is broken: the expected and the actual value.
            case failed(String)
        }

        /// The checked rule, as a sentence.
        public let rule: String
        /// The outcome of the check.
        public let outcome: Outcome

        package init(rule: String, outcome: Outcome) {
            self.rule = rule
            self.outcome = outcome
        }
    }

    /// The checked backend or provider.
    public let subject: String
    /// The rules, in the order in which they were checked.
    public let results: [Result]

    /// The results of the rules that are broken.
    public var failures: [Result] {
        results.filter { if case .failed = $0.outcome { true } else { false } }
    }

    /// The results of the rules that could not be checked, each with its reason.
    public var skipped: [Result] {
        results.filter { if case .skipped = $0.outcome { true } else { false } }
    }

    /// The report with one line for each rule.
    public var description: String {
        results.reduce("\(subject):") { text, result in
            switch result.outcome {
            case .passed: text + "\n  passed   \(result.rule)"
            case .skipped(let reason): text + "\n  skipped  \(result.rule): \(reason)"
            case .failed(let message): text + "\n  FAILED   \(result.rule): \(message)"
            }
        }
    }

    /// Throws a ``ConformanceError`` that lists every broken rule, if there is one. It is permanent: correct the
    /// backend or provider.
    public func verify() throws(ConformanceError) {
        guard !failures.isEmpty else { return }
        let lines = failures.map { result in
            guard case .failed(let message) = result.outcome else { return result.rule }
            return "\(result.rule): \(message)"
        }
        throw ConformanceError("\(subject) breaks \(failures.count) rules.\n" + lines.joined(separator: "\n"))
    }
}

/// A step of a running suite.
///
/// ```swift
/// let report = await DeliveryBackendConformance { RecorderBackend() }.runAll { step in
///     if case .began(let rule) = step { print("checking: \(rule)") }
/// }
/// ```
public enum ConformanceStep: Sendable, Hashable, Codable {
    /// The check of a rule has begun.
    case began(rule: String)
    /// The check of a rule has ended.
    case ended(ConformanceReport.Result)
}

/// A broken rule of a protocol: the expected and the actual value.
///
/// ```swift
/// let report = await LocationProviderConformance { GPSDProvider() }.runAll()
/// do throws(ConformanceError) {
///     try report.verify()
/// } catch {
///     print(error.message)
/// }
/// ```
public struct ConformanceError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The expected and the actual value.
    public let message: String
    public var description: String { message }
    /// Creates the error of one rule.
    public init(_ message: String) { self.message = message }
}

/// Thrown by a check that can't be made here, with the reason.
package struct ConformanceSkip: Error {
    let reason: String
    package init(_ reason: String) { self.reason = reason }
}

/// A rule and the check of it.
package struct ConformanceCheck: Sendable {
    let rule: String
    let check: @Sendable () async throws -> Void

    package init(_ rule: String, _ check: @escaping @Sendable () async throws -> Void) {
        self.rule = rule
        self.check = check
    }

    /// Runs checks one after another, each within the timeout.
    package static func run(
        _ checks: [ConformanceCheck],
        of subject: String,
        within timeout: Duration,
        following follow: @Sendable (ConformanceStep) -> Void = { _ in }
    ) async -> ConformanceReport {
        var results: [ConformanceReport.Result] = []
        for check in checks {
            follow(.began(rule: check.rule))
            let outcome: ConformanceReport.Result.Outcome
            do {
                try await within(timeout, "the whole check", check.check)
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
package func expect(_ condition: Bool, _ message: @autoclosure () -> String) throws(ConformanceError) {
    if !condition { throw ConformanceError(message()) }
}

/// Throws unless both values are equal; the error shows both.
package func expectEqual<Value: Equatable>(_ found: Value, _ expected: Value, _ what: String) throws(ConformanceError) {
    guard found != expected else { return }
    throw ConformanceError("\(what): expected \(abridged(expected)), found \(abridged(found))")
}

private func abridged<Value>(_ value: Value) -> String {
    let text = "\(value)"
    return text.utf8.count > 600 ? text.prefix(600) + "…" : text
}
