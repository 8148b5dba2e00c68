/// A name whose owner is followed.
struct OwnerTrack {
    var users = 1
    var owner: String?
    var isKnown = false
    var waiters: [Completion<Void>] = []
    var watchers: [UInt64: Watcher] = [:]

    struct Watcher: Sendable {
        var changed: @Sendable (String?) -> Void
        var finish: @Sendable () -> Void
    }

    static func rule(for name: String) -> String {
        "type='signal',sender='\(BusDriver.name)',path='\(BusDriver.path)',interface='\(BusDriver.name)',"
            + "member='NameOwnerChanged',arg0='\(name)'"
    }

    func finish() {
        for watcher in watchers.values { watcher.finish() }
        for waiter in waiters { waiter(.failure(BusCore.closedError)) }
    }
}

extension BusCore {
    /// Follows who has a name; `completion` says that it is known. A user more, until ``unfollow(_:)``.
    func follow(_ name: String, completion: @escaping Completion<Void>) {
        switch phase {
        case .idle, .waiting, .closed: return completion(.failure(notConnected(lastFailure)))
        case .opening, .greeting, .connected: break
        }
        guard let track = owners[name] else {
            owners[name] = OwnerTrack(waiters: [completion])
            retainRule(OwnerTrack.rule(for: name)) { [weak self] result in
                if case .failure(let error) = result { self?.refuse(name, error) }
            }
            if case .connected = phase { askOwner(of: name) }
            return
        }
        owners[name]?.users += 1
        if track.isKnown { completion(.success(())) } else { owners[name]?.waiters.append(completion) }
    }

    func unfollow(_ name: String) {
        guard let users = owners[name]?.users else { return }
        owners[name]?.users = users - 1
        guard users <= 1 else { return }
        owners[name] = nil
        releaseRule(OwnerTrack.rule(for: name))
    }

    /// Always after the rule, so that no change falls between the answer and the first signal.
    func askOwner(of name: String, attempt: Int = 0) {
        let generation = generation
        callBus(BusDriver.call("GetNameOwner", [.string(name)], expects: "s")) { [weak self] result in
            guard let self, generation == self.generation else { return }
            switch result {
            case .success(let values): setOwner(of: name, values.first?.string)
            case .failure(let error) where error.code == .noOwner: setOwner(of: name, nil)
            case .failure(let error):
                refuse(name, error)
                guard error.isTransient, owners[name] != nil else { return }
                retry(attempt) { core in
                    if core.owners[name] != nil { core.askOwner(of: name, attempt: attempt + 1) }
                }
            }
        }
    }

    func ownerChanged(_ arguments: [BusValue]) {
        guard arguments.count == 3, let name = arguments[0].string, let owner = arguments[2].string,
            owners[name] != nil
        else { return }
        setOwner(of: name, owner.isEmpty ? nil : owner)
    }

    private func setOwner(of name: String, _ owner: String?) {
        guard let track = owners[name] else { return }
        owners[name]?.owner = owner
        owners[name]?.isKnown = true
        owners[name]?.waiters = []
        for waiter in track.waiters { waiter(.success(())) }
        guard track.isKnown, track.owner != owner else { return }
        for (_, watcher) in track.watchers.sorted(by: { $0.key < $1.key }) { watcher.changed(owner) }
    }

    /// The bus would not tell: those who waited hear it and are no users; the others see the name without an owner.
    private func refuse(_ name: String, _ error: BusError) {
        guard let waiters = owners[name]?.waiters else { return }
        owners[name]?.waiters = []
        for waiter in waiters { waiter(.failure(error)) }
        for _ in waiters { unfollow(name) }
    }

    func restoreOwners() {
        for name in owners.keys.sorted() {
            restoreRule(OwnerTrack.rule(for: name))
            askOwner(of: name)
        }
    }

    func loseOwners() {
        for name in owners.keys.sorted() {
            refuse(name, notConnected(lastFailure))
            guard let track = owners[name] else { continue }
            // Known: without a bus nobody has the name.
            if track.owner != nil { setOwner(of: name, nil) }
        }
    }

    // MARK: watchers

    func watchOwner(of name: String, _ watcher: OwnerTrack.Watcher, completion: @escaping Completion<UInt64>) {
        follow(name) { [weak self] result in
            guard let self else { return completion(.failure(Self.closedError)) }
            if case .failure(let error) = result { return completion(.failure(error)) }
            let key = newKey()
            owners[name]?.watchers[key] = watcher
            watcher.changed(owners[name]?.owner)
            completion(.success(key))
        }
    }

    func unwatchOwner(of name: String, _ key: UInt64) {
        guard let watcher = owners[name]?.watchers.removeValue(forKey: key) else { return }
        unfollow(name)
        watcher.finish()
    }

    // MARK: own names

    /// Names that the bus has given before are asked for again on every new connection.
    func restoreNames() {
        for (name, owned) in ownedNames.sorted(by: { $0.key < $1.key }) where owned.isGiven { restore(name, owned) }
    }

    private func restore(_ name: String, _ owned: OwnedName, attempt: Int = 0) {
        let generation = generation
        callBus(owned.request(for: name)) { [weak self] result in
            guard let self, generation == self.generation, ownedNames[name]?.key == owned.key else { return }
            switch result.flatMap({ BusNameOutcome.read($0, for: name) }) {
            case .success(.taken):
                ownedNames[name] = nil
                owned.lost(BusError(.accessDenied, "Another program has taken the name '\(name)' meanwhile."))
            case .success: break
            case .failure(let error) where error.isTransient:
                retry(attempt) { $0.restore(name, owned, attempt: attempt + 1) }
            case .failure(let error):
                ownedNames[name] = nil
                owned.lost(error)
            }
        }
    }
}
