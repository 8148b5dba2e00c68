/// What a ``LocationProvider`` is asked for: no more than the regions nearby need.
public struct LocationDemand: Sendable, Codable, Hashable {
    /// Metres: a fix that is known so well, or better, is good enough. Above zero.
    public var accuracy: Double
    /// Metres: a fix is wanted after so much movement. Zero or more; zero is every fix there is.
    public var distance: Double

    /// Creates a demand; both are in meters.
    public init(accuracy: Double, distance: Double) {
        self.accuracy = accuracy
        self.distance = distance
    }
}

extension LocationDemand {
    /// What is demanded now, and what is demanded instead from then on.
    ///
    /// It never queues: who looks late sees the newest demand alone. For one reader; a second one shares the elements
    /// with it.
    public struct Updates: AsyncSequence, Sendable {
        public typealias Element = LocationDemand

        fileprivate let stream: AsyncStream<LocationDemand>

        fileprivate init(_ stream: AsyncStream<LocationDemand>) { self.stream = stream }

        /// One demand that stays.
        public init(_ demand: LocationDemand) {
            let source = Source(demand)
            source.finish()
            self = source.demands
        }

        public func makeAsyncIterator() -> AsyncStream<LocationDemand>.AsyncIterator { stream.makeAsyncIterator() }
    }
}

extension LocationDemand {
    /// Makes demands: the center's side, and that of whoever runs a provider without one.
    ///
    /// ```swift
    /// let source = LocationDemand.Source(LocationDemand(accuracy: 100, distance: 50))
    /// try await provider.run(demands: source.demands) { fix in print(fix) }
    /// ```
    public final class Source: Sendable {
        /// The demands, from the newest on.
        public let demands: Updates
        private let continuation: AsyncStream<LocationDemand>.Continuation

        /// Creates a source that begins with a demand.
        public init(_ first: LocationDemand) {
            let (stream, continuation) = AsyncStream.makeStream(
                of: LocationDemand.self,
                bufferingPolicy: .bufferingNewest(1)
            )
            demands = Updates(stream)
            self.continuation = continuation
            continuation.yield(first)
        }

        /// Takes the place of the demand before, read or not. From any thread.
        public func send(_ demand: LocationDemand) { continuation.yield(demand) }

        /// The last demand stands; the sequence ends after it.
        public func finish() { continuation.finish() }
    }
}
