import Synchronization

/// What a ``LocationProvider`` has to report: no more than the nearby regions need.
///
/// ```swift
/// func follow(_ demands: LocationDemand.Updates) async {
///     for await demand in demands {
///         print(demand.accuracy < 50 ? "GPS" : "Wi-Fi", "reports every \(demand.distance) m")
///     }
/// }
/// ```
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
    /// It never queues: a slow reader gets only the newest demand. A reader that begins later, even after the end, gets
    /// the newest demand first. There is one reader at a time: a new one ends the previous one.
    public struct Updates: AsyncSequence, Sendable {
        public typealias Element = LocationDemand

        fileprivate let source: Source

        /// Creates a sequence with one demand that never changes.
        public init(_ demand: LocationDemand) {
            source = Source(demand)
            source.finish()
        }

        fileprivate init(of source: Source) { self.source = source }

        public func makeAsyncIterator() -> AsyncStream<LocationDemand>.AsyncIterator { source.read() }
    }

    /// Sends demands to a provider: used by the center, and by programs that run a provider without a center.
    ///
    /// ```swift
    /// let provider = LocationProviderChain.auto(for: app)
    /// let source = LocationDemand.Source(LocationDemand(accuracy: 100, distance: 50))
    /// try await provider.run(demands: source.demands) { fix in print(fix) }
    /// ```
    public final class Source: Sendable {
        private struct State {
            var newest: LocationDemand
            var isFinished = false
            var reader: AsyncStream<LocationDemand>.Continuation?
        }

        private let state: Mutex<State>

        /// Creates a source with its first demand.
        public init(_ first: LocationDemand) { state = Mutex(State(newest: first)) }

        /// The sequence of demands, starting with the newest.
        public var demands: Updates { Updates(of: self) }

        /// Replaces the previous demand, whether it was read or not. Thread-safe.
        public func send(_ demand: LocationDemand) {
            state.withLock { state in
                state.newest = demand
                state.reader?.yield(demand)
            }
        }

        /// Ends the sequence; its last demand stays in effect.
        public func finish() {
            state.withLock { state in
                state.isFinished = true
                state.reader?.finish()
            }
        }

        fileprivate func read() -> AsyncStream<LocationDemand>.AsyncIterator {
            let (stream, reader) = AsyncStream.makeStream(
                of: LocationDemand.self,
                bufferingPolicy: .bufferingNewest(1)
            )
            state.withLock { state in
                state.reader?.finish()
                state.reader = reader
                reader.yield(state.newest)
                if state.isFinished { reader.finish() }
            }
            return stream.makeAsyncIterator()
        }
    }
}
