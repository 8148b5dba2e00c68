import Belfry

/// Collects the diagnostics of a file while it is read, so that all of them are reported at once.
final class DiagnosticCollector {
    private let source: SourceText
    private var found: [(offset: Int, diagnostic: ScheduleDiagnostic)] = []

    init(_ source: SourceText) { self.source = source }

    var isEmpty: Bool { found.isEmpty }
    /// Whether no more are collected.
    var isFull: Bool { found.count >= ScheduleError.limit }

    func add(
        _ message: String,
        at path: String,
        _ offset: Int,
        code: NoticeError.Code = .invalidSchedule,
        excerpt: String? = nil
    ) {
        // A value that is asked for twice is wrong once.
        let isKnown = found.contains {
            offset == $0.offset && ($0.diagnostic.path, $0.diagnostic.message) == (path, message)
        }
        guard !isFull, !isKnown else { return }
        let diagnostic = ScheduleDiagnostic(code: code, path: path, message: message, excerpt: excerpt)
        found.append((offset, diagnostic))
    }

    func add(_ message: String, at position: NodePosition, code: NoticeError.Code = .invalidSchedule) {
        add(message, at: position.path, position.node.offset, code: code)
    }

    /// An error in the text itself, which is shown.
    func add(_ error: JSON5Error) { add(error.reason, at: "", error.offset, excerpt: source.excerpt(at: error.offset)) }

    /// Whether there is a diagnostic about a value or about what is in it.
    func hasDiagnostic(under path: String) -> Bool { found.contains { $0.diagnostic.path.hasPrefix(path) } }

    /// In the order of the file.
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
