/// What the pump takes in.
enum Mail {
    case call(Call)
    case event(ScheduleEvent)
    case backend(BackendEvent)
    /// There are fixes in their inbox.
    case fixes
    /// Resumed when everything before it has been taken in.
    case fence(CheckedContinuation<Void, Never>)
}

extension EmbeddedCenter {
    /// Returns when everything posted so far has been taken in and stored. Throws where the store can't be opened.
    func settle() async throws(NoticeError) {
        if !isLoaded || isPumping || !mailbox.isEmpty { try await call { $0.set([], at: $1) } }
    }

    /// Opens the store where that has not been done.
    func open() async throws(NoticeError) { if !isLoaded { try await settle() } }

    func fence() async { await withCheckedContinuation { post(.fence($0)) } }

    func post(_ mail: Mail) {
        mailbox.append(mail)
        pumpIfNeeded()
    }

    private func pumpIfNeeded() {
        guard !isPumping else { return }
        isPumping = true
        // Not the caller's task: its cancellation must not end a commit that others share.
        Task(executorPreference: CenterThread.shared) { await self.pump() }
    }

    /// Takes in what happened until nothing is left. Events that came together share one commit.
    private func pump() async {
        while !mailbox.isEmpty {
            if !isLoaded, !(await load()) { break }
            guard let first = mailbox.popFirst() else { break }
            switch first {
            case .fence(let continuation): continuation.resume()
            case .backend(let event): await takeIn(event)
            case .fixes: await takeInFixes()
            case .call(let call): await takeIn(calls: [call] + nextCalls())
            case .event(let event): await takeIn([event] + eventsSharing(with: event))
            }
            await followDemand()
            currentRun.alarm?.set(schedule.nextWake)
        }
        isPumping = false
        checkQuiet()
    }

    /// No more than so many share a transaction.
    private static let groupLimit = 4_096

    private func nextCalls() -> [Call] {
        var calls: [Call] = []
        while calls.count < Self.groupLimit - 1, case .call(let call)? = mailbox.first {
            _ = mailbox.popFirst()
            calls.append(call)
        }
        return calls
    }

    /// Outcomes up to what is not one: they don't share a transaction with calls, which may be undone.
    private func eventsSharing(with first: ScheduleEvent) -> [ScheduleEvent] {
        var events: [ScheduleEvent] = []
        guard first.isOutcome else { return events }
        while events.count < Self.groupLimit - 1, case .event(let next)? = mailbox.first, next.isOutcome {
            _ = mailbox.popFirst()
            events.append(next)
        }
        return events
    }

    private func takeIn(calls: [Call]) async {
        let now = clock.now()
        await perform(calls.compactMap { $0.decide(&schedule, now) })
    }

    func takeIn(_ events: [ScheduleEvent]) async {
        let now = clock.now()
        await perform(events.map { Decision(transaction: schedule.handle($0, at: now)) })
        resolve(events.count { $0.resolvesDelivery })
    }

    /// So many deliveries have an outcome: events that waited for it are looked at again, before all others.
    func resolve(_ count: Int) {
        let held = earlyEvents.resolve(count)
        guard !held.isEmpty else { return }
        mailbox.prepend(contentsOf: held.map(Mail.backend))
        pumpIfNeeded()
    }

    func handle(_ event: ScheduleEvent) async {
        await perform([Decision(transaction: schedule.handle(event, at: clock.now()))])
    }

    /// Stores what was decided, in one transaction, and does what follows from it. Nothing else happens to the schedule in
    /// between.
    private func perform(_ decisions: [Decision]) async {
        for (question, feed) in schedule.feedQuestions() { ask(question, of: feed) }
        // What stores nothing waits for nothing but for what it may rest on: a second removal of the same request is done when
        // the first one is.
        let firstStored = decisions.firstIndex { !$0.transaction.records.isEmpty } ?? decisions.endIndex
        for decision in decisions[..<firstStored] { follow(decision) }
        let rest = decisions[firstStored...]
        guard let first = rest.first else { return }
        let records = rest.count == 1 ? first.transaction.records : rest.flatMap(\.transaction.records)
        do throws(NoticeError) {
            try await store.commit(records)
            // Before anybody is told: who has added a place may report where it is.
            await followDemand()
            schedule.stored(at: clock.now())
            for decision in rest { follow(decision) }
        } catch {
            schedule.undo(rest.map(\.transaction), at: clock.now())
            for decision in rest {
                // What has happened has its consequences, stored or not.
                if decision.transaction.isFact { performAll(decision.transaction.effects) }
                if let tell = decision.tell { tell(error) } else { eventBroadcast.send(.problem(error)) }
            }
        }
    }

    private func follow(_ decision: Decision) {
        performAll(decision.transaction.effects)
        decision.tell?(nil)
    }

    private func performAll(_ effects: [ScheduleEffect]) { for effect in effects { perform(effect) } }

    private func perform(_ effect: ScheduleEffect) {
        switch effect {
        case .deliver(let order): enqueue(.deliver(order))
        case .withdraw(let receipt):
            earlyEvents.takeDown(receipt.key)
            enqueue(.withdraw(receipt))
        case .publish(let response): publish(response)
        case .record(let entry): eventBroadcast.send(.ledger(entry))
        case .report(let error): eventBroadcast.send(.problem(error))
        case .conclude(let delivery, let outcome): showCallers.removeValue(forKey: delivery)?.resume(returning: outcome)
        case .release(let delivery): release(delivery)
        }
    }

    /// Opens the store. Where that fails, everybody who waits is told, and the next call tries again.
    private func load() async -> Bool {
        do throws(NoticeError) {
            var state = try await store.load()
            state.setAsideBeyondBounds()
            await compile(state.pending.lazy.compactMap(\.trigger))
            categoriesByID = Dictionary(
                state.categories.map { ($0.identifier, $0) },
                uniquingKeysWith: { _, last in last }
            )
            permission.answer = state.authorization
            isLoaded = true
            say(state)
            state.dormant = await newlyDormant(of: state)
            await handle(.restored(state, bootID: clock.bootID, isSynchronised: clock.isSynchronised))
            return true
        } catch {
            for mail in mailbox.removeAll() {
                switch mail {
                case .call(let call): call.refuse(error)
                case .fence(let continuation): continuation.resume()
                case .event, .backend, .fixes: break
                }
            }
            eventBroadcast.send(.problem(error))
            return false
        }
    }

    // MARK: The backend's events

    nonisolated func report(_ event: BackendEvent) {
        if inbox.put(event) { Task(executorPreference: CenterThread.shared) { await self.drainInbox() } }
    }

    func drainInbox() {
        for event in inbox.takeAll() { post(.backend(event)) }
        checkQuiet()
    }

    private func takeIn(_ event: BackendEvent) async { await takeIn(event, of: backend.name) }

    private func takeIn(_ event: BackendEvent, of backend: String) async {
        switch event {
        case .answered(let reference, let action, let text, let token):
            guard let (id, standing) = standing(reference, of: backend, orHold: event) else { return }
            let response = await response(to: id, standing, kind(action, text), token: token)
            await handle(.answered(response))
        case .closed(let reference, let reason):
            guard let (id, standing) = standing(reference, of: backend, orHold: event) else { return }
            let response = await response(to: id, standing, .dismissed, token: nil)
            await handle(.closed(standing.receipt.key, reason, response: response))
        case .serverGone(let server):
            knownCapabilities = nil
            await handle(.serverGone(backend: backend, server: server))
        case .serverCame(let server):
            knownCapabilities = nil
            await handle(.serverCame(backend: backend, server: server))
        case .problem(let error):
            eventBroadcast.send(.problem(error))
        case .from(let other, let event): await takeIn(event, of: other)
        }
    }

    /// The notice that an event speaks of.
    private func standing(
        _ reference: ReceiptReference,
        of backend: String,
        orHold event: BackendEvent
    ) -> (id: String, NoticeState.Standing)? {
        let key = ReceiptKey(backend: backend, server: reference.server, handle: reference.handle)
        if let id = schedule.notices.idsByReceipt[key], let standing = schedule.notices[id]?.standing {
            return (id, standing)
        }
        earlyEvents.hold(event, of: key, from: backend)
        return nil
    }

    private func kind(_ action: String, _ text: String?) -> NoticeResponse.Kind {
        if let text { return .reply(action: action, text: text) }
        return action == NoticeAction.defaultIdentifier ? .opened : .action(action)
    }

    private func response(
        to id: String,
        _ standing: NoticeState.Standing,
        _ kind: NoticeResponse.Kind,
        token: String?
    ) async -> NoticeResponse {
        // A store that can't be read now must not cost the person's answer, only what the app attached to it.
        var request = try? await store.request(revision: standing.revision)
        if let found = request {
            request?.content = found.content(of: standing.record)
            request?.escalation = []
            request?.trigger = nil
        }
        let now = clock.now()
        return NoticeResponse(
            id: "\(standing.deliveryID)/\(now.boot)-\(unclaimed.nextSerial())",
            requestID: id,
            deliveryID: standing.deliveryID,
            kind: kind,
            at: now.date,
            series: standing.traits.series,
            userInfo: request?.content.userInfo ?? [:],
            activationToken: token,
            request: request,
            thread: standing.traits.thread,
            snoozeCount: standing.record.snoozes
        )
    }
}

extension ScheduleEvent {
    /// Whether the event may share a transaction with others of its kind.
    fileprivate var isOutcome: Bool {
        if case .acknowledged = self { true } else { resolvesDelivery }
    }

    fileprivate var resolvesDelivery: Bool {
        switch self {
        case .delivered, .deliveryFailed, .suppressed, .handedOver: true
        default: false
        }
    }
}
