import Foundation

/// Numbers as a user reads them.
enum Figure {
    /// Three significant digits, thousands apart.
    static func text(_ value: Double) -> String {
        guard value.isFinite else { return "–" }
        if value == value.rounded(), value.magnitude < 1_000 { return String(Int(value)) }
        if value.magnitude >= 100 { return grouped(Int64(value.rounded())) }
        let digits = value.magnitude >= 10 ? 1 : value.magnitude >= 1 ? 2 : 3
        return String(format: "%.\(digits)f", value)
    }

    private static func grouped(_ value: Int64) -> String {
        var rest = String(value.magnitude)
        var groups: [Substring] = []
        while rest.count > 3 {
            groups.insert(rest.suffix(3), at: 0)
            rest = String(rest.dropLast(3))
        }
        return (value < 0 ? "−" : "") + ([rest] + groups.map(String.init)).joined(separator: ",")
    }
}
