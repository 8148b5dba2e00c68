extension Duration {
    /// The whole duration in seconds.
    public var seconds: Double {
        let (whole, atto) = components
        return Double(whole) + Double(atto) * 1e-18
    }

    /// Microseconds, rounded up so that nothing fires early; clamped to what 64 bits hold. Less than a nanosecond is
    /// the noise of `.seconds(1.1)`, and is left out.
    var microseconds: Int64 {
        let (whole, atto) = components
        let (scaled, overflow) = whole.multipliedReportingOverflow(by: 1_000_000)
        guard !overflow else { return whole < 0 ? .min / 4 : .max / 4 }
        let micro = atto / 1_000_000_000_000
        let rest = atto % 1_000_000_000_000
        return min(max(scaled, .min / 4), .max / 4) + micro + (rest >= 1_000_000_000 ? 1 : 0)
    }
}
