import Foundation
import Synchronization

/// What the pump takes in.
enum Mail: Sendable {
    case event(ScheduleEvent)
    case backend(BackendEvent)
    /// There are fixes in their inbox.
    case fixes
    /// Resumed when everything before it has been taken in.
    case fence(CheckedContinuation<Void, Never>)
}

/// Events from whatever thread, in order, until the center takes them.
final class Inbox<Event: Sendable>: Sendable {
    private let events = Mutex<[Event]>([])

    /// True where the inbox was empty, so that somebody must be told.
    func put(_ event: Event) -> Bool {
        events.withLock {
            $0.append(event)
            return $0.count == 1
        }
    }

    func takeAll() -> [Event] {
        events.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
    }

    var isEmpty: Bool { events.withLock { $0.isEmpty } }
}

extension EmbeddedCenter {
    /// Posts an event that somebody waits for.
    func call(_ event: (Ticket) -> ScheduleEvent) async throws(NoticeError) -> TicketAnswer {
        let ticket = nextTicket
        nextTicket += 1
        let event = event(ticket)
        let result = await withCheckedContinuation { continuation in
            waiting[ticket] = continuation
            post(.event(event))
        }
        return try result.get()
    }

    /// Returns when everything posted so far has been taken in and stored. Throws where the store can't be opened.
    func settle() async throws(NoticeError) {
        if !isLoaded || isPumping || !mailbox.isEmpty { _ = try await call { .settings([], $0) } }
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
            case .event(let event): await takeIn(groupBegun(by: event))
            }
            await followDemand()
            alarm?.set(schedule.nextWake)
        }
        isPumping = false
        checkQuiet()
    }

    /// Events up to the next one of another sort: facts don't share a commit with wishes, which may be undone.
    private func groupBegun(by first: ScheduleEvent) -> [ScheduleEvent] {
        var group = [first]
        guard let kind = first.sharing else { return group }
        while group.count < 4_096, case .event(let next)? = mailbox.first, next.sharing == kind {
            _ = mailbox.popFirst()
            group.append(next)
        }
        return group
    }

    func takeIn(_ group: [ScheduleEvent]) async {
        let now = clock.now()
        var effects: [ScheduleEffect] = []
        for event in group { effects += schedule.handle(event, at: now) }
        await perform(effects)
        resolve(group.count { $0.resolvesDelivery })
    }

    /// So many deliveries have an outcome: events that waited for it are looked at again, before all others.
    func resolve(_ count: Int) {
        guard count > 0 else { return }
        unresolvedDeliveries = max(0, unresolvedDeliveries - count)
        if unresolvedDeliveries == 0 { takenDown = [] }
        let held = heldEvents
        heldEvents = []
        guard !held.isEmpty else { return }
        mailbox.prepend(contentsOf: held.map(Mail.backend))
        pumpIfNeeded()
    }

    func handle(_ event: ScheduleEvent) async { await perform(schedule.handle(event, at: clock.now())) }

    private func perform(_ effects: [ScheduleEffect]) async {
        var commits: [CommitID] = []
        var changes: [StoreChange] = []
        var rest: [ScheduleEffect] = []
        for effect in effects {
            if case .commit(let id, let batch) = effect {
                commits.append(id)
                changes += batch
            } else {
                rest.append(effect)
            }
        }
        performAll(rest)
        guard !commits.isEmpty else { return }
        do throws(NoticeError) {
            try await store.commit(changes)
            // Before anybody is told: who has added a place may report where it is.
            await followDemand()
            let now = clock.now()
            for id in commits { performAll(schedule.handle(.committed(id), at: now)) }
        } catch {
            let now = clock.now()
            // Undone latest first; what follows from facts follows in their order all the same.
            let undone = commits.reversed().map { schedule.handle(.commitFailed($0, error), at: now) }
            for effects in undone.reversed() { performAll(effects) }
        }
    }

    private func performAll(_ effects: [ScheduleEffect]) {
        var hasWithdrawn = false
        for effect in effects {
            switch effect {
            case .withdraw:
                hasWithdrawn = true
                perform(effect)
            case .answer(let ticket, .success(let answer))
            where answer.waitsForWithdrawals && (hasWithdrawn || withdrawalsInLane > 0):
                enqueue(.answer(ticket, answer))
            default: perform(effect)
            }
        }
    }

    private func perform(_ effect: ScheduleEffect) {
        switch effect {
        case .commit: break
        case .deliver(let order): enqueue(.deliver(order))
        case .withdraw(let receipt):
            if unresolvedDeliveries > 0 { takenDown.insert(receipt.key) }
            enqueue(.withdraw(receipt))
        case .publish(let response): publish(response)
        case .record(let entry): eventBroadcast.send(.ledger(entry))
        case .report(let error): eventBroadcast.send(.problem(error))
        case .ask(let question, let feed): ask(question, of: feed)
        case .answer(let ticket, let result): waiting.removeValue(forKey: ticket)?.resume(returning: result)
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
            authorization = state.authorization
            isLoaded = true
            say(state)
            state.dormant = await newlyDormant(of: state)
            await handle(.restored(state, bootID: clock.bootID, isSynchronised: clock.isSynchronised))
            return true
        } catch {
            let all = waiting
            waiting = [:]
            for continuation in all.values { continuation.resume(returning: .failure(error)) }
            for case .fence(let continuation) in mailbox.removeAll() { continuation.resume() }
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

    /// The notice that an event speaks of. A server may tell of a click before it has confirmed the delivery: such events
    /// wait until one is confirmed; what in the end belongs to nobody is another program's. What a server tells of a notice
    /// that was just taken down, up to its closing, is over: the handle may be that of the next delivery.
    private func standing(
        _ reference: ReceiptReference,
        of backend: String,
        orHold event: BackendEvent
    ) -> (id: String, NoticeState.Standing)? {
        let key = ReceiptKey(backend: backend, server: reference.server, handle: reference.handle)
        if let id = schedule.notices.idsByReceipt[key], let standing = schedule.notices[id]?.standing {
            return (id, standing)
        }
        guard unresolvedDeliveries > 0 else { return nil }
        guard !takenDown.contains(key) else {
            if case .closed = event { takenDown.remove(key) }
            return nil
        }
        if heldEvents.count == Self.heldLimit { heldEvents.removeFirst() }
        heldEvents.append(.from(backend: backend, event))
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
        responseSerial += 1
        return NoticeResponse(
            id: "\(standing.deliveryID)/\(now.boot)-\(responseSerial)",
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

extension TicketAnswer {
    /// Whether what was asked for is done only when the notices that went with it are off the screen.
    fileprivate var waitsForWithdrawals: Bool {
        switch self {
        case .done, .removed: true
        case .added, .synchronized, .shown: false
        }
    }
}

extension ScheduleEvent {
    enum Sharing { case wishes, outcomes }

    /// With which neighbours the event may share a commit: nil with none.
    fileprivate var sharing: Sharing? {
        switch self {
        case .added, .addedSeries, .synchronized, .shown, .removed, .removedAll, .endedSeries, .removedSeries,
            .removedDelivered, .snoozed, .quietHoursSet, .settings:
            return .wishes
        case .delivered, .deliveryFailed, .suppressed, .handedOver, .acknowledged: return .outcomes
        default: return nil
        }
    }

    fileprivate var resolvesDelivery: Bool {
        switch self {
        case .delivered, .deliveryFailed, .suppressed, .handedOver: return true
        default: return false
        }
    }
}
