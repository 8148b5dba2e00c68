import Belfry
import BelfryRecurrence

/// One reading of a file, with its options and results.
struct ScheduleReading {
    let collector: DiagnosticCollector
    let options: ScheduleOptions
    /// The zone of dates and times of day without one.
    let zone: ZoneRules
    private(set) var entries: [ScheduledNotice] = []
    var warnings: [String] = []
    /// The paths of the entries, by their keys.
    private var paths: [String: String] = [:]
    /// The number of the last entry with each fingerprint.
    private var copies: [String: Int] = [:]
    /// The maximum number of notices: each is examined whenever the file changes.
    private static let maximumCount = 10_000

    init(collector: DiagnosticCollector, options: ScheduleOptions) {
        self.collector = collector
        self.options = options
        zone = options.zone ?? .system()
    }

    mutating func readJSON(_ bytes: [UInt8]) {
        let (root, errors) = JSON5Reader.read(bytes)
        for error in errors { collector.add(error) }
        guard let root else { return }
        let position = NodePosition(node: root, path: "")
        switch root.value {
        case .object where root["version"] != nil || root["notices"] != nil: readNative(position)
        case .object: readForms([position])
        case .list: readForms(position.elements ?? [])
        default:
            collector.add(
                "must be an object with \"version\": 1 and \"notices\", or a list of notices, found \(root.found)",
                at: position
            )
        }
    }

    func isFull(_ count: Int, _ path: String, _ offset: Int) -> Bool {
        guard count > Self.maximumCount else { return false }
        collector.add("has \(count) notices; \(Self.maximumCount) is the most", at: path, offset)
        return true
    }

    /// Appends an entry whose values are valid.
    mutating func append(
        _ position: NodePosition,
        id: String?,
        idOffset: Int? = nil,
        fingerprint: String,
        _ request: NoticeRequest,
        _ plan: NoticePlan
    ) {
        let key = id ?? newKey(fingerprint)
        func reportID(_ message: String) {
            collector.add(message, at: position.path("id"), idOffset ?? position.node.offset)
        }
        if let id {
            if let other = paths[key] {
                return reportID("is the identifier of \(other) as well; identifiers must differ")
            }
            guard !id.isEmpty, id.utf8.count <= 1_024 else {
                return reportID("must be an identifier of 1 to 1,024 bytes")
            }
        }
        paths[key] = position.path.isEmpty ? "the notice before it" : position.path
        // An entry with errors isn't validated again, so that nothing is reported twice.
        guard !collector.hasDiagnostic(under: position.path) else { return }
        do throws(NoticeError) { try RequestValidation().validate(request.content, of: id ?? position.path) } catch {
            collector.add(error.message, at: position, code: error.code)
        }
        entries.append(
            ScheduledNotice(
                key: key,
                id: id,
                fingerprint: fingerprint,
                path: position.path,
                position: TextPosition(line: 1, column: 1),
                request: request,
                plan: plan,
                offset: position.node.offset
            )
        )
    }

    /// Returns a new key. Two identical entries are two notices.
    private mutating func newKey(_ fingerprint: String) -> String {
        var key = "#\(fingerprint)"
        var number = copies[fingerprint] ?? 1
        while paths[key] != nil {
            number += 1
            key = "#\(fingerprint)-\(number)"
        }
        copies[fingerprint] = number
        return key
    }
}
