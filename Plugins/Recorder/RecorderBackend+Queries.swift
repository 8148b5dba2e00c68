public import Belfry

extension RecorderBackend {
    /// Every successful delivery, in order.
    public var deliveries: [Delivery] { state.withLock { $0.deliveries } }
    /// Every call to ``deliver(_:)``, including failed and stalled ones, in order.
    public var attempts: [Delivery] { state.withLock { $0.attempts } }
    /// The notices on the screen; a replacement keeps its position.
    public var shown: [ShownNotice] { state.withLock { $0.shown } }
    /// The notices that the center withdrew, in order.
    public var withdrawn: [ShownNotice] { state.withLock { $0.withdrawn } }

    /// The features that the simulated server supports from now on.
    public var offered: DeliveryCapabilities {
        get { state.withLock { $0.offered } }
        set { state.withLock { $0.offered = newValue } }
    }

    /// The latest delivery of a request, or nil. O(n).
    public func delivery(of requestID: String) -> Delivery? {
        state.withLock { $0.deliveries.last { $0.requestID == requestID } }
    }

    /// Every delivery of a request, in order. O(n).
    public func deliveries(of requestID: String) -> [Delivery] {
        state.withLock { $0.deliveries.filter { $0.requestID == requestID } }
    }

    /// Returns the latest delivery of a request; throws ``RecorderError`` (permanent), which lists the actual
    /// deliveries.
    @discardableResult
    public func expectDelivery(of requestID: String) throws -> Delivery {
        guard let delivery = delivery(of: requestID) else {
            throw state.withLock { RecorderError.notDelivered(requestID, in: $0) }
        }
        return delivery
    }

    /// Returns the notice of a request on the screen; throws ``RecorderError`` (permanent), which lists the notices
    /// there.
    @discardableResult
    public func expectShown(_ requestID: String) throws -> ShownNotice {
        try state.withLock { state throws(RecorderError) in
            guard let notice = state.latest(of: requestID) else {
                throw RecorderError.notShown(requestID, in: state)
            }
            return notice
        }
    }

    /// Throws ``RecorderError`` (permanent) unless exactly these requests have been delivered so far, in this order.
    public func expectDeliveries(of requestIDs: [String]) throws {
        let delivered = deliveries.map(\.requestID)
        guard delivered == requestIDs else {
            throw RecorderError.otherDeliveries(expected: requestIDs, delivered: delivered)
        }
    }

    /// Clears the record; notices on the screen stay there.
    public func forget() {
        state.withLock { ($0.attempts, $0.deliveries, $0.withdrawn) = ([], [], []) }
    }
}
