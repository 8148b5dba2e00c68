import FoundationEssentials

extension Date {
    /// Microseconds since 1970, to the nearest; clamped to what fits.
    var wholeMicroseconds: Int64 {
        Int64(exactly: (timeIntervalSince1970 * 1e6).rounded()) ?? (timeIntervalSince1970 < 0 ? .min / 2 : .max / 2)
    }
}

extension Duration {
    /// Microseconds, rounded up as deadlines are; clamped to what fits. Less than a nanosecond is the noise of
    /// `.seconds(1.1)`.
    var wholeMicroseconds: Int64 {
        let (seconds, attoseconds) = components
        guard seconds.magnitude < 1 << 42 else { return seconds < 0 ? .min / 2 : .max / 2 }
        let rest = attoseconds % 1_000_000_000_000
        return seconds * 1_000_000 + attoseconds / 1_000_000_000_000 + (rest >= 1_000_000_000 ? 1 : 0)
    }
}
