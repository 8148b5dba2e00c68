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
        try await changed(size: size, decide)
        if !isDelayedByCaller { await withdrawn() }
    }

    /// Performs a removal. Returns when the removed notices are off the screen and no longer in flight, or when it is
    /// stored if a delivery waits for the caller.
    func removed(
        size: @escaping Size,
        _ decide: @escaping Decide<Removal>
    ) async throws(NoticeError) -> NoticeCenter.RemovalReport {
        let isDelayedByCaller = isDelayedByCaller
        let removal = try await call(size, decide) { (engine, removal, caller: Caller<Removal>) in
            for delivery in removal.inFlight { engine.deliveries.cancel(delivery) }
            caller.resume(returning: .success(removal))
        }
        guard !isDelayedByCaller else { return removal.report }
        for delivery in removal.inFlight {
            await withCheckedContinuation { deliveries.awaitRelease(of: delivery, $0) }
        }
        await withdrawn()
        return removal.report
    }

    /// Shows a notice and returns when it is on the screen. Throws the reason if it is not shown.
    func shown(_ request: NoticeRequest) async throws(NoticeError) -> NoticeState.Delivered {
        try await call({ _ in 1 }, { $0.show(request) }) { engine, delivery, caller in
            engine.showCallers[delivery] = caller
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

    /// Returns when all notices that are being withdrawn now are off the screen.
    private func withdrawn() async {
        // For the same reason as in `call`.
        await withTaskExecutorPreference(CenterThread.shared) {
            await withCheckedContinuation { deliveries.awaitWithdrawals($0) }
        }
    }
}
