/// A call of the app, until the schedule has decided it.
struct Call: Sendable {
    /// Returns the number of requests that the call concerns.
    let size: EmbeddedEngine.Size
    /// Makes the decision; returns nil if the call was refused.
    let decide: @Sendable (inout Schedule, TriggerInstant) -> Decision?
    /// Resumes the caller with an error because nothing can be decided.
    let refuse: @Sendable (NoticeError) -> Void
}

extension Call {
    /// Creates a call. When its change is stored, `proceed` resumes `caller`.
    init<Value: Sendable, Output: Sendable>(
        _ size: @escaping EmbeddedEngine.Size,
        _ decide: @escaping EmbeddedEngine.Decide<Value>,
        _ caller: Caller<Output>,
        then proceed: @escaping EmbeddedEngine.Proceed<Value, Output>
    ) {
        self.size = size
        self.decide = { schedule, now in
            do throws(NoticeError) {
                let change = try schedule.change(at: now, decide)
                return Decision(transaction: change.transaction) { engine, error in
                    if let error { return caller.resume(returning: .failure(error)) }
                    proceed(engine, change.result, caller)
                }
            } catch {
                caller.resume(returning: .failure(error))
                return nil
            }
        }
        refuse = { caller.resume(returning: .failure($0)) }
    }
}

/// A decision of the schedule that has to be stored.
struct Decision: Sendable {
    let transaction: ScheduleTransaction
    /// Reports to the caller that the decision was stored, or the error; nil if there is no caller.
    var report: (@Sendable (isolated EmbeddedEngine, NoticeError?) -> Void)?
}

typealias Caller<Value> = CheckedContinuation<Result<Value, NoticeError>, Never>

extension EmbeddedEngine {
    typealias Decide<Value: Sendable> = @Sendable (inout Schedule) throws(NoticeError) -> Value
    typealias Size = @Sendable (Schedule) -> Int
    /// What follows when the change of a call is stored.
    typealias Proceed<Value, Output> = @Sendable (isolated EmbeddedEngine, Value, Caller<Output>) -> Void

    /// Performs a change and returns its result when it is stored.
    ///
    /// - Parameter size: returns the number of requests that the change concerns.
    func changed<Value: Sendable>(
        size: @escaping Size = { _ in 1 },
        _ decide: @escaping Decide<Value>
    ) async throws(NoticeError) -> Value {
        try await call(size, decide) { _, value, caller in caller.resume(returning: .success(value)) }
    }

    /// Performs a change that may withdraw notices. Returns when it is stored and they are off the screen.
    ///
    /// The withdrawals come after a delivery that waits for the caller, so it returns when the change is stored.
    func withdrawing(
        size: @escaping Size = { _ in 1 },
        _ decide: @escaping Decide<Void>
    ) async throws(NoticeError) {
        let isDelayedByCaller = isDelayedByCaller
        try await call(size, decide) { (engine, _, caller: Caller<Void>) in
            guard !isDelayedByCaller else { return caller.resume(returning: .success(())) }
            engine.whenWithdrawn { caller.resume(returning: .success(())) }
        }
    }

    /// Performs a removal. Returns when the removed notices are off the screen and no longer in flight, or when it is
    /// stored if a delivery waits for the caller.
    func removed(
        size: @escaping Size,
        _ decide: @escaping Decide<Removal>
    ) async throws(NoticeError) -> NoticeCenter.RemovalReport {
        let isDelayedByCaller = isDelayedByCaller
        return try await call(size, decide) { engine, removal, caller in
            guard !isDelayedByCaller else { return caller.resume(returning: .success(removal.report)) }
            engine.wait(for: removal, caller)
        }
    }

    /// Shows a notice and returns when it is on the screen. Throws the reason if it is not shown.
    func shown(_ request: NoticeRequest) async throws(NoticeError) -> NoticeState.Delivered {
        try await call({ _ in 1 }, { $0.show(request) }) { engine, delivery, caller in
            engine.callers.wait(for: delivery, caller)
        }
    }

    /// Whether the caller is the app's code that a delivery waits for. Waiting for what comes after that delivery would
    /// never end.
    var isDelayedByCaller: Bool { deliveries.undecided.map { $0 == Self.undecidedDelivery } ?? false }

    /// Enqueues a call. When its change is stored, `proceed` resumes the caller.
    private func call<Value: Sendable, Output: Sendable>(
        _ size: @escaping Size,
        _ decide: @escaping Decide<Value>,
        then proceed: @escaping Proceed<Value, Output>
    ) async throws(NoticeError) -> Output {
        // A resumed task passes through its task executor before it returns to its actor (Swift 6.3). The executor of
        // an app's own task is another thread, which would cost two wake-ups.
        let result = await withTaskExecutorPreference(CenterThread.shared) {
            await withCheckedContinuation { (caller: Caller<Output>) in
                post(.call(Call(size, decide, caller, then: proceed)))
            }
        }
        return try result.get()
    }

    // MARK: Removals in progress

    private func wait(for removal: Removal, _ caller: Caller<NoticeCenter.RemovalReport>) {
        if removal.inFlight.isEmpty {
            whenWithdrawn { caller.resume(returning: .success(removal.report)) }
        } else {
            callers.wait(for: removal, caller)
        }
    }

    /// Handles that the backend is done with a canceled delivery.
    func release(_ delivery: DeliveryReference) {
        for (removal, caller) in callers.release(delivery) { wait(for: removal, caller) }
    }

    /// Calls `body` when all notices that are being withdrawn now are off the screen.
    private func whenWithdrawn(_ body: @escaping () -> Void) {
        if deliveries.hasWithdrawals { enqueue(.mark(body)) } else { body() }
    }
}

/// The callers that wait for the outcome of a delivery: of `show`, and of removals that canceled it.
struct DeliveryCallers {
    typealias Removing = (removal: Removal, caller: Caller<NoticeCenter.RemovalReport>)

    private var shows: [DeliveryReference: Caller<NoticeState.Delivered>] = [:]
    private var removals: [Removing] = []

    var hasRemovals: Bool { !removals.isEmpty }

    /// Waits until the notice is on the screen.
    mutating func wait(for delivery: DeliveryReference, _ caller: Caller<NoticeState.Delivered>) {
        shows[delivery] = caller
    }

    /// Waits until the backend is done with the deliveries that were in flight.
    mutating func wait(for removal: Removal, _ caller: Caller<NoticeCenter.RemovalReport>) {
        removals.append((removal, caller))
    }

    mutating func conclude(_ delivery: DeliveryReference, with outcome: Result<NoticeState.Delivered, NoticeError>) {
        shows.removeValue(forKey: delivery)?.resume(returning: outcome)
    }

    /// Records that the backend is done with a canceled delivery. Returns the removals that wait for no other delivery.
    mutating func release(_ delivery: DeliveryReference) -> [Removing] {
        for index in removals.indices { removals[index].removal.inFlight.remove(delivery) }
        defer { removals.removeAll(where: \.removal.inFlight.isEmpty) }
        return removals.filter(\.removal.inFlight.isEmpty)
    }
}
