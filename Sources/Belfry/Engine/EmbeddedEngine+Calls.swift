/// What an app asks for, until it is decided.
struct Call {
    /// Decides; nil where the caller was refused.
    let decide: (inout Schedule, TriggerInstant) -> Decision?
    /// Tells the caller that nothing can be decided.
    let refuse: (NoticeError) -> Void
}

extension Call {
    /// When its change is stored, `proceed` sees to it that `caller` is answered.
    init<Value: Sendable, Answer: Sendable>(
        _ decide: @escaping EmbeddedEngine.Decide<Value>,
        _ caller: Caller<Answer>,
        then proceed: @escaping (Value, Caller<Answer>) -> Void
    ) {
        self.decide = { schedule, now in
            do throws(NoticeError) {
                let change = try decide(&schedule, now)
                return Decision(transaction: change.transaction) { error in
                    if let error { return caller.resume(returning: .failure(error)) }
                    proceed(change.result, caller)
                }
            } catch {
                caller.resume(returning: .failure(error))
                return nil
            }
        }
        refuse = { caller.resume(returning: .failure($0)) }
    }
}

/// What was decided and has to be stored.
struct Decision {
    let transaction: ScheduleTransaction
    /// Tells the caller that it is stored, or why it could not be; nil where nobody waits.
    var tell: ((NoticeError?) -> Void)?
}

typealias Caller<Value> = CheckedContinuation<Result<Value, NoticeError>, Never>

extension EmbeddedEngine {
    typealias Decide<Value: Sendable> = (inout Schedule, TriggerInstant) throws(NoticeError) -> Change<Value>

    /// Returns what a change returns when that is stored.
    func changed<Value: Sendable>(_ decide: @escaping Decide<Value>) async throws(NoticeError) -> Value {
        try await call(decide) { value, caller in caller.resume(returning: .success(value)) }
    }

    /// The same, when what it took off the screen is gone, too.
    func call(_ decide: @escaping Decide<Void>) async throws(NoticeError) {
        try await call(decide) { [self] (_, caller: Caller<Void>) in
            whenWithdrawn { caller.resume(returning: .success(())) }
        }
    }

    /// Returns when what was removed is off the screen, and not on its way there either.
    func removed(_ decide: @escaping Decide<Removal>) async throws(NoticeError) -> NoticeCenter.RemovalReport {
        try await call(decide) { [self] removal, caller in wait(for: removal, caller) }
    }

    /// Returns when a notice is on the screen; throws why it is not.
    func shown(_ request: NoticeRequest) async throws(NoticeError) -> NoticeState.Delivered {
        try await call({ $0.show(request, at: $1) }) { [self] delivery, caller in callers.wait(for: delivery, caller) }
    }

    /// Puts a call in line. When its change is stored, `proceed` sees to it that the caller is answered.
    private func call<Value: Sendable, Answer: Sendable>(
        _ decide: @escaping Decide<Value>,
        then proceed: @escaping (Value, Caller<Answer>) -> Void
    ) async throws(NoticeError) -> Answer {
        // A task that has waited goes on at its task executor before it comes back to its actor (Swift 6.3). That of an
        // app's own task is another thread: two wake-ups, for nothing.
        let answer = await withTaskExecutorPreference(CenterThread.shared) {
            await withCheckedContinuation { (caller: Caller<Answer>) in
                post(.call(Call(decide, caller, then: proceed)))
            }
        }
        return try answer.get()
    }

    // MARK: Removals that are not over yet

    private func wait(for removal: Removal, _ caller: Caller<NoticeCenter.RemovalReport>) {
        if removal.inFlight.isEmpty {
            whenWithdrawn { caller.resume(returning: .success(removal.report)) }
        } else {
            callers.wait(for: removal, caller)
        }
    }

    /// The backend is done with a delivery that was called off.
    func release(_ delivery: DeliveryReference) {
        for (removal, caller) in callers.release(delivery) { wait(for: removal, caller) }
    }

    /// Calls `body` when all that is to be taken down now is off the screen.
    private func whenWithdrawn(_ body: @escaping () -> Void) {
        if deliveries.hasWithdrawals { enqueue(.mark(body)) } else { body() }
    }
}

/// Callers that wait for what becomes of a delivery: of `show`, and of removals that have called it off.
struct DeliveryCallers {
    typealias Removing = (removal: Removal, caller: Caller<NoticeCenter.RemovalReport>)

    private var shows: [DeliveryReference: Caller<NoticeState.Delivered>] = [:]
    private var removals: [Removing] = []

    var hasRemovals: Bool { !removals.isEmpty }

    /// Until the notice is on the screen.
    mutating func wait(for delivery: DeliveryReference, _ caller: Caller<NoticeState.Delivered>) {
        shows[delivery] = caller
    }

    /// Until the backend is done with what was in flight.
    mutating func wait(for removal: Removal, _ caller: Caller<NoticeCenter.RemovalReport>) {
        removals.append((removal, caller))
    }

    mutating func conclude(_ delivery: DeliveryReference, with outcome: Result<NoticeState.Delivered, NoticeError>) {
        shows.removeValue(forKey: delivery)?.resume(returning: outcome)
    }

    /// The backend is done with a delivery that was called off. Returns those who wait for no delivery any more.
    mutating func release(_ delivery: DeliveryReference) -> [Removing] {
        for index in removals.indices { removals[index].removal.inFlight.remove(delivery) }
        defer { removals.removeAll(where: \.removal.inFlight.isEmpty) }
        return removals.filter(\.removal.inFlight.isEmpty)
    }
}
