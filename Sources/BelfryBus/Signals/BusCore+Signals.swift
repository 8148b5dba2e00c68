internal import CDBus

/// One listener.
struct Subscription {
    var match: BusMatch
    /// Nil where no rule was added: only what is sent to this connection alone comes.
    var rule: String?
    var received: @Sendable (BusSignal) -> Void
    var finish: @Sendable () -> Void
}

extension BusCore {
    /// Begins to listen: when `completion` says so, no later signal is missed.
    func subscribe(_ subscription: Subscription, completion: @escaping Completion<UInt64>) {
        guard let name = subscription.match.followedSender else { return addRule(of: subscription, completion) }
        // The owner is known before the first signal can come: its rule and the question go first.
        follow(name) { [weak self] result in
            guard let self else { return completion(.failure(Self.closedError)) }
            if case .failure(let error) = result { return completion(.failure(error)) }
            addRule(of: subscription) { [weak self] result in
                if case .failure = result { self?.unfollow(name) }
                completion(result)
            }
        }
    }

    private func addRule(of subscription: Subscription, _ completion: @escaping Completion<UInt64>) {
        let insert: Completion<Void> = { [weak self] result in
            guard let self else { return completion(.failure(Self.closedError)) }
            if case .failure(let error) = result { return completion(.failure(error)) }
            let key = newKey()
            subscriptions[key] = subscription
            completion(.success(key))
        }
        guard let rule = subscription.rule else {
            if case .closed = phase { return completion(.failure(Self.closedError)) }
            return insert(.success(()))
        }
        retainRule(rule, insert)
    }

    func unsubscribe(_ key: UInt64) {
        guard let subscription = subscriptions.removeValue(forKey: key) else { return }
        if let rule = subscription.rule { releaseRule(rule) }
        if let name = subscription.match.followedSender { unfollow(name) }
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
        // What can't be read is nobody's.
        guard let arguments = try? decoder.arguments(of: message) else { return }
        var signal = BusSignal(BusObjectPath(verified: path), interface, member, arguments)
        signal.sender = sender
        signal.destination = dbus_message_get_destination(message).map { String(cString: $0) }
        for (_, listener) in listeners.sorted(by: { $0.key < $1.key }) where listener.match.covers(arguments) {
            listener.received(signal)
        }
        // Last, so that whoever hears of the new owner has heard all of the old one's signals.
        if ownersMoved { ownerChanged(arguments) }
    }

    private func isFrom(_ sender: String, _ match: BusMatch) -> Bool {
        guard let wanted = match.sender else { return true }
        if wanted == sender { return true }
        return match.followedSender != nil && owners[wanted]?.owner == sender
    }

    // MARK: rules

    func retainRule(_ rule: String, _ completion: @escaping Completion<Void>) {
        switch phase {
        case .idle, .waiting, .closed: return completion(.failure(notConnected(lastFailure)))
        case .opening, .greeting, .connected: break
        }
        switch rules.retain(rule, completion) {
        case .add: addToBus(rule)
        case .wait: break
        case .done: completion(.success(()))
        }
    }

    func releaseRule(_ rule: String) {
        guard rules.release(rule), case .connected = phase else { return }
        callBus(BusDriver.call("RemoveMatch", [.string(rule)])) { _ in }
    }

    /// Before the connection stands, this is left to ``restoreRules()``.
    private func addToBus(_ rule: String, attempt: Int = 0) {
        guard case .connected = phase else { return }
        let generation = generation
        callBus(BusDriver.call("AddMatch", [.string(rule)])) { [weak self] result in
            guard let self, generation == self.generation else { return }
            switch result {
            case .success:
                for waiter in rules.added(rule) { waiter(.success(())) }
                // Whoever has had the name since the rule was lost was told of to nobody.
                if attempt > 0, let name = owners.keys.first(where: { OwnerTrack.rule(for: $0) == rule }) {
                    askOwner(of: name)
                }
            case .failure(let error): refuse(rule, error, attempt)
            }
        }
    }

    private func refuse(_ rule: String, _ error: BusError, _ attempt: Int) {
        for waiter in rules.refused(rule) { waiter(.failure(error)) }
        guard rules.isMissing(rule) else { return }
        // Those who had it before the bus came back.
        if error.isTransient { return retry(attempt) { $0.addAgain(rule, attempt: attempt + 1) } }
        for (key, subscription) in subscriptions where subscription.rule == rule { unsubscribe(key) }
    }

    /// Nobody may want it any more.
    private func addAgain(_ rule: String, attempt: Int) {
        if rules.isMissing(rule) { addToBus(rule, attempt: attempt) }
    }

    func restoreRules() {
        // The rules of followed names are on their way already.
        for rule in rules.all where !owners.keys.contains(where: { OwnerTrack.rule(for: $0) == rule }) {
            addToBus(rule)
        }
    }

    func restoreRule(_ rule: String) { addToBus(rule) }

    func loseRules(_ error: BusError) { for waiter in rules.lost() { waiter(.failure(error)) } }
}
