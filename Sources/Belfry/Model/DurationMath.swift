/// Conversions that never trap, unlike `Duration.components` beyond 2^63 seconds (a `Duration` has 128 bits).
extension Duration {
    /// The whole duration in seconds.
    package var seconds: Double {
        let (whole, rest) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000_000_000_000)
        return Double(whole) + Double(rest) * 1e-18
    }

    /// The duration in microseconds, rounded up so that nothing fires early, and clamped to a quarter of the `Int64`
    /// range. A remainder below one nanosecond is dropped: it is the rounding error of `.seconds(1.1)`.
    package var microseconds: Int64 {
        let (whole, rest) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000_000)
        let limit = Int128(Int64.max / 4)
        return Int64(min(max(whole, -limit), limit)) + (rest >= 1_000_000_000 ? 1 : 0)
    }
}
