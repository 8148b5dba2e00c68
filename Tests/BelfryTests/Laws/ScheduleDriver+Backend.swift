import BelfryRecurrence
import Foundation
import SeededRandom

@testable import Belfry

extension ScheduleDriver {
    /// The backend is done with something, or begins with it only now.
    mutating func finishDeliveries() {
        var events: [ScheduleEvent] = []
        for _ in 0..<random.number(1...3) where !hands.isEmpty {
            if let event = outcome(of: random.number(0...(hands.count - 1))) { events.append(event) }
        }
        if !events.isEmpty { handle(facts: events) }
        withdrawWhenIdle()
    }

    /// The backend takes down what was withdrawn, behind what it had in hand; not what has been replaced since.
    mutating func withdrawWhenIdle() {
        guard hands.allSatisfy(\.isLate) else { return }
        for receipt in withdrawals where schedule.isWithdrawn(receipt) { screen[receipt.key] = nil }
        withdrawals = []
    }

    private mutating func outcome(of place: Int) -> ScheduleEvent? {
        let hand = hands[place]
        let reference = hand.order.reference
        if hand.isLate {
            hands.remove(at: place)
            return random.chance(50) ? .delivered(reference, show(hand), reportsDismissal: false) : nil
        }
        if !schedule.isWanted(reference), hand.isCalledOff || random.chance(70) {
            hands.remove(at: place)
            return .deliveryFailed(reference, NoticeError(.storeFailed, "It was called off."))
        }
        if undisplayed.contains(hand.order.revision) {
            hands.remove(at: place)
            return handOver(hand.order)
        }
        switch random.number(0...9) {
        case 0...5:
            hands.remove(at: place)
            return .delivered(reference, show(hand), reportsDismissal: random.chance(30))
        case 6:
            hands.remove(at: place)
            return .suppressed(reference, reason: "chance")
        case 7:
            hands[place].isLate = true
            return .deliveryFailed(reference, NoticeError(.serverTimedOut, "Too late."))
        case 8:
            hands.remove(at: place)
            return .deliveryFailed(reference, NoticeError(.noServer, "Nobody there."))
        default:
            hands.remove(at: place)
            return .deliveryFailed(reference, NoticeError(.rejected, "No."))
        }
    }

    private mutating func handOver(_ order: DeliveryOrder) -> ScheduleEvent {
        let content = NoticeContent(title: "Notice").with { $0.isDisplayed = false }
        return .givenToApp(order.reference, NoticeResponse(undisplayed: content, order, at: now))
    }

    /// The app takes what it was given, some of it.
    mutating func takeWhatIsDue() {
        for response in store.responses.values.sorted(by: { $0.id < $1.id }) where random.chance(70) {
            guard response.undisplayed != nil, acknowledged.insert(response.id).inserted else { continue }
            handle(facts: .acknowledged(responseID: response.id))
        }
    }

    private mutating func show(_ hand: Hand) -> DeliveryReceipt {
        let order = hand.order
        confirmedIfStored(order)
        let server = "server \(servers)"
        if let old = hand.replaces, screen[old.key] != nil, random.chance(80) {
            screen[old.key] = order.reference
            return DeliveryReceipt(backend: "model", handle: old.handle, server: old.server)
        }
        // A server may give a number anew while the notice that had it stands.
        if lastHandle > 0, random.chance(2) {
            lastHandle = random.number(1...lastHandle)
        } else {
            lastHandle += 1
        }
        let receipt = DeliveryReceipt(backend: "model", handle: "\(lastHandle)", server: server)
        screen[receipt.key] = order.reference
        return receipt
    }

    private mutating func confirmedIfStored(_ order: DeliveryOrder) {
        // Only what the store knows as shown must not come again.
        confirmed.formUnion(store.deliveries.values.filter { $0.shownAt != nil }.map(\.id))
    }

    mutating func answer() {
        guard let (key, reference) = screen.sorted(by: { $0.key.handle < $1.key.handle }).randomElement(using: &random),
            let id = schedule.notices.idsByReceipt[key], let standing = schedule.notices[id]?.delivered
        else { return }
        let response = NoticeResponse(
            id: "\(standing.deliveryID)/\(truth)-\(random.next())",
            requestID: id,
            deliveryID: standing.deliveryID,
            kind: random.chance(30) ? .action(snoozeChoice().actionID) : .opened,
            date: now.date,
            series: standing.traits.series
        )
        // The user may want again what the app has removed.
        if response.snoozeChoice != nil {
            if standing.record.summary != nil { snoozedSummaries.insert(id) }
            barred.remove(id)
            ended.remove(standing.revision)
        } else {
            ended.formUnion(whatAnAnswerEnds(to: standing, of: id))
        }
        let others = response.snoozeChoice == nil ? whatNoAnswerHasEnded() : []
        handle(facts: .responded(response))
        let lost = others.subtracting(whatNoAnswerHasEnded())
        if !lost.isEmpty { fault("a response to '\(id)' ended \(lost), which are not of its series") }
        if random.chance(30) { handle(facts: .responded(response)) }
        if random.chance(50) { screen[key] = nil }
        if screen[key] == nil { handle(facts: .closed(key, .dismissed, response: nil)) }
        if store.responses[response.id] != nil { handle(facts: .acknowledged(responseID: response.id)) }
        _ = reference
    }

    /// The revisions that are pending, put off or on their way, and may be shown.
    private func whatNoAnswerHasEnded() -> Set<Int64> {
        var revisions = Set(schedule.entries.all.map(\.revision))
        for noticeID in schedule.notices.ids {
            guard let state = schedule.notices[noticeID] else { continue }
            for record in [state.underWay?.wanted?.record, state.underWay?.queued?.record, state.snoozed] {
                if let record, record.summary == nil { revisions.insert(record.revision) }
            }
        }
        return revisions.subtracting(ended)
    }

    /// The revisions of which nothing may come any more. A second answer, to a notice that stays, ends what has come
    /// since.
    private func whatAnAnswerEnds(to standing: NoticeState.Delivered, of id: String) -> Set<Int64> {
        if let mark = standing.record.summary {
            var revisions = Set(mark.members.filter(\.endsWhenAnswered).map(\.revision))
            for base in Set(mark.members.compactMap(\.series)) { revisions.formUnion(elements(of: base)) }
            return revisions
        }
        let revisions: Set<Int64> = standing.traits.endsWhenAnswered ? [standing.revision] : []
        return standing.traits.series.map { revisions.union(elements(of: $0)) } ?? revisions
    }

    /// The revisions of a series that are pending, put off, or on their way.
    private func elements(of base: String) -> Set<Int64> {
        var revisions: Set<Int64> = []
        for entryID in schedule.entries.ids {
            if let entry = schedule.entries[entryID], entry.series == base { revisions.insert(entry.revision) }
        }
        for noticeID in schedule.notices.members[base] ?? [] {
            guard let state = schedule.notices[noticeID] else { continue }
            if let snoozed = state.snoozed, snoozed.traits.series == base { revisions.insert(snoozed.revision) }
            for record in [state.underWay?.record, state.underWay?.queued?.record] {
                if let record, record.traits.series == base { revisions.insert(record.revision) }
            }
        }
        return revisions
    }

    mutating func close() {
        guard let key = screen.keys.sorted(by: { $0.handle < $1.handle }).randomElement(using: &random) else { return }
        screen[key] = nil
        let reason = random.pick([NoticeResponse.CloseReason.expired, .dismissed, .withdrawn, .unknown])
        if reason == .dismissed, let id = schedule.notices.idsByReceipt[key],
            let standing = schedule.notices[id]?.delivered,
            standing.traits.dismissalEnds, !standing.hasResponse
        {
            ended.formUnion(whatAnAnswerEnds(to: standing, of: id))
        }
        handle(facts: .closed(key, reason, response: nil))
    }

    mutating func restartServer(telling: Bool = true) {
        let old = "server \(servers)"
        servers += 1
        lastHandle = 0
        screen = [:]
        withdrawals = []
        (isServerNewsDue, isClosingLost) = (true, false)
        guard telling else { return }
        if random.chance(70) { handle(facts: .serverGone(backend: "model", server: old)) }
        serverCame()
    }

    mutating func serverCame() {
        isServerNewsDue = false
        handle(facts: .serverCame(backend: "model", server: "server \(servers)"))
    }

    /// Everything comes to an end, and leaves nothing behind.
    mutating func finish() {
        storeFails = false
        // A commit may still fail by chance: the caller would try again.
        for _ in 0..<50 where !schedule.entries.ids.isEmpty || !schedule.notices.ids.isEmpty || !hands.isEmpty {
            handle([Wish.removeAll, .removeDelivered(nil)])
            while !hands.isEmpty { finishDeliveries() }
        }
        // The last facts that could not be stored.
        truth += 120_000_000
        for _ in 0..<50 where !schedule.log.unsaved.isEmpty {
            truth += 120_000_000
            ring()
            handle(facts: .stopped)
        }
        if schedule.entries.count > 0 || schedule.notices.count > 0 { fault("something is pending at the end") }
        if !store.contents.isEmpty { fault("contents \(store.contents.keys.sorted()) are left at the end") }
        if !store.deliveries.isEmpty { fault("deliveries \(store.deliveries.keys.sorted()) are left at the end") }
        if !showing.isEmpty { fault("\(showing) were never concluded") }
        if !calledOff.isEmpty { fault("\(calledOff) were never released") }
        if !screen.isEmpty { fault("\(screen.keys.map(\.handle)) stand on the screen, and nobody knows of them") }
        checkLedger()
    }

    /// Every request that was ever taken has an outcome.
    private mutating func checkLedger() {
        let outcomes: Set<HistoryEntry.Outcome> = [
            .delivered, .missed, .suppressed, .failed, .removed, .replaced, .dropped,
        ]
        var counted: [String: Int] = [:]
        for line in store.ledger where outcomes.contains(line.outcome) { counted[line.requestID, default: 0] += 1 }
        for line in store.ledger where line.detail == Schedule.noDateLeft {
            fault("'\(line.requestID)' lost its date over a restart")
        }
        for (id, count) in store.taken where counted[id, default: 0] < count {
            fault("'\(id)' was taken \(count) times and has \(counted[id, default: 0]) outcomes")
        }
    }
}
