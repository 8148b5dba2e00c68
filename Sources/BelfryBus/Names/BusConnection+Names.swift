extension BusConnection {
    /// Asks for a well-known name. It is asked for again, with the same flags, on every new connection to the bus,
    /// until it is released; a request that was refused is not remembered.
    ///
    /// - Parameters:
    ///   - name: The well-known name.
    ///   - flags: Whether to replace an owner, to be replaced, and to queue.
    ///   - lost: Called on the connection's thread, once, when a new connection to the bus doesn't get the name: another
    ///     program has it, or the bus refuses it for good. It is not asked for again then.
    @discardableResult
    public func requestName(
        _ name: String,
        _ flags: BusNameFlags = [],
        lost: @escaping @Sendable (BusError) -> Void = { _ in }
    ) async throws(BusError) -> BusNameOutcome {
        try BusNameRules.checkWellKnownName(name)
        return try await core.result { core, completion in
            let before = core.ownedNames[name]
            let owned = OwnedName(id: core.newID(), flags: flags, lost: lost)
            // Before the request, so that a release that comes before the reply has something to release.
            core.ownedNames[name] = owned
            core.callWhenConnected(owned.request(for: name)) { [weak core] result in
                let outcome = result.flatMap { BusNameOutcome.read($0, for: name) }
                if let core, core.ownedNames[name]?.id == owned.id {
                    switch outcome {
                    case .success(.taken): core.ownedNames[name] = nil
                    case .success: core.ownedNames[name]?.isGiven = true
                    case .failure: core.ownedNames[name] = before
                    }
                }
                completion(outcome)
            }
        }
    }

    /// Gives a name back, or leaves the line for it. Without a bus it only is not asked for again.
    public func releaseName(_ name: String) async throws(BusError) {
        try BusNameRules.checkWellKnownName(name)
        let _: Bool = try await core.result { core, completion in
            core.ownedNames[name] = nil
            core.callWhenConnected(BusDriver.call("ReleaseName", [.string(name)], expects: "u")) { result in
                switch result {
                case .failure(let error) where error.code != .disconnected: completion(.failure(error))
                default: completion(.success(true))
                }
            }
        }
    }

    /// The unique name of who has this name now; nil for nobody.
    public func owner(of name: String) async throws(BusError) -> String? {
        try BusNameRules.checkBusName(name)
        do throws(BusError) {
            return try await call(BusDriver.call("GetNameOwner", [.string(name)], expects: "s")).first?.string
        } catch {
            guard error.code == .noOwner else { throw error }
            return nil
        }
    }

    /// Who has this name: now, and whenever that changes; nil for nobody, also while there is no bus.
    ///
    /// At most 64 changes wait to be read; then the oldest are dropped: the latest is always there.
    public func owners(of name: String) async throws(BusError) -> AsyncStream<String?> {
        let (stream, continuation) = AsyncStream.makeStream(of: String?.self, bufferingPolicy: .bufferingNewest(64))
        let watch = RuleState.Watcher(changed: { continuation.yield($0) }, finish: { continuation.finish() })
        let subscription = try await watchOwner(of: name, watch)
        continuation.onTermination = { _ in subscription.cancel() }
        return stream
    }

    /// The same in the form of a function, called on the connection's thread, in order with signals and answers: it must
    /// not block. The first call, with the owner of the moment, comes before this returns.
    public func watchOwner(
        of name: String,
        _ changed: @escaping @Sendable (String?) -> Void
    ) async throws(BusError) -> BusSubscription {
        try await watchOwner(of: name, RuleState.Watcher(changed: changed, finish: {}))
    }

    private func watchOwner(
        of name: String,
        _ watcher: RuleState.Watcher
    ) async throws(BusError) -> BusSubscription {
        try BusNameRules.checkBusName(name)
        let key: UInt64 = try await core.result { core, completion in
            core.watchOwner(of: name, watcher, completion: completion)
        }
        return BusSubscription { [weak core] in core?.perform { $0.unwatchOwner(of: name, key) } }
    }

    /// Has the bus start the program that is installed for this name; true where it was running already. The bus allows
    /// it up to two minutes; `timeLimit` is how long this waits. Throws ``BusError/Code/noOwner`` where none is
    /// installed, also for a name that somebody has.
    public func startService(_ name: String, timeLimit: Duration = .seconds(25)) async throws(BusError) -> Bool {
        try BusNameRules.checkWellKnownName(name)
        var call = BusDriver.call("StartServiceByName", [.string(name), .uint32(0)], expects: "u")
        call.timeLimit = timeLimit
        return try await self.call(call).first?.integer(UInt32.self) == 2
    }

    /// The unique name of who has this name; where nobody has, the program that the bus can start for it. Throws
    /// ``BusError/Code/noOwner`` where there is none.
    package func owner(starting name: String, within timeLimit: Duration) async throws(BusError) -> String {
        if let owner = try await owner(of: name) { return owner }
        _ = try await startService(name, timeLimit: timeLimit)
        guard let owner = try await owner(of: name) else {
            throw BusError(.noReply, "The program for '\(name)' ended as soon as it was started.")
        }
        return owner
    }

    /// Process and user behind a name. Throws ``BusError/Code/noOwner`` where nobody has it (any more).
    public func credentials(of name: String) async throws(BusError) -> BusCredentials {
        try BusNameRules.checkBusName(name)
        return BusCredentials(
            try await call(BusDriver.call("GetConnectionCredentials", [.string(name)], expects: "a{sv}"))
        )
    }
}
