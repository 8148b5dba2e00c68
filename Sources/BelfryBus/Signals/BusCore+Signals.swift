import CDBus

/// What is reported to a listener until it ends, or the connection is closed.
struct Subscription {
    enum Listener: Sendable {
        case signals(BusMatch, @Sendable (BusSignal) -> Void)
        case owner(of: String, @Sendable (String?) -> Void)
    }

    var listener: Listener
    /// For signals, the owner rule of the sender's name, and the match's own rule, unless only signals sent to this
    /// connection are wanted.
    var rules: [BusRule]
    var finish: @Sendable () -> Void = {}
}

extension BusCore {
    /// Starts a subscription. When `completion` succeeds, nothing later is missed.
    func subscribe(_ subscription: Subscription, completion: @escaping Completion<UInt64>) {
        if case .closed = state { return completion(.failure(Self.closedError)) }
        retain(subscription.rules[...]) { [weak self] result in
            guard let self else { return completion(.failure(Self.closedError)) }
            completion(
                result.map {
                    let key = newID()
                    subscriptions[key] = subscription
                    if case .owner(let name, let changed) = subscription.listener {
                        changed(rules[.owner(of: name)]?.owner)
                    }
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
            guard case .signals(let match, _) = entry.value.listener else { return false }
            return match.covers(path: path, interface: interface, member: member) && isFrom(sender, match)
        }
        guard ownersMoved || !listeners.isEmpty else { return }
        // A signal that can't be decoded is dropped.
        guard let arguments = try? decoder.arguments(of: message) else { return }
        var signal = BusSignal(BusObjectPath(verified: path), interface, member, arguments)
        signal.sender = sender
        signal.destination = dbus_message_get_destination(message).map { String(cString: $0) }
        for case .signals(let match, let received) in listeners.sorted(by: { $0.key < $1.key }).map(\.value.listener)
        where match.covers(arguments) { received(signal) }
        // Last, so that watchers of the new owner have received all signals of the old one.
        if ownersMoved { ownerChanged(arguments) }
    }

    private func isFrom(_ sender: String, _ match: BusMatch) -> Bool {
        guard let wanted = match.sender, wanted != sender else { return true }
        return rules[.owner(of: wanted)]?.owner == sender
    }
}
