import Belfry

/// When a server has shown a notice last, for servers that must have drawn it before it is closed.
package struct LastShowing: Sendable {
    private var instant: ContinuousClock.Instant?

    package init() {}

    package mutating func note() { instant = .now }

    /// How long a closing still has to wait.
    package func pause(on server: KnownServer) -> Duration {
        guard let instant, server.shortestShowing > .zero else { return .zero }
        return max(.zero, server.shortestShowing - instant.duration(to: .now))
    }

    /// Returns when the pause is over, also to a task that is cancelled: the server would crash all the same.
    package static func wait(for pause: Duration) async {
        guard pause > .zero else { return }
        await withCheckedContinuation { continuation in
            _ = Timeout.begin(pause) { continuation.resume() }
        }
    }
}
