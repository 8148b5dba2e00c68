import Belfry

/// Collects the diagnostics of a file while it is read, so that all of them are reported at once.
final class DiagnosticCollector {
    private let source: SourceText
    private var found: [(offset: Int, diagnostic: ScheduleDiagnostic)] = []

    init(_ source: SourceText) { self.source = source }

    var isEmpty: Bool { found.isEmpty }
    /// Whether the limit is reached, so that no more are collected.
    var isFull: Bool { found.count >= ScheduleError.limit }

    func add(
        _ message: String,
        at path: String,
        _ offset: Int,
        code: NoticeError.Code = .invalidSchedule,
        excerpt: @autoclosure () -> String? = nil
    ) {
        guard !isFull else { return }
        // A value that is read twice is reported once.
        let isKnown = found.contains {
            offset == $0.offset && ($0.diagnostic.path, $0.diagnostic.message) == (path, message)
        }
        guard !isKnown else { return }
        let diagnostic = ScheduleDiagnostic(code: code, path: path, message: message, excerpt: excerpt())
        found.append((offset, diagnostic))
    }

    func add(_ message: String, at position: NodePosition, code: NoticeError.Code = .invalidSchedule) {
        add(message, at: position.path, position.node.offset, code: code)
    }

    /// Adds an error in the syntax, with an excerpt of the text.
    func add(_ error: JSON5Error) { add(error.reason, at: "", error.offset, excerpt: source.excerpt(at: error.offset)) }

    /// Whether there is a diagnostic about a value or its contents.
    func hasDiagnostic(under path: String) -> Bool { found.contains { $0.diagnostic.path.hasPrefix(path) } }

    /// The diagnostics, in the order of the file.
    var diagnostics: [ScheduleDiagnostic] {
        let sorted = found.enumerated().sorted { ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset) }
            .map(\.element)
        return zip(sorted.map(\.diagnostic), source.positions(of: sorted.map(\.offset))).map { diagnostic, position in
            var diagnostic = diagnostic
            diagnostic.position = position
            return diagnostic
        }
    }
}
