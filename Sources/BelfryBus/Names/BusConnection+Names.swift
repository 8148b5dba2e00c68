extension BusConnection {
    /// Requests a well-known name. The request is repeated with the same flags on every new connection until the name
    /// is released. A refused request is not repeated.
    ///
    /// - Parameters:
    ///   - name: The well-known name.
    ///   - flags: Whether to replace an owner, to be replaceable, and to queue.
    ///   - lost: Called once, on the connection's thread, if a new connection doesn't get the name: another program has
    ///     it, or the bus refuses it permanently. It is not requested again then.
    /// - Throws: ``BusError/Code/invalidName`` for a name that is not well-known, and ``BusError/Code/accessDenied`` if
    ///   the bus's policy forbids it (both permanent); else the errors of ``call(_:)``. A name of another program is no
    ///   error: see the result.
    @discardableResult
    public func requestName(
        _ name: String,
        _ flags: BusNameFlags = [],
        lost: @escaping @Sendable (BusError) -> Void = { _ in }
    ) async throws(BusError) -> BusNameOutcome {
        try BusNameRules.checkWellKnownName(name)
        let owned = OwnedName(id: core.newID(), flags: flags, lost: lost)
        let call = owned.request(for: name)
        let message = try core.checked(call)
        return try await core.result { core, completion in
            let before = core.ownedNames[name]
            // Set before the request, so that a release before the reply finds it.
            core.ownedNames[name] = owned
            let request = PendingCall(call, message, id: core.newID()) { [weak core] result in
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
            core.accept(request)
        }
    }

    /// Releases a name, or leaves the queue for it. Without a bus, the name is only no longer requested again.
    ///
    /// - Throws: ``BusError/Code/invalidName`` for a name that is not well-known and ``BusError/Code/closed`` (both
    ///   permanent); ``BusError/Code/timedOut``, or ``BusError/Code/noBus`` if none was ever reached (transient). The
    ///   name is not requested again even then.
    public func releaseName(_ name: String) async throws(BusError) {
        try BusNameRules.checkWellKnownName(name)
        core.perform { $0.ownedNames[name] = nil }
        let result = await callToTheEnd(BusDriver.call("ReleaseName", [.string(name)], expects: "u"))
        if case .failure(let error) = result, error.code != .disconnected { throw error }
    }

    /// Returns the unique name of the name's owner; nil if there is none.
    ///
    /// - Throws: ``BusError/Code/invalidName`` (permanent), and the errors of ``call(_:)`` without a bus or a reply
    ///   (transient).
    public func owner(of name: String) async throws(BusError) -> String? {
        try BusNameRules.checkBusName(name)
        do throws(BusError) {
            return try await call(BusDriver.call("GetNameOwner", [.string(name)], expects: "s")).first?.string
        } catch {
            guard error.code == .noOwner else { throw error }
            return nil
        }
    }

    /// The owner of a name, now and after each change; nil if there is none, or no bus.
    ///
    /// Buffers up to 64 changes, then drops the oldest; the latest is always available.
    ///
    /// - Throws: The errors of ``watchOwner(of:_:)``: permanent for an invalid name, transient without a bus.
    public func owners(of name: String) async throws(BusError) -> AsyncStream<String?> {
        let (stream, continuation) = AsyncStream.makeStream(of: String?.self, bufferingPolicy: .bufferingNewest(64))
        let subscription = try await subscribe(
            [.owner(of: name) { continuation.yield($0) }],
            finish: { continuation.finish() }
        )
        continuation.onTermination = { _ in subscription.cancel() }
        return stream
    }

    /// Watches the owner of a name. `changed` is called on the connection's thread, in order with signals and replies;
    /// it must not block. The first call, with the current owner, happens before this returns.
    ///
    /// - Throws: ``BusError/Code/invalidName`` and ``BusError/Code/closed`` (permanent),
    ///   ``BusError/Code/disconnected`` or the reason of a failed attempt to connect, such as ``BusError/Code/noBus``,
    ///   and ``BusError/Code/limitsExceeded`` if the bus allows no more rules (transient).
    public func watchOwner(
        of name: String,
        _ changed: @escaping @Sendable (String?) -> Void
    ) async throws(BusError) -> BusSubscription {
        try await subscribe([.owner(of: name, changed)])
    }

    /// Asks the bus to start the service that is installed for this name. Returns true if it was already running. The
    /// bus allows it up to two minutes; `timeout` is the timeout of this call.
    ///
    /// - Throws: ``BusError/Code/noOwner`` (transient: it may appear) if no service is installed, even for a name that
    ///   has an owner, or if it can't be started. ``BusError/Code/invalidName`` (permanent) for a name that is not
    ///   well-known; else the errors of ``call(_:)``.
    public func startService(_ name: String, timeout: Duration = .seconds(25)) async throws(BusError) -> Bool {
        try BusNameRules.checkWellKnownName(name)
        var call = BusDriver.call("StartServiceByName", [.string(name), .uint32(0)], expects: "u")
        call.timeout = timeout
        do throws(BusError) { return try await self.call(call).first?.integer(UInt32.self) == 2 } catch {
            guard error.code == .noOwner else { throw error }
            throw BusError(
                .noOwner,
                "No program is installed that the bus could start for '\(name)': install one, or start it yourself.",
                cause: error.cause,
                name: error.name
            )
        }
    }

    /// Returns the unique name of the owner; if there is none, starts the service for the name. Throws
    /// ``BusError/Code/noOwner`` if none is installed.
    package func owner(starting name: String, within timeout: Duration) async throws(BusError) -> String {
        if let owner = try await owner(of: name) { return owner }
        _ = try await startService(name, timeout: timeout)
        guard let owner = try await owner(of: name) else {
            throw BusError(.noReply, "The program for '\(name)' ended as soon as it was started.")
        }
        return owner
    }

    /// Returns the process and user that own a name.
    ///
    /// - Throws: ``BusError/Code/noOwner`` (transient) if no process owns it (any more), ``BusError/Code/invalidName``
    ///   (permanent), and the errors of ``call(_:)``.
    public func credentials(of name: String) async throws(BusError) -> BusCredentials {
        try BusNameRules.checkBusName(name)
        return BusCredentials(
            try await call(BusDriver.call("GetConnectionCredentials", [.string(name)], expects: "a{sv}"))
        )
    }
}
