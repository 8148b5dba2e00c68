import Belfry

extension Duration {
    /// The duration for the user in at most two units: `2.4 s`, `4 min 3 s`, `1 h 5 min`, `2 d 3 h`.
    var readable: String {
        let seconds = max(0, seconds)
        guard seconds >= 9.95 else { return "\((seconds * 10).rounded() / 10) s" }
        return TimeSpan.text(Int(min(seconds.rounded(), 1e15)))
    }
}
