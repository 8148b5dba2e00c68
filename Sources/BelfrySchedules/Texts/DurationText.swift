package import Belfry

/// Durations as users type them: `90s`, `5m`, `1h30m`, `2d`.
///
/// Units go from large to small, each at most once: `w d h m s ms`. A number may have decimals (`1.5h`).
package enum DurationText {
    private static let units: [(name: String, duration: Duration)] = [
        ("w", .seconds(604_800)), ("d", .seconds(86_400)), ("h", .seconds(3600)), ("m", .seconds(60)),
        ("s", .seconds(1)), ("ms", .milliseconds(1)),
    ]
    private static let advice = "write it as 90s, 5m, 1h30m or 2d."
    /// Longer than any trigger accepts, and far below the limit of `Duration`.
    private static let maximum = Duration.seconds(1_000_000_000_000)

    private struct Unreadable: Error {
        let reason: String
    }

    /// Parses a duration. Throws ``NoticeError`` with the text and the error in it, and `option`, if it is given.
    package static func parse(_ text: String, option: String? = nil) throws(NoticeError) -> Duration {
        let subject = option.map { "\($0): the duration" } ?? "The duration"
        guard !text.isEmpty else { throw NoticeError(.invalidNotation, "\(subject) is empty: \(advice)") }
        do throws(Unreadable) { return try read(text) } catch {
            throw NoticeError(.invalidNotation, "\(subject) '\(text.clipped)' \(error.reason)")
        }
    }

    private static func read(_ text: String) throws(Unreadable) -> Duration {
        var rest = Substring(text)
        var total = Duration.zero
        var left = units[...]
        while let first = rest.first {
            let number = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
            guard !number.isEmpty else { throw Unreadable(reason: "has no number before '\(first)': \(advice)") }
            rest.removeFirst(number.count)
            let name = rest.prefix { $0.isASCII && $0.isLetter }
            rest.removeFirst(name.count)
            guard !name.isEmpty else {
                throw Unreadable(reason: "has no unit after \(number.prefix(20)): \(advice)")
            }
            guard let index = units.firstIndex(where: { $0.name == name }) else {
                let known = "none of w, d, h, m, s and ms"
                throw Unreadable(reason: "has the unit '\(name.prefix(20))', which is \(known): \(advice)")
            }
            guard left.indices.contains(index) else {
                let rule = "each unit stands once, from large to small"
                throw Unreadable(reason: "has \(name) in the wrong place; \(rule): \(advice)")
            }
            left = units[(index + 1)...]
            total += try amount(number, of: units[index].duration)
            guard total <= maximum else { throw Unreadable(reason: "is too long.") }
        }
        return total
    }

    private static func amount(_ number: Substring, of unit: Duration) throws(Unreadable) -> Duration {
        let parts = number.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, !parts.contains(where: \.isEmpty) else {
            throw Unreadable(reason: "has the unreadable number '\(number.prefix(20))': \(advice)")
        }
        guard parts[0].count <= 12, let whole = Int(parts[0]) else { throw Unreadable(reason: "is too long.") }
        guard parts.count == 2 else { return unit * whole }
        guard parts[1].count <= 9, let fraction = Int(parts[1]) else {
            throw Unreadable(reason: "has more than nine decimals.")
        }
        let scale = parts[1].reduce(1) { scale, _ in scale * 10 }
        return unit * whole + unit * fraction / scale
    }
}
