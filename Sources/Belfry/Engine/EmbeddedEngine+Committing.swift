extension EmbeddedEngine {
    /// Returns when everything posted so far has been processed and stored. Throws if the store can't be opened.
    func settle() async throws(NoticeError) {
        if !commits.isOpen || !commits.isIdle { try await changed { _ in } }
    }

    /// Opens the store if it isn't open yet.
    func open() async throws(NoticeError) { if !commits.isOpen { try await settle() } }

    func fence() async { await withCheckedContinuation { post(.fence($0)) } }

    func post(_ item: CommitQueue.Item) {
        commits.append(item)
        beginProcessing()
    }

    private func beginProcessing() {
        guard commits.begin() else { return }
        // Not in the caller's task, whose cancellation must not end a transaction that others share.
        // It doesn't decide about a delivery, even if the caller does: it may call the app's code for something else.
        Self.$undecidedDelivery.withValue(nil) {
            _ = Task.immediate(executorPreference: CenterThread.shared) { await self.processQueue() }
        }
    }

    /// Processes the queue until it is empty, for the caller whose `begin()` returned true.
    func processQueue() async {
        if !commits.isOpen {
            do throws(NoticeError) { try await load() } catch {
                commits.refuseAll(with: error)
                report(error)
            }
        }
        while let group = commits.next() {
            switch group[0] {
            case .fence(let continuation): continuation.resume()
            case .backend(let event): await process(event, of: setup.backend.name)
            case .fixes: await processFixes()
            case .call, .event: await commit(group)
            }
            followDemand()
            // Not before the group is stored: a feed whose start fails must not be queried.
            for (query, feed) in inSchedule({ $0.feedQueries() }) { perform(query, of: feed) }
            currentRun.alarm?.set(inSchedule { $0.nextWake })
            pendingCountWatch.update(inSchedule { $0.pendingCount })
        }
        checkQuiet()
    }

    /// Lets the schedule decide about calls and events, stores the decisions in one transaction, and performs their
    /// effects. The schedule doesn't change in between.
    func commit(_ group: [CommitQueue.Item]) async {
        let now = clock.now()
        // What is long already is counted no further: to count a fix takes as long as to evaluate it.
        let size = inSchedule { schedule in
            group.reduce(0) { Self.isLong($0) ? $0 : $0 + $1.size(in: schedule, at: now) }
        }
        // Others work on the thread meanwhile.
        if Self.isLong(size) {
            let decisions = await changingCopy { schedule in Self.decide(group, on: &schedule, at: now) }
            await store(decisions)
            free(consume decisions)
        } else {
            await store(Self.decide(group, on: &schedule, at: now))
        }
        resolve(group.count(where: \.resolvesDelivery))
    }

    /// Stores decisions in one transaction, and performs their effects.
    private func store(_ decisions: [Decision]) async {
        // Decisions that store nothing are performed at once, unless an earlier one in the group has to be stored: a
        // second removal of the same request must not complete before the first.
        let firstStored = decisions.firstIndex { !$0.transaction.records.isEmpty } ?? decisions.endIndex
        for decision in decisions[..<firstStored] { await follow(decision) }
        let rest = decisions[firstStored...]
        guard let first = rest.first else { return }
        let records = rest.count == 1 ? first.transaction.records : rest.flatMap(\.transaction.records)
        do throws(NoticeError) {
            try await setup.store.commit(records)
            // Before callers resume: a caller that has added a region may report a location fix at once.
            followDemand()
            schedule.stored(at: clock.now())
            for decision in rest { await follow(decision) }
        } catch {
            await undo(rest.map(\.transaction), pausing: first.report == nil)
            for decision in rest {
                // The effects of facts happen even if the facts could not be stored.
                if decision.transaction.isFact { await performAll(decision.transaction.effects) }
                if let report = decision.report { report(self, error) } else { report(error) }
            }
        }
    }

    /// Restores the state before transactions that could not be stored.
    /// - Parameter isPausing: The schedule waits before it tries again. Calls, which are not tried again, never share a
    ///   transaction with events.
    private func undo(_ transactions: [ScheduleTransaction], pausing isPausing: Bool) async {
        let now = clock.now()
        if Self.isLong(transactions.reduce(0) { $0 + $1.undo.count }) {
            await changingCopy { $0.undo(transactions, at: now, pausing: isPausing) }
        } else {
            schedule.undo(transactions, at: now, pausing: isPausing)
        }
    }

    /// Records that `count` deliveries have an outcome. Events that waited for one are processed again, before all
    /// others.
    func resolve(_ count: Int) { commits.prepend(deliveries.resolve(count)) }

    func handle(_ event: ScheduleEvent) async { await commit([.event(event)]) }

    private static func decide(
        _ group: [CommitQueue.Item],
        on schedule: inout Schedule,
        at now: TriggerInstant
    ) -> [Decision] {
        group.compactMap { item in
            switch item {
            case .call(let call): call.decide(&schedule, now)
            case .event(let event): Decision(transaction: schedule.handle(event, at: now))
            case .backend, .fixes, .fence: nil
            }
        }
    }

    private func follow(_ decision: Decision) async {
        await performAll(decision.transaction.effects)
        decision.report?(self, nil)
    }

    private func performAll(_ effects: [ScheduleEffect]) async {
        for (number, effect) in effects.enumerated() {
            perform(effect)
            await CenterThread.shared.letOthersWork(after: number)
        }
    }

    private func perform(_ effect: ScheduleEffect) {
        switch effect {
        case .deliver(let order): enqueue(.deliver(order))
        case .withdraw(let receipt): enqueue(.withdraw(receipt))
        case .publish(let response): publish(response)
        case .record(let entry): eventBroadcast.send(.history(entry))
        case .report(let error): report(error)
        case .conclude(let delivery, let outcome): showCallers.removeValue(forKey: delivery)?.resume(returning: outcome)
        case .release(let delivery): deliveries.release(delivery)
        }
    }

    private func load() async throws(NoticeError) {
        var state = try await setup.store.load()
        state.setAsideBeyondBounds()
        await compile(state.pending.lazy.compactMap(\.trigger))
        categoriesByID = state.categories.byID
        permission.response = state.authorization
        reportErrors(of: state)
        state.dormant = await newlyDormant(of: state)
        await handle(.restored(state, bootID: clock.bootID, isSynchronized: clock.isSynchronized))
        commits.isOpen = true
    }
}
