import BelfryLoop
import CDBus
import Synchronization

extension BusCore {
    /// Starts connecting if idle. From now on, failed attempts are repeated.
    func start() {
        keepsTrying = true
        if case .idle = state { attempt() }
    }

    /// Connects, or joins the attempt in progress, and reports its result.
    func connect(completion: @escaping Completion<Void>) {
        switch state {
        case .connected: completion(.success(()))
        case .closed: completion(.failure(Self.closedError))
        case .connecting: connectWaiters.append(completion)
        case .idle, .disconnected:
            connectWaiters.append(completion)
            attempt()
        }
    }

    func attempt() {
        generation += 1
        let generation = generation
        let address: String
        do throws(BusError) { address = try self.address.resolve() } catch { return fail(error) }
        setState(.connecting)
        open(address)
        loop.wait(until: .now + configuration.connectTimeout.bounded) { [weak self] in
            guard let self, generation == self.generation, case .connecting = state else { return }
            fail(
                BusError(
                    .noBus,
                    "The bus at '\(address)' did not reply within \(configuration.connectTimeout): it hangs, or is "
                        + "overloaded. Try again later."
                )
            )
        }
    }

    /// Opens one socket at a time: a bus that doesn't accept connections blocks each connecting thread for as long as
    /// it hangs. An attempt reuses the opening that an earlier one started.
    private func open(_ address: String) {
        guard opening != address else { return }
        opening = address
        WireOpening.open(address, on: loop) { [weak self] result in
            guard let self else { return result.discard() }
            if opening == address { opening = nil }
            // The connection was closed, the attempt was given up, or the bus now has another address.
            guard case .connecting = state, wire == nil, let wanted = try? self.address.resolve(), wanted == address
            else { return result.discard() }
            switch result {
            case .success(let opened): greet(opened)
            case .failure(let error): fail(error)
            }
        }
    }

    private func greet(_ opened: OpenedConnection) {
        let wire = WireConnection(opened.handle, of: self)
        self.wire = wire
        do throws(BusError) { try wire.begin() } catch { return fail(error) }
        callBus(BusDriver.call("Hello", expects: "s")) { core, result in
            switch result {
            case .success(let values): core.greeted(wire, as: values.first?.string ?? "")
            case .failure(let error): core.fail(error)
            }
        }
        afterSending()
    }

    /// Restores rules, then names, so that no signal is missed, and then serves the callers that wait. The bus
    /// processes all of it in the order of sending.
    private func greeted(_ wire: WireConnection, as name: String) {
        wire.setUniqueName(name)
        let busID = wire.busID
        outlook.withLock { $0.busID = busID }
        greetedTime = .now
        lastFailure = nil
        keepsTrying = keepsTrying || configuration.reconnection != nil
        restoreRules()
        restoreNames()
        setState(.connected(name))
        let waiters = connectWaiters
        connectWaiters = []
        for waiter in waiters { waiter(.success(())) }
        pump()
    }

    /// Handles the bus closing the connection of this generation.
    func lose(_ generation: UInt64) {
        guard generation == self.generation else { return }
        if case .connecting = state {
            fail(
                BusError(
                    .authenticationFailed,
                    "The bus hung up during the greeting: it does not let this user in, or is just ending."
                )
            )
        } else {
            fail(BusError(.disconnected, "The bus is gone: its process has ended, or it has cut this connection off."))
        }
    }

    /// Handles a failed attempt or a lost connection.
    func fail(_ error: BusError) {
        lastFailure = error
        endWire()
        if keepsTrying, let reconnection = configuration.reconnection {
            // Keep the pauses long if the bus disconnects right after the greeting.
            if let greetedTime, greetedTime + reconnection.longest.bounded <= .now { attempts = 0 }
            greetedTime = nil
            let delay = reconnection.delay(before: attempts)
            attempts += 1
            let generation = generation
            setState(.disconnected(error, retry: delay))
            loop.wait(until: .now + delay.bounded) { [weak self] in
                guard let self, generation == self.generation, case .disconnected = state else { return }
                attempt()
            }
        } else {
            setState(.idle)
        }
        failAll(error)
    }

    /// Closes the connection permanently.
    func close() {
        if case .closed = state { return }
        endWire()
        setState(.closed)
        failAll(Self.closedError)
        let ended = subscriptions.values
        subscriptions = [:]
        for subscription in ended { subscription.finish() }
        rules = [:]
        objects = [:]
        ownedNames = [:]
    }

    private func endWire() {
        generation += 1
        wire?.end()
        wire = nil
    }

    /// Repeats an action that failed with a transient error, after a pause that doubles with each attempt. Does nothing
    /// if the connection was replaced meanwhile: the new one restores everything itself.
    func retry(_ attempt: Int, _ action: @escaping @Sendable (BusCore) -> Void) {
        let generation = generation
        let pause = (configuration.reconnection ?? BusReconnection()).delay(before: attempt)
        loop.wait(until: .now + pause.bounded) { [weak self] in
            guard let self, generation == self.generation, case .connected = state else { return }
            action(self)
            afterSending()
        }
    }

    private func failAll(_ error: BusError) {
        for call in calls.removeAll() { call.fail(error) }
        let waiters = connectWaiters
        connectWaiters = []
        for waiter in waiters { waiter(.failure(error)) }
        for call in runningCalls.values { call.task.cancel() }
        runningCalls = [:]
        runningCounts = [:]
        loseRules(error)
    }
}
