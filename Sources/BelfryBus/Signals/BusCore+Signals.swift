import CDBus

/// A listener for signals.
struct Subscription {
    var match: BusMatch
    /// The owner rule of its sender's name, and its own rule, unless it only wants signals sent to this connection.
    var rules: [BusRule]
    var received: @Sendable (BusSignal) -> Void
    var finish: @Sendable () -> Void
}

extension BusCore {
    /// Starts a subscription. When `completion` succeeds, no later signal is missed.
    func subscribe(_ subscription: Subscription, completion: @escaping Completion<UInt64>) {
        if case .closed = phase { return completion(.failure(Self.closedError)) }
        retain(subscription.rules[...]) { [weak self] result in
            guard let self else { return completion(.failure(Self.closedError)) }
            completion(
                result.map {
                    let key = newID()
                    subscriptions[key] = subscription
                    return key
                }
            )
        }
    }

    /// Retains rules one after the other, so that the owner is known before the first signal can arrive.
    private func retain(_ rules: ArraySlice<BusRule>, completion: @escaping Completion<Void>) {
        guard let rule = rules.first else { return completion(.success(())) }
        retain(rule) { [weak self] result in
            guard let self, case .success = result else { return completion(result) }
            retain(rules.dropFirst()) { [weak self] result in
                if case .failure = result { self?.release(rule) }
                completion(result)
            }
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
        let listeners = subscriptions.filter { entry in
            entry.value.match.covers(path: path, interface: interface, member: member)
                && isFrom(sender, entry.value.match)
        }
        guard ownersMoved || !listeners.isEmpty else { return }
        // A signal that can't be decoded is dropped.
        guard let arguments = try? decoder.arguments(of: message) else { return }
        var signal = BusSignal(BusObjectPath(verified: path), interface, member, arguments)
        signal.sender = sender
        signal.destination = dbus_message_get_destination(message).map { String(cString: $0) }
        for (_, listener) in listeners.sorted(by: { $0.key < $1.key }) where listener.match.covers(arguments) {
            listener.received(signal)
        }
        // Last, so that watchers of the new owner have received all signals of the old one.
        if ownersMoved { ownerChanged(arguments) }
    }

    private func isFrom(_ sender: String, _ match: BusMatch) -> Bool {
        guard let wanted = match.sender, wanted != sender else { return true }
        return rules[.owner(of: wanted)]?.owner == sender
    }
}
