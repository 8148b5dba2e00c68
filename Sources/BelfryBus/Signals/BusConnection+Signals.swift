extension BusConnection {
    /// Returns the matching signals that arrive after this call returns, in the order of their arrival.
    ///
    /// The sequence continues after a reconnection and ends when the connection is closed. The subscription ends with
    /// the last reference to the sequence and its iterators, and when a task that iterates is canceled.
    ///
    /// - Parameters:
    ///   - match: The signals to receive.
    ///   - limit: How many may wait to be read; further ones are dropped.
    ///   - addsRule: False for signals that peers send to this connection alone: these arrive without a rule on the
    ///     bus.
    /// - Throws: Errors in the match, as ``BusMatch/rule()`` does, and ``BusError/Code/closed`` (all permanent).
    ///   Transient are ``BusError/Code/disconnected``, or the reason of a failed attempt to connect such as
    ///   ``BusError/Code/noBus``, and ``BusError/Code/limitsExceeded`` if the connection has more rules than the bus
    ///   allows (512 by default).
    public func signals(
        _ match: BusMatch,
        limit: Int = 1024,
        addsRule: Bool = true
    ) async throws(BusError) -> AsyncStream<BusSignal> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: BusSignal.self,
            bufferingPolicy: .bufferingOldest(max(limit, 1))
        )
        let subscription = try await subscribe(
            [.signals(match) { continuation.yield($0) }],
            addsRules: addsRule,
            finish: { continuation.finish() }
        )
        continuation.onTermination = { _ in subscription.cancel() }
        return stream
    }

    /// Subscribes to signals. `received` runs on the connection's thread, in order with replies; it must not block.
    ///
    /// - Throws: The errors of ``signals(_:limit:addsRule:)``: permanent for an invalid match, transient without a bus.
    public func subscribe(
        _ match: BusMatch,
        addsRule: Bool = true,
        _ received: @escaping @Sendable (BusSignal) -> Void
    ) async throws(BusError) -> BusSubscription {
        try await subscribe([.signals(match, received)], addsRules: addsRule)
    }

    /// Subscribes to several things in one round trip to the bus. When this returns, nothing later is missed.
    ///
    /// - Parameters:
    ///   - addsRules: False for signals that peers send to this connection alone.
    ///   - finish: Called when the subscription ends, or the connection is closed.
    package func subscribe(
        _ listeners: [BusListener],
        addsRules: Bool = true,
        finish: @escaping @Sendable () -> Void = {}
    ) async throws(BusError) -> BusSubscription {
        var rules: [BusRule] = []
        for listener in listeners {
            switch listener {
            case .signals(let match, _): rules += try match.rules(addingOwn: addsRules)
            case .owner(let name, _):
                try BusNameRules.checkBusName(name)
                rules.append(.owner(of: name))
            }
        }
        let subscription = Subscription(listeners: listeners, rules: rules, finish: finish)
        let key = try await core.result { core, completion in core.subscribe(subscription, completion: completion) }
        return BusSubscription { [weak core] in core?.perform { $0.unsubscribe(key) } }
    }
}
