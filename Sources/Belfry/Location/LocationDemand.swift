/// What a ``LocationProvider`` has to report: no more than the nearby regions need.
public struct LocationDemand: Sendable, Codable, Hashable {
    /// Meters: the accuracy that a fix needs, or better. More than zero.
    public var accuracy: Double
    /// Meters: the movement after which the next fix is needed. Zero or more; zero requests every available fix.
    public var distance: Double

    /// Creates a demand; both are in meters.
    public init(accuracy: Double, distance: Double) {
        self.accuracy = accuracy
        self.distance = distance
    }
}

extension LocationDemand {
    /// The current demand, followed by its changes.
    ///
    /// It never queues: a slow reader gets only the newest demand. It supports one reader; two readers would share the
    /// elements.
    public struct Updates: AsyncSequence, Sendable {
        public typealias Element = LocationDemand

        fileprivate let stream: AsyncStream<LocationDemand>

        fileprivate init(_ stream: AsyncStream<LocationDemand>) { self.stream = stream }

        /// Creates a sequence with one demand that never changes.
        public init(_ demand: LocationDemand) {
            let source = Source(demand)
            source.finish()
            self = source.demands
        }

        public func makeAsyncIterator() -> AsyncStream<LocationDemand>.AsyncIterator { stream.makeAsyncIterator() }
    }
}

extension LocationDemand {
    /// Sends demands to a provider: used by the center, and by programs that run a provider without a center.
    ///
    /// ```swift
    /// let source = LocationDemand.Source(LocationDemand(accuracy: 100, distance: 50))
    /// try await provider.run(demands: source.demands) { fix in print(fix) }
    /// ```
    public final class Source: Sendable {
        /// The sequence of demands, starting with the newest.
        public let demands: Updates
        private let continuation: AsyncStream<LocationDemand>.Continuation

        /// Creates a source with its first demand.
        public init(_ first: LocationDemand) {
            let (stream, continuation) = AsyncStream.makeStream(
                of: LocationDemand.self,
                bufferingPolicy: .bufferingNewest(1)
            )
            demands = Updates(stream)
            self.continuation = continuation
            continuation.yield(first)
        }

        /// Replaces the previous demand, whether it was read or not. Thread-safe.
        public func send(_ demand: LocationDemand) { continuation.yield(demand) }

        /// Ends the sequence; its last demand stays in effect.
        public func finish() { continuation.finish() }
    }
}
