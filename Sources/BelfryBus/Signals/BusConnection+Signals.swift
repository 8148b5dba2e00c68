extension BusConnection {
    /// Returns the matching signals that arrive after this call returns.
    ///
    /// - Parameters:
    ///   - match: The signals to receive.
    ///   - limit: How many may wait to be read.
    ///   - addsRule: False for signals that peers send to this connection alone: these arrive without a rule on the
    ///     bus.
    ///
    /// Throws errors in the match, or the bus's reason to refuse it: ``BusError/Code/limitsExceeded`` if the connection
    /// has more rules than the bus allows (512 by default).
    public func signals(
        _ match: BusMatch,
        limit: Int = 1024,
        addsRule: Bool = true
    ) async throws(BusError) -> BusSignals {
        let signals = BusSignals(limit: limit)
        // Weak: the sequence must be able to end with its last reference.
        let subscription = try await subscribe(
            [.signals(match) { [weak signals] in signals?.yield($0) }],
            addsRules: addsRule,
            finish: { [weak signals] in signals?.cancel() }
        )
        signals.onEnd { subscription.cancel() }
        return signals
    }

    /// Subscribes to signals. `received` runs on the connection's thread, in order with replies; it must not block.
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
