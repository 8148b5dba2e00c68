import Synchronization

/// A subscription with a callback. It ends with ``cancel()`` and with the last reference to this object.
///
/// ```swift
/// let ready = BusMatch(interface: "org.example.Tea", member: "Ready")
/// let subscription = try await connection.subscribe(ready) { signal in print(signal.arguments) }
/// // … while the subscription is kept, signals are printed …
/// subscription.cancel()
/// ```
public final class BusSubscription: Sendable {
    private let end: @Sendable () -> Void
    private let isCancelled = Atomic(false)

    package init(_ end: @escaping @Sendable () -> Void) { self.end = end }

    /// Ends the subscription. A callback that is running is not interrupted; no further one starts for later arrivals.
    public func cancel() { if !isCancelled.exchange(true, ordering: .relaxed) { end() } }

    deinit { cancel() }
}
