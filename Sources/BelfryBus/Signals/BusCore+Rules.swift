/// A match rule that the bus is asked to add.
enum BusRule: Hashable, Comparable {
    /// The current owner of a name, and its changes.
    case owner(of: String)
    /// The signals that match the rule's text.
    case signals(String)

    var text: String {
        switch self {
        case .owner(let name):
            "type='signal',sender='\(BusDriver.name)',path='\(BusDriver.path)',interface='\(BusDriver.name)',"
                + "member='NameOwnerChanged',arg0='\(name)'"
        case .signals(let text): text
        }
    }
}

/// The state of a rule, which is added to the bus once for all its users, and again on every new connection.
struct RuleState {
    /// Not that of an earlier rule with the same text, to which the bus may still reply.
    let id: UInt64
    var users = 0
    /// Whether the bus has added the rule on this connection.
    var isAdded = false
    /// The owner of the name, if the rule is about one.
    var owner: String?
    var isOwnerKnown = false
}

extension BusCore {
    /// Adds a user, until ``release(_:)``. Returns true for the first one: the bus has to be asked for the rule.
    func retain(_ rule: BusRule) -> Bool {
        let isNew = rules[rule] == nil
        if isNew { rules[rule] = RuleState(id: newID()) }
        rules[rule]?.users += 1
        return isNew
    }

    func release(_ rule: BusRule) {
        guard let users = rules[rule]?.users else { return }
        rules[rule]?.users = users - 1
        guard users == 1 else { return }
        rules[rule] = nil
        if case .connected = state { callBus(BusDriver.call("RemoveMatch", [.string(rule.text)])) { _, _ in } }
    }

    /// Asks the bus for the rule and then for the owner, so that no change can be missed in between.
    func ask(for rule: BusRule, attempt: Int = 0) {
        guard let state = rules[rule] else { return }
        let id = state.id
        if !state.isAdded {
            callBus(BusDriver.call("AddMatch", [.string(rule.text)])) { core, result in
                guard core.rules[rule]?.id == id else { return }
                switch result {
                case .success:
                    core.rules[rule]?.isAdded = true
                    core.startReady()
                case .failure(let error): core.refuse(rule, error, attempt)
                }
            }
        }
        guard case .owner(let name) = rule else { return }
        callBus(BusDriver.call("GetNameOwner", [.string(name)], expects: "s")) { core, result in
            guard core.rules[rule]?.id == id else { return }
            switch result {
            case .success(let values): core.setOwner(of: name, values.first?.string)
            case .failure(let error) where error.code == .noOwner: core.setOwner(of: name, nil)
            case .failure(let error) where core.rules[rule]?.isAdded == true: core.refuse(rule, error, attempt)
            // The rule was refused, and both are asked for again.
            case .failure: break
            }
        }
    }

    /// Whether the bus has replied to all requests of the rule.
    func isReady(_ rule: BusRule) -> Bool {
        guard let state = rules[rule], state.isAdded else { return false }
        if case .owner = rule { return state.isOwnerKnown }
        return true
    }

    /// Handles a refused rule by failing the subscriptions that wait for it. For those from before a reconnection, it
    /// asks again later if the error is transient, and otherwise ends them.
    private func refuse(_ rule: BusRule, _ error: BusError, _ attempt: Int) {
        failStarting(error) { $0.rules.contains(rule) }
        guard let id = rules[rule]?.id else { return }
        if error.isTransient {
            return retry(attempt) { core in
                if core.rules[rule]?.id == id { core.ask(for: rule, attempt: attempt + 1) }
            }
        }
        for (key, subscription) in subscriptions where subscription.rules.contains(rule) { unsubscribe(key) }
    }

    /// Adds owner rules first: signals are accepted only from the known owner of a name.
    func restoreRules() { for rule in rules.keys.sorted() { ask(for: rule) } }

    func loseRules(_ error: BusError) {
        failStarting(error) { _ in true }
        for rule in rules.keys.sorted() {
            rules[rule]?.isAdded = false
            // Without a bus, no name has an owner.
            if case .owner(let name) = rule { setOwner(of: name, nil) }
            rules[rule]?.isOwnerKnown = false
        }
    }

    // MARK: owners

    func ownerChanged(_ arguments: [BusValue]) {
        guard arguments.count == 3, let name = arguments[0].string, let owner = arguments[2].string else { return }
        setOwner(of: name, owner.isEmpty ? nil : owner)
    }

    private func setOwner(of name: String, _ owner: String?) {
        let rule = BusRule.owner(of: name)
        guard let before = rules[rule] else { return }
        // Those that start now receive the owner then. The others know the owner before.
        let listeners = subscriptions.sorted { $0.key < $1.key }.flatMap(\.value.listeners)
        rules[rule]?.owner = owner
        rules[rule]?.isOwnerKnown = true
        startReady()
        guard before.owner != owner else { return }
        for case .owner(name, let changed) in listeners { changed(owner) }
    }
}
