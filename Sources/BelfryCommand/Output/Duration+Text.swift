import Belfry

extension Duration {
    /// The duration for the user in at most two units: `2.4 s`, `4 min 3 s`, `1 h 5 min`, `2 d 3 h`.
    var readable: String {
        let seconds = max(0, seconds)
        guard seconds >= 9.95 else { return "\((seconds * 10).rounded() / 10) s" }
        let whole = Int(min(seconds.rounded(), 1e15))
        let units = [(whole / 86_400, "d"), (whole / 3_600 % 24, "h"), (whole / 60 % 60, "min"), (whole % 60, "s")]
        let first = units.firstIndex { $0.0 > 0 } ?? units.count - 1
        return units[first...].prefix(2).filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: " ")
    }
}
