import Belfry
import BelfryRecurrence

/// One reading of a file: which form it has, and what came of it.
struct ScheduleReading {
    let collector: DiagnosticCollector
    let options: ScheduleOptions
    /// The zone of dates and times of day that name none.
    let zone: ZoneRules
    private(set) var entries: [ScheduledNotice] = []
    var warnings: [String] = []
    private var places: [String: String] = [:]
    /// More are refused: each has to be looked at whenever the file changes.
    static let maximumCount = 10_000

    init(collector: DiagnosticCollector, options: ScheduleOptions) {
        self.collector = collector
        self.options = options
        zone = options.zone ?? .system()
    }

    mutating func readJSON(_ bytes: [UInt8]) {
        let (root, faults) = JSON5Reader.read(bytes)
        for fault in faults { collector.add(fault) }
        guard let root else { return }
        switch root.value {
        case .object where root["version"] != nil || root["notices"] != nil: readNative(root)
        case .object: readForms([NodePosition(node: root, path: "")])
        case .list(let elements):
            readForms(elements.enumerated().map { NodePosition(node: $1, path: "[\($0)]") })
        default:
            collector.add(
                "must be an object with \"version\": 1 and \"notices\", or a list of notices, found \(root.found)",
                at: "",
                root.offset
            )
        }
    }

    func isFull(_ count: Int, _ path: String, _ offset: Int) -> Bool {
        guard count > Self.maximumCount else { return false }
        collector.add("has \(count) notices; \(Self.maximumCount) is the most", at: path, offset)
        return true
    }

    /// Takes an entry whose values are in order.
    mutating func take(
        _ place: NodePosition,
        id: String?,
        idOffset: Int? = nil,
        fingerprint: String,
        _ request: NoticeRequest,
        _ plan: NoticePlan
    ) {
        var key = id ?? "#\(fingerprint)"
        if let id {
            if let other = places[key] {
                let message = "is the identifier of \(other) as well; identifiers must differ"
                collector.add(
                    message,
                    at: place.path.isEmpty ? "id" : "\(place.path).id",
                    idOffset ?? place.node.offset
                )
                return
            }
            guard !id.isEmpty, id.utf8.count <= 1_024 else {
                let message = "must be an identifier of 1 to 1,024 bytes"
                collector.add(message, at: "\(place.path).id", idOffset ?? place.node.offset)
                return
            }
        } else {
            // Two entries that say the same are two notices.
            var number = 2
            while places[key] != nil {
                key = "#\(fingerprint)-\(number)"
                number += 1
            }
        }
        places[key] = place.path.isEmpty ? "the notice before it" : place.path
        // What is wrong already need not be said twice.
        guard !collector.hasFault(under: place.path) else { return }
        do throws(NoticeError) { try RequestValidation.validate(request.content, of: id ?? place.path) } catch {
            collector.add(error.message, at: place, code: error.code)
        }
        entries.append(
            ScheduledNotice(
                key: key,
                id: id,
                fingerprint: fingerprint,
                path: place.path,
                position: TextPosition(line: 1, column: 1),
                request: request,
                plan: plan,
                offset: place.node.offset
            )
        )
    }
}
