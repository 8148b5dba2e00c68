extension BusConnection {
    /// The signals that match, from the return of this on.
    ///
    /// - Parameters:
    ///   - match: The signals to receive.
    ///   - limit: How many may wait to be read.
    ///   - addsRule: False for signals that are sent to this connection alone: they come without a rule on the bus.
    ///
    /// Throws what is wrong with the match, or what the bus has against it: ``BusError/Code/limitsExceeded`` where a
    /// connection has more rules than it allows (512 unless told).
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

    /// The same in the form of a function: `received` is called on the connection's thread, in order with answers and
    /// changes of owners; it must not block.
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
