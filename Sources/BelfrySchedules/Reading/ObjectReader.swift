import Belfry
import BelfryRecurrence
import FoundationEssentials

/// A value with its path.
struct NodePosition {
    let node: JSONNode
    let path: String

    /// The fields; nil if it is no object.
    var fields: [(name: String, position: NodePosition)]? {
        node.fields?.map { ($0.name, NodePosition(node: $0.node, path: "\(path).\($0.name.clipped)")) }
    }

    /// The elements; nil if it is no list.
    var elements: [NodePosition]? {
        node.elements?.enumerated().map { NodePosition(node: $1, path: "\(path)[\($0)]") }
    }

    func path(_ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }
}

/// Reads the values of one object. Errors go to the collector, and the result is then nil.
struct ObjectReader {
    let position: NodePosition
    let collector: DiagnosticCollector
    private let fields: [String: JSONField]

    /// Nil, after reporting an error, if it is no object. Unknown keys are reported.
    init?(_ position: NodePosition, _ keys: [String], _ collector: DiagnosticCollector) {
        guard let all = position.node.fields else {
            collector.add("must be an object, found \(position.node.found)", at: position)
            return nil
        }
        self.position = position
        self.collector = collector
        fields = Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        for field in all where !collector.isFull && !keys.contains(field.name) {
            let advice =
                field.name.probablyMeant(of: keys).map { "did you mean '\($0)'?" }
                ?? "there are \(keys.joined(separator: ", "))"
            let path = position.path(field.name.isEmpty ? "''" : field.name.clipped)
            collector.add("is not known here; \(advice)", at: path, field.nameOffset)
        }
    }

    func has(_ name: String) -> Bool { fields[name] != nil }

    func position(_ name: String) -> NodePosition? {
        fields[name].map { NodePosition(node: $0.node, path: position.path(name)) }
    }

    // MARK: Diagnostics

    /// Reports an error about the object itself.
    func report(_ message: String, code: NoticeError.Code = .invalidSchedule) {
        collector.add(message, at: position, code: code)
    }

    /// Reports an error about a key: at its name if it exists, else at the object.
    func report(_ name: String, _ message: String) {
        collector.add(message, at: position.path(name), fields[name]?.nameOffset ?? position.node.offset)
    }

    func report<Value>(_ name: String, _ message: String) -> Value? {
        report(name, message)
        return nil
    }

    /// Reports a missing key. Returns whether the key exists.
    @discardableResult
    func require(_ name: String, _ advice: String) -> Bool {
        if !has(name) { report(name, "is missing; \(advice)") }
        return has(name)
    }

    /// Reports an error about a key's value.
    func reject<Value>(_ name: String, _ message: String, code: NoticeError.Code = .invalidSchedule) -> Value? {
        if let position = position(name) { collector.add(message, at: position, code: code) }
        return nil
    }

    func mismatch<Value>(_ name: String, _ expected: String) -> Value? {
        reject(name, "must be \(expected), found \(position(name)?.node.found ?? "")")
    }

    /// Returns the result of `read` for a key's value, and reports its error.
    func reading<Value>(_ name: String, _ read: () throws(NoticeError) -> Value) -> Value? {
        do throws(NoticeError) { return try read() } catch { return reject(name, error.message, code: error.code) }
    }

    // MARK: Values

    private func value<Value>(_ name: String, _ expected: String, _ read: (JSONNode) -> Value?) -> Value? {
        guard let node = fields[name]?.node else { return nil }
        return read(node) ?? mismatch(name, expected)
    }

    func text(_ name: String) -> String? { value(name, "a text", \.text) }

    func bool(_ name: String) -> Bool? { value(name, "true or false", \.bool) }

    func number(_ name: String) -> Double? { value(name, "a number", \.number) }

    func integer(_ name: String, _ range: ClosedRange<Int>) -> Int? {
        let (low, high) = (range.lowerBound, range.upperBound)
        return value(name, "a whole number, \(high == .max ? "\(low) or more" : "\(low) to \(high)")") { node in
            node.integer.flatMap { range.contains($0) ? $0 : nil }
        }
    }

    func texts(_ name: String) -> [String]? {
        value(name, "a list of texts") { node in
            guard let elements = node.elements else { return nil }
            let texts = elements.compactMap(\.text)
            return texts.count == elements.count ? texts : nil
        }
    }

    /// Reads one of the names of an enumeration.
    func choice<Choice>(_ name: String, _ type: Choice.Type = Choice.self) -> Choice?
    where Choice: RawRepresentable & CaseIterable, Choice.RawValue == String {
        value(name, "one of \(Choice.allCases.map(\.rawValue).joined(separator: ", "))") { node in
            node.text.flatMap(Choice.init)
        }
    }

    /// Reads a duration as on the command line (`90s`, `1h30m`), or a number of seconds.
    func duration(_ name: String) -> Duration? {
        guard let node = fields[name]?.node else { return nil }
        switch node.value {
        case .integer(let seconds) where (0...1_000_000_000_000).contains(seconds): return .seconds(seconds)
        case .number(let seconds) where (0...1e12).contains(seconds):
            return .microseconds(Int64((seconds * 1e6).rounded()))
        case .text(let text): return reading(name) { () throws(NoticeError) in try DurationText.parse(text) }
        default: return mismatch(name, "a duration such as '90s' or '1h30m', or seconds")
        }
    }

    func date(_ name: String, in zone: ZoneRules, _ bareDate: DateText.BareDate = .firstSecond) -> Date? {
        typedDate(name, in: zone, bareDate)?.date
    }

    /// Reads a date with the local one that was typed.
    func typedDate(
        _ name: String,
        in zone: ZoneRules,
        _ bareDate: DateText.BareDate = .firstSecond
    ) -> DateText.Value? {
        guard let text = value(name, "a date such as '2026-12-24 18:00'", \.text) else { return nil }
        return reading(name) { () throws(NoticeError) in
            try DateText(zone: zone).value(of: text, bareDate: bareDate)
        }
    }

    /// Reads a name of the zone data, and returns its rules.
    func zone(_ name: String) -> ZoneRules? {
        guard let text = text(name) else { return nil }
        do throws(RecurrenceError) { return try ZoneRules.named(text) } catch { return reject(name, error.message) }
    }

    func positions(_ name: String) -> [NodePosition]? {
        guard let position = position(name) else { return nil }
        return position.elements ?? mismatch(name, "a list")
    }

    func object(_ name: String, _ keys: [String]) -> ObjectReader? {
        position(name).flatMap { ObjectReader($0, keys, collector) }
    }
}

extension String {
    /// Returns the key that was probably meant: at most two characters are missing, in excess, or one is another.
    fileprivate func probablyMeant(of keys: [String]) -> String? {
        // The time grows with the lengths, and a file may have any name.
        guard count <= 40 else { return nil }
        let name = lowercased()
        return keys.map { (key: $0, changes: $0.lowercased().difference(from: name).count) }
            .min { $0.changes < $1.changes }.flatMap { $0.changes <= 2 ? $0.key : nil }
    }
}
