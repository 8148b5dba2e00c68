/// What a ``LocationProvider`` is asked for: no more than the regions nearby need.
public struct PositionDemand: Sendable, Codable, Hashable {
    /// Metres: a fix that is known so well, or better, is good enough. Above zero.
    public var accuracy: Double
    /// Metres: a fix is wanted after so much movement. Zero or more; zero is every fix there is.
    public var distance: Double

    public init(accuracy: Double, distance: Double) {
        self.accuracy = accuracy
        self.distance = distance
    }
}

/// What is demanded now, and what is demanded instead from then on.
///
/// It never queues: who looks late sees the newest demand alone. For one reader; a second one shares the elements with it.
public struct PositionDemands: AsyncSequence, Sendable {
    public typealias Element = PositionDemand

    fileprivate let stream: AsyncStream<PositionDemand>

    fileprivate init(_ stream: AsyncStream<PositionDemand>) { self.stream = stream }

    /// One demand that stays.
    public init(_ demand: PositionDemand) {
        let source = PositionDemandSource(demand)
        source.finish()
        self = source.demands
    }

    public func makeAsyncIterator() -> AsyncStream<PositionDemand>.AsyncIterator { stream.makeAsyncIterator() }
}

/// Makes demands: the center's side, and that of whoever runs a provider without one.
///
/// ```swift
/// let source = PositionDemandSource(PositionDemand(accuracy: 100, distance: 50))
/// try await provider.run(demands: source.demands) { fix in print(fix) }
/// ```
public final class PositionDemandSource: Sendable {
    public let demands: PositionDemands
    private let continuation: AsyncStream<PositionDemand>.Continuation

    public init(_ first: PositionDemand) {
        let (stream, continuation) = AsyncStream.makeStream(
            of: PositionDemand.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        demands = PositionDemands(stream)
        self.continuation = continuation
        continuation.yield(first)
    }

    /// Takes the place of the demand before, read or not. From any thread.
    public func send(_ demand: PositionDemand) { continuation.yield(demand) }

    /// The last demand stands; the sequence ends after it.
    public func finish() { continuation.finish() }
}
