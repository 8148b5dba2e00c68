public import Belfry

extension RecorderBackend {
    /// Every delivery that was taken, in order.
    public var deliveries: [Delivery] { state.withLock { $0.deliveries } }
    /// Every call to ``deliver(_:)``, the failed and the stalled ones too, in order.
    public var attempts: [Delivery] { state.withLock { $0.attempts } }
    /// What stands on the screen; a replacement keeps its place.
    public var shown: [ShownNotice] { state.withLock { $0.shown } }
    /// What the center took off the screen, in order.
    public var withdrawn: [ShownNotice] { state.withLock { $0.withdrawn } }

    /// What the simulated server can show from now on.
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

    /// The latest delivery of a request; throws ``RecorderError`` that says what was delivered instead.
    @discardableResult
    public func expectDelivery(of requestID: String) throws -> Delivery {
        guard let delivery = delivery(of: requestID) else {
            throw state.withLock { RecorderError.notDelivered(requestID, in: $0) }
        }
        return delivery
    }

    /// The notice of a request on the screen; throws ``RecorderError`` that says what stands there.
    @discardableResult
    public func expectShown(_ requestID: String) throws -> ShownNotice {
        try state.withLock { state throws(RecorderError) in
            guard let notice = state.latest(of: requestID) else {
                throw RecorderError.notShown(requestID, in: state)
            }
            return notice
        }
    }

    /// Throws ``RecorderError`` unless the requests delivered so far are these, in this order.
    public func expectDeliveries(of requestIDs: [String]) throws {
        let delivered = deliveries.map(\.requestID)
        guard delivered == requestIDs else {
            throw RecorderError.otherDeliveries(expected: requestIDs, delivered: delivered)
        }
    }

    /// Forgets the record; what stands on the screen stays there.
    public func forget() {
        state.withLock { ($0.attempts, $0.deliveries, $0.withdrawn) = ([], [], []) }
    }
}
