import Belfry

/// The time of the last shown notice, for servers that crash if a notice is closed before it is drawn.
package struct LastShowing: Sendable {
    private var instant: ContinuousClock.Instant?

    package init() {}

    package mutating func note() { instant = .now }

    /// Returns how long closing a notice has to be delayed.
    package func pause(on server: KnownServer) -> Duration {
        guard let instant, server.shortestShowing > .zero else { return .zero }
        return max(.zero, server.shortestShowing - instant.duration(to: .now))
    }

    /// Waits for the pause even if the task is canceled: closing sooner would crash the server.
    package static func wait(for pause: Duration) async {
        guard pause > .zero else { return }
        await withCheckedContinuation { continuation in
            _ = Timeout.begin(pause) { continuation.resume() }
        }
    }
}
