import CBenchmarkLoops

/// The time of a piece of work.
enum Stopwatch {
    /// Seconds of processor time that `body` took on this thread: for work that one thread does without waiting. What
    /// else the machine does at the time is left out, but for its use of the caches.
    static func seconds(_ body: () throws -> Void) rethrows -> Double {
        let begun = benchmark_thread_nanoseconds()
        try body()
        return Double(benchmark_thread_nanoseconds() - begun) * 1e-9
    }

    /// Seconds that passed meanwhile: for work that other threads have a part in.
    static func elapsedSeconds(_ body: () throws -> Void) rethrows -> Double {
        let begun = benchmark_monotonic_nanoseconds()
        try body()
        return Double(benchmark_monotonic_nanoseconds() - begun) * 1e-9
    }
}

/// Measures two things in turn, so that what else the machine does falls on both.
enum Alternation {
    /// The medians of `rounds` measurements of each, after one of each that does not count. Which one goes first
    /// changes from round to round.
    static func medians(
        rounds: Int = 15,
        ours: () throws -> Double,
        theirs: () throws -> Double
    ) rethrows -> (ours: Double, theirs: Double) {
        _ = try ours()
        _ = try theirs()
        var first: [Double] = []
        var second: [Double] = []
        for round in 0..<Effort.rounds(rounds) {
            if round % 2 == 1 { second.append(try theirs()) }
            first.append(try ours())
            if round % 2 == 0 { second.append(try theirs()) }
        }
        return (median(first), median(second))
    }

    static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }
}

/// Keeps a result from being computed away.
@inline(never)
func keep<Value>(_ value: Value) {
    withExtendedLifetime(value) {}
}
