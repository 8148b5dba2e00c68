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
        let key = try await add(
            match,
            addsRule,
            received: { [weak signals] in signals?.yield($0) },
            finish: { [weak signals] in signals?.cancel() }
        )
        signals.onEnd { [weak core] in core?.perform { $0.unsubscribe(key) } }
        return signals
    }

    /// Subscribes to signals. `received` runs on the connection's thread, in order with replies; it must not block.
    public func subscribe(
        _ match: BusMatch,
        addsRule: Bool = true,
        _ received: @escaping @Sendable (BusSignal) -> Void
    ) async throws(BusError) -> BusSubscription {
        let key = try await add(match, addsRule, received: received, finish: {})
        return BusSubscription { [weak core] in core?.perform { $0.unsubscribe(key) } }
    }

    private func add(
        _ match: BusMatch,
        _ addsRule: Bool,
        received: @escaping @Sendable (BusSignal) -> Void,
        finish: @escaping @Sendable () -> Void
    ) async throws(BusError) -> UInt64 {
        let subscription = Subscription(
            match: match,
            rules: try match.rules(addingOwn: addsRule),
            received: received,
            finish: finish
        )
        return try await core.result { core, completion in core.subscribe(subscription, completion: completion) }
    }
}
