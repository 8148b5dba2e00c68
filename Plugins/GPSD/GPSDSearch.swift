/// How long a connection that was lost is sought, and how often.
struct GPSDSearch: Sendable {
    private let limits: GPSDProvider.Limits
    private var nextPause: Duration
    /// When the last connection that brought something ended; nil while there was none.
    private var lostAt: ContinuousClock.Instant?

    private static let longestPause = Duration.seconds(30)

    init(_ limits: GPSDProvider.Limits) {
        self.limits = limits
        nextPause = limits.firstPause
    }

    /// The pause before the next attempt; nil to give up.
    ///
    /// - Parameter hasReported: Whether the connection that has just ended, or did not come about, brought a report.
    ///   When the last one came does not matter: a receiver under a roof says nothing for hours.
    mutating func pause(afterReports hasReported: Bool, at now: ContinuousClock.Instant) -> Duration? {
        if hasReported {
            lostAt = now
            nextPause = limits.firstPause
        }
        guard let lostAt, now - lostAt < limits.patience else { return nil }
        defer { nextPause = min(nextPause * 2, Self.longestPause) }
        return nextPause
    }
}
