/// How long and how often a lost connection is retried.
struct GPSDSearch: Sendable {
    private let timeouts: GPSDProvider.Timeouts
    private var nextPause: Duration
    /// When the last connection that brought reports ended; nil before the first.
    private var lostAt: SuspendingClock.Instant?

    private static let longestPause = Duration.seconds(30)

    init(_ timeouts: GPSDProvider.Timeouts) {
        self.timeouts = timeouts
        nextPause = timeouts.firstPause
    }

    /// Returns the pause before the next attempt, or nil to give up.
    ///
    /// - Parameter hasReported: Whether the connection that has ended, or failed, brought a report. The time of the
    ///   last report doesn't matter: a receiver under a roof sends nothing for hours.
    mutating func pause(afterReports hasReported: Bool, at now: SuspendingClock.Instant) -> Duration? {
        if hasReported {
            lostAt = now
            nextPause = timeouts.firstPause
        }
        guard let lostAt, now - lostAt < timeouts.reconnect else { return nil }
        defer { nextPause = min(nextPause * 2, Self.longestPause) }
        return nextPause
    }
}
