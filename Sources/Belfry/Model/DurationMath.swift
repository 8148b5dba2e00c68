/// Total functions: `Duration.components` ends the process beyond 2^63 seconds, which 128 bits of attoseconds can hold.
extension Duration {
    /// The whole duration in seconds.
    package var seconds: Double {
        let (whole, rest) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000_000_000_000)
        return Double(whole) + Double(rest) * 1e-18
    }

    /// Microseconds, rounded up so that nothing fires early; clamped to a quarter of what 64 bits hold. Less than a
    /// nanosecond is the noise of `.seconds(1.1)`, and is left out.
    package var microseconds: Int64 {
        let (whole, rest) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000_000)
        let limit = Int128(Int64.max / 4)
        return Int64(min(max(whole, -limit), limit)) + (rest >= 1_000_000_000 ? 1 : 0)
    }
}
