import Belfry
import BelfryRecurrence
import Foundation

/// The keys that an object may have, under the name that the JSON Schema has for it.
struct KeySet: Sendable {
    let name: String
    let keys: [String]
    /// Also any other key, which is then the app's own.
    var isOpen = false
}

/// A value and the path to it.
struct NodePosition {
    let node: JSONNode
    let path: String
}

/// Reads the values of one object; what is wrong goes to the collector, and the answer is then nil.
struct ObjectReader {
    let node: JSONNode
    let path: String
    let collector: DiagnosticCollector
    private let fields: [String: JSONField]

    /// Nil, and told, where it is no object. Unknown keys are told.
    init?(_ place: NodePosition, _ keys: KeySet, _ collector: DiagnosticCollector) {
        guard let all = place.node.fields else {
            collector.add("must be an object, found \(place.node.found)", at: place)
            return nil
        }
        node = place.node
        path = place.path
        self.collector = collector
        fields = Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        guard !keys.isOpen else { return }
        for field in all where !collector.isFull && !keys.keys.contains(field.name) {
            let guess = keys.keys.min { Self.distance($0, field.name) < Self.distance($1, field.name) }
                .flatMap { Self.distance($0, field.name) <= 2 ? $0 : nil }
            let advice = guess.map { "did you mean '\($0)'?" } ?? "there are \(keys.keys.joined(separator: ", "))"
            let name = field.name.isEmpty ? "''" : String(field.name.clipped)
            collector.add("is not known here; \(advice)", at: self.path(name), field.nameOffset)
        }
    }

    func path(_ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }

    func has(_ name: String) -> Bool { fields[name] != nil }

    func place(_ name: String) -> NodePosition? {
        fields[name].map { NodePosition(node: $0.node, path: path(name)) }
    }

    /// At a key's name where it is there, else at the object.
    func fault(_ name: String, _ message: String) {
        collector.add(message, at: path(name), fields[name]?.nameOffset ?? node.offset)
    }

    /// At the object itself.
    func fault(_ message: String, code: NoticeError.Code = .invalidSchedule) {
        collector.add(message, at: path, node.offset, code: code)
    }

    func mismatch<Value>(_ name: String, _ expected: String) -> Value? {
        if let place = place(name) {
            collector.add("must be \(expected), found \(place.node.found)", at: place)
        }
        return nil
    }

    // MARK: Plain values

    func text(_ name: String) -> String? {
        guard let node = fields[name]?.node else { return nil }
        return node.text ?? mismatch(name, "a text")
    }

    func bool(_ name: String) -> Bool? {
        guard let node = fields[name]?.node else { return nil }
        if case .bool(let value) = node.value { return value }
        return mismatch(name, "true or false")
    }

    func integer(_ name: String, _ range: ClosedRange<Int>) -> Int? {
        guard let node = fields[name]?.node else { return nil }
        let value: Int?
        switch node.value {
        case .integer(let number): value = Int(exactly: number)
        case .number(let number): value = Int(exactly: number)
        default: value = nil
        }
        if let value, range.contains(value) { return value }
        let bound =
            range.upperBound == .max ? "\(range.lowerBound) or more" : "\(range.lowerBound) to \(range.upperBound)"
        return mismatch(name, "a whole number, \(bound)")
    }

    func number(_ name: String) -> Double? {
        guard let node = fields[name]?.node else { return nil }
        switch node.value {
        case .integer(let value): return Double(value)
        case .number(let value) where value.isFinite: return value
        default: return mismatch(name, "a number")
        }
    }

    func texts(_ name: String) -> [String]? {
        guard let node = fields[name]?.node else { return nil }
        guard let elements = node.elements else { return mismatch(name, "a list of texts") }
        let texts = elements.compactMap(\.text)
        return texts.count == elements.count ? texts : mismatch(name, "a list of texts")
    }

    /// One of the names of an enumeration.
    func choice<Choice>(_ name: String, _ type: Choice.Type = Choice.self) -> Choice?
    where Choice: RawRepresentable & CaseIterable, Choice.RawValue == String {
        guard let node = fields[name]?.node else { return nil }
        if let text = node.text, let choice = Choice(rawValue: text) { return choice }
        return mismatch(name, "one of \(Choice.allCases.map(\.rawValue).joined(separator: ", "))")
    }

    /// As on the command line (`90s`, `1h30m`), or a number of seconds.
    func duration(_ name: String) -> Duration? { place(name).flatMap { duration($0) } }

    func duration(_ place: NodePosition) -> Duration? {
        switch place.node.value {
        case .integer(let seconds) where (0...1_000_000_000_000).contains(seconds): return .seconds(seconds)
        case .number(let seconds) where (0...1e12).contains(seconds):
            return .microseconds(Int64((seconds * 1e6).rounded()))
        case .text(let text):
            do throws(NoticeError) { return try DurationText.parse(text) } catch {
                collector.add(error.message, at: place, code: error.code)
            }
        default:
            collector.add(
                "must be a duration such as '90s' or '1h30m', or seconds, found \(place.node.found)",
                at: place
            )
        }
        return nil
    }

    func date(_ name: String, in zone: ZoneRules, _ bareDate: DateText.BareDate = .firstSecond) -> Date? {
        guard let place = place(name) else { return nil }
        guard let text = place.node.text else {
            return mismatch(name, "a date such as '2026-12-24 18:00'")
        }
        do throws(NoticeError) { return try DateText(zone: zone).parse(text, bareDate: bareDate) } catch {
            collector.add(error.message, at: place, code: error.code)
            return nil
        }
    }

    /// A name of the zone data, with its rules.
    func zone(_ name: String) -> ZoneRules? {
        guard let text = text(name) else { return nil }
        do throws(RecurrenceError) { return try ZoneRules.named(text) } catch {
            collector.add(error.message, at: path(name), fields[name]?.node.offset ?? node.offset)
            return nil
        }
    }

    func places(_ name: String) -> [NodePosition]? {
        guard let node = fields[name]?.node else { return nil }
        guard let elements = node.elements else { return mismatch(name, "a list") }
        return elements.enumerated().map { NodePosition(node: $1, path: "\(path(name))[\($0)]") }
    }

    /// Levenshtein distance of short names; of others it is infinite.
    private static func distance(_ left: String, _ right: String) -> Int {
        let (a, b) = (Array(left.lowercased().utf8), Array(right.lowercased().utf8))
        guard a.count <= 40, b.count <= 40, abs(a.count - b.count) <= 2 else { return .max }
        var row = Array(0...b.count)
        for (i, x) in a.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, y) in b.enumerated() {
                let above = row[j + 1]
                row[j + 1] = min(above + 1, row[j] + 1, diagonal + (x == y ? 0 : 1))
                diagonal = above
            }
        }
        return row[b.count]
    }
}
