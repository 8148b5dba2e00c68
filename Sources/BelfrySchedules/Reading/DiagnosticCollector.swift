import Belfry

/// Gathers what is wrong while a file is read, so that all of it is told at once.
final class DiagnosticCollector {
    let source: SourceText
    private struct Finding {
        let offset: Int
        let path: String
        let message: String
        let code: NoticeError.Code
        var showsText = false
    }
    private var findings: [Finding] = []

    init(_ source: SourceText) { self.source = source }

    var isEmpty: Bool { findings.isEmpty }
    /// Nothing more is taken.
    var isFull: Bool { findings.count >= ScheduleError.limit }

    func add(_ message: String, at path: String, _ offset: Int, code: NoticeError.Code = .invalidSchedule) {
        guard !isFull else { return }
        // A value that is asked for twice is wrong once.
        guard !findings.contains(where: { $0.offset == offset && $0.path == path && $0.message == message }) else {
            return
        }
        findings.append(Finding(offset: offset, path: path, message: message, code: code))
    }

    func add(_ message: String, at place: NodePosition, code: NoticeError.Code = .invalidSchedule) {
        add(message, at: place.path, place.node.offset, code: code)
    }

    /// Whether something was wrong with a value or with what is in it.
    func hasFault(under path: String) -> Bool { findings.contains { $0.path.hasPrefix(path) } }

    func add(_ fault: JSON5Error) {
        guard !isFull else { return }
        let code = NoticeError.Code.invalidSchedule
        findings.append(Finding(offset: fault.offset, path: "", message: fault.reason, code: code, showsText: true))
    }

    /// In the order of the file.
    var faults: [ScheduleDiagnostic] {
        let sorted = findings.enumerated().sorted { ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset) }
            .map(\.element)
        return zip(sorted, source.positions(of: sorted.map(\.offset))).map { finding, position in
            ScheduleDiagnostic(
                finding.code,
                path: finding.path,
                position: position,
                message: finding.message,
                excerpt: finding.showsText ? source.excerpt(at: finding.offset) : nil
            )
        }
    }
}
