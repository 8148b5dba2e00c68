import CDBus

/// What a subscription reports, on the connection's thread.
package enum BusListener: Sendable {
    case signals(BusMatch, @Sendable (BusSignal) -> Void)
    /// The first call has the current owner.
    case owner(of: String, @Sendable (String?) -> Void)
}

/// What is reported to listeners until they end, or the connection is closed.
struct Subscription: Sendable {
    var listeners: [BusListener]
    /// For signals, the owner rule of the sender's name, and the match's own rule, unless only signals sent to this
    /// connection are wanted.
    var rules: [BusRule]
    var finish: @Sendable () -> Void
}

extension BusCore {
    /// Starts a subscription. When `completion` succeeds, nothing later is missed.
    ///
    /// Its rules are requested together, in their order. The bus replies in it, so that the owner is known before the
    /// first signal can arrive. If the bus refuses one, none is kept.
    func subscribe(_ subscription: Subscription, completion: @escaping Completion<UInt64>) {
        if case .closed = state { return completion(.failure(Self.closedError)) }
        guard isActive || subscription.rules.isEmpty else { return completion(.failure(notConnected())) }
        let new = subscription.rules.filter { retain($0) }
        starting.append((subscription, completion))
        // Without a connection, ``restoreRules()`` does this later.
        if case .connected = state { for rule in new { ask(for: rule) } }
        startReady()
    }

    /// Starts the subscriptions whose rules are ready now.
    func startReady() {
        let isReady: (Subscription) -> Bool = { $0.rules.allSatisfy(self.isReady) }
        let ready = starting.filter { isReady($0.subscription) }
        guard !ready.isEmpty else { return }
        starting.removeAll { isReady($0.subscription) }
        for (subscription, completion) in ready {
            let key = newID()
            subscriptions[key] = subscription
            for case .owner(let name, let changed) in subscription.listeners {
                changed(rules[.owner(of: name)]?.owner)
            }
            completion(.success(key))
        }
    }

    /// Fails the subscriptions that wait for their rules and are `affected`.
    func failStarting(_ error: BusError, where affected: (Subscription) -> Bool) {
        let failed = starting.filter { affected($0.subscription) }
        starting.removeAll { affected($0.subscription) }
        for (subscription, completion) in failed {
            for rule in subscription.rules { release(rule) }
            completion(.failure(error))
        }
    }

    func unsubscribe(_ key: UInt64) {
        guard let subscription = subscriptions.removeValue(forKey: key) else { return }
        for rule in subscription.rules { release(rule) }
        subscription.finish()
    }

    func receiveSignal(_ message: OpaquePointer, from sender: String) {
        guard let path = dbus_message_get_path(message).map({ String(cString: $0) }),
            let interface = dbus_message_get_interface(message).map({ String(cString: $0) }),
            let member = dbus_message_get_member(message).map({ String(cString: $0) })
        else { return }
        let ownersMoved = sender == BusDriver.name && interface == BusDriver.name && member == "NameOwnerChanged"
        func covers(_ listener: BusListener) -> Bool {
            guard case .signals(let match, _) = listener else { return false }
            return match.covers(path: path, interface: interface, member: member) && isFrom(sender, match)
        }
        let listening = subscriptions.filter { $0.value.listeners.contains(where: covers) }
        let listeners = listening.sorted { $0.key < $1.key }.flatMap { $0.value.listeners.filter(covers) }
        guard ownersMoved || !listeners.isEmpty else { return }
        // A signal that can't be decoded is dropped.
        guard let arguments = try? decoder.arguments(of: message) else { return }
        var signal = BusSignal(BusObjectPath(verified: path), interface, member, arguments)
        signal.sender = sender
        signal.destination = dbus_message_get_destination(message).map { String(cString: $0) }
        for case .signals(let match, let received) in listeners where match.covers(arguments) { received(signal) }
        // Last, so that watchers of the new owner have received all signals of the old one.
        if ownersMoved { ownerChanged(arguments) }
    }

    private func isFrom(_ sender: String, _ match: BusMatch) -> Bool {
        guard let wanted = match.sender, wanted != sender else { return true }
        return rules[.owner(of: wanted)]?.owner == sender
    }
}
