import Belfry

/// Durations as people type them: `90s`, `5m`, `1h30m`, `2d`.
///
/// Units from large to small, each at most once: `w d h m s ms`. A number may have decimals (`1.5h`).
package enum DurationText {
    private static let units: [(name: String, seconds: Int64, perSecond: Int64)] = [
        ("w", 604_800, 1), ("d", 86_400, 1), ("h", 3600, 1), ("m", 60, 1), ("s", 1, 1), ("ms", 1, 1000),
    ]
    private static let advice = "write it as 90s, 5m, 1h30m or 2d."
    /// Longer than any trigger bears, and far from what a `Duration` can't hold.
    private static let maximum = Duration.seconds(1_000_000_000_000)

    /// Throws ``NoticeError`` that names the text and what is wrong with it.
    package static func parse(_ text: String) throws(NoticeError) -> Duration {
        var rest = Substring(text)
        var total = Duration.zero
        var nextUnit = 0
        guard !rest.isEmpty else { throw NoticeError(.invalidNotation, "The duration is empty: \(advice)") }
        while !rest.isEmpty {
            let number = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
            guard !number.isEmpty else { throw unreadable(text, "has no number before '\(rest.first!)': \(advice)") }
            rest.removeFirst(number.count)
            let name = rest.prefix { $0.isASCII && $0.isLetter }
            rest.removeFirst(name.count)
            guard !name.isEmpty else { throw unreadable(text, "has no unit after \(number.prefix(20)): \(advice)") }
            guard let index = units.firstIndex(where: { $0.name == name }) else {
                throw unreadable(
                    text,
                    "has the unit '\(name.prefix(20))', which is none of w, d, h, m, s and ms: \(advice)"
                )
            }
            guard index >= nextUnit else {
                throw unreadable(
                    text,
                    "has \(name) in the wrong place; each unit stands once, from large to small: \(advice)"
                )
            }
            nextUnit = index + 1
            total += try amount(number, unit: units[index], of: text)
            guard total <= maximum else { throw unreadable(text, "is too long.") }
        }
        return total
    }

    private static func amount(
        _ number: Substring,
        unit: (name: String, seconds: Int64, perSecond: Int64),
        of text: String
    ) throws(NoticeError) -> Duration {
        let parts = number.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, !parts.contains(where: \.isEmpty) else {
            throw unreadable(text, "has the unreadable number '\(number.prefix(20))': \(advice)")
        }
        guard parts[0].count <= 12, let whole = Int64(parts[0]) else { throw unreadable(text, "is too long.") }
        let one = Duration.seconds(unit.seconds) / Int(unit.perSecond)
        guard parts.count == 2 else { return one * Int(whole) }
        guard parts[1].count <= 9, let fraction = Int64(parts[1]) else {
            throw unreadable(text, "has more than nine decimals.")
        }
        var scale: Int64 = 1
        for _ in parts[1] { scale *= 10 }
        return one * Int(whole) + one * Int(fraction) / Int(scale)
    }

    private static func unreadable(_ text: String, _ reason: String) -> NoticeError {
        NoticeError(.invalidNotation, "The duration '\(text.clipped)' \(reason)")
    }
}
