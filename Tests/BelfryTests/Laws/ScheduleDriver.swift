import BelfryRecurrence
import Foundation
import SeededRandom

@testable import Belfry

/// A schedule in a world of chance: random events, a store that may fail, a backend that may do anything, clocks that
/// are set, journeys, crashes and reboots. Everything that breaks a law becomes a line in ``faults``.
struct ScheduleDriver {
    static let ids = ["a", "b", "c", "d", "e", "f"]
    static let bases = ["s", "t"]
    /// 2026-01-01 00:00:00 UTC.
    static let start: Int64 = 1_767_225_600_000_000
    /// `BELFRY_TRACE=1` beside `BELFRY_SEED` tells the story of a seed.
    static let isTracing = ProcessInfo.processInfo.environment["BELFRY_TRACE"] != nil
    static let day: Int64 = 86_400_000_000

    /// In the backend's hands.
    struct Hand {
        let order: DeliveryOrder
        let replaces: DeliveryReceipt?
        /// Given up by the center, and not by the backend.
        var isLate = false
        /// Removed by an event that shared the commit: never begun.
        var isCalledOff = false
    }

    var random: SeededGenerator
    var schedule: Schedule
    var store = ModelStore()
    var faults: [String] = []
    /// What came out of the schedule, where it is wanted.
    var log: [String]?

    // The world: microseconds since the start, whatever the clocks show.
    var truth: Int64 = 0
    var wallError: Int64 = 0
    /// The same when the stored mapping was made.
    var mappedError: Int64 = 0
    var bootedAt: Int64 = -1_000_000_000
    var boots = 1
    var zones: [ZoneRules]
    var zone: ZoneRules
    var now: TriggerInstant { TriggerInstant(wall: Self.start + truth + wallError, boot: truth - bootedAt) }

    // The backend.
    var hands: [Hand] = []
    var screen: [ReceiptKey: DeliveryReference] = [:]
    /// To be taken down when nothing is under way.
    var withdrawals: [DeliveryReceipt] = []
    /// The server was started anew and the schedule has not been told.
    var isServerNewsDue = false
    /// A closing that could not be stored was lost with the process: until the server is another one.
    var isClosingLost = false
    var servers = 1
    var lastHandle = 0

    /// Callers that wait for the outcome of a delivery, and deliveries that were called off and that removals wait for.
    var showing: Set<DeliveryReference> = []
    var calledOff: Set<DeliveryReference> = []
    var storeFails = false
    /// The wall clock was set and the schedule has not been told.
    var isClockNewsDue = false
    var crashes = 0

    // What was seen.
    var marks = FiringMarks()
    /// Removed, and not added since.
    var barred: Set<String> = []
    /// What answers have ended, by revision.
    var ended: Set<Int64> = []
    var confirmed: Set<String> = []
    var ordered: Set<String> = []
    var orderedBeforeCrash: Set<String> = []
    var feedQueries: [(query: FeedQuery, count: Int)] = []
    /// Those that a restart repeats, perhaps beside a summary that has counted them.
    var unconfirmedAtCrash: Set<String> = []
    var quietOracle = QuietOracle()
    /// What is given to the app instead of being shown, by revision; what the app was given in this life, and what it
    /// has taken, by delivery.
    var undisplayed: Set<Int64> = []
    var given: Set<String> = []
    var acknowledged: Set<String> = []
    var takenByApp: Set<String> = []
    /// Summaries that were put off once: what comes meanwhile is shown by itself.
    var snoozedSummaries: Set<String> = []
    /// What was decided in the same commit, before the setting, stands.
    var isSettingQuiet = false
    let limit: CenterOptions.PendingLimit?

    init(seed: UInt64, zones: [ZoneRules], logging: Bool = false) {
        random = SeededGenerator(seed: seed)
        self.zones = zones
        zone = zones[0]
        log = logging ? [] : nil
        limit =
            random.chance(30)
            ? CenterOptions.PendingLimit(
                count: Int.random(in: 0...8, using: &random),
                overflow: CenterOptions.PendingLimit.Overflow.allCases.randomElement(using: &random)!
            ) : nil
        schedule = Schedule(
            limit: limit,
            zone: zones[0],
            at: TriggerInstant(wall: Self.start, boot: 1_000_000_000)
        )
        handle(facts: .restored(store.state, bootID: "boot 1"))
        if random.chance(90) { handle(facts: .started) }
    }

    mutating func fault(_ what: String) {
        if Self.isTracing { print("  FAULT: \(what)") }
        faults.append("at \(truth) µs: \(what)")
    }

    // MARK: Events, wishes, transactions, effects

    /// Events that tell what has happened: a failed transaction does not undo them.
    mutating func handle(facts events: ScheduleEvent...) { handle(facts: events) }

    mutating func handle(facts events: [ScheduleEvent]) { perform(events.map(Step.event), areFacts: true) }

    mutating func handle(_ events: [ScheduleEvent]) { perform(events.map(Step.event), areFacts: false) }

    mutating func handle(_ wishes: [Wish]) { perform(wishes.map(Step.wish), areFacts: false) }

    private enum Step {
        case event(ScheduleEvent)
        case wish(Wish)
    }

    /// Nil where a wish was refused.
    private mutating func decide(_ step: Step) -> Change<Wish.Waits>? {
        switch step {
        case .event(let event): Change(result: Wish.Waits(), transaction: schedule.handle(event, at: now))
        case .wish(let wish): try? schedule.change(at: now, wish.decide)
        }
    }

    /// What comes together shares a transaction.
    private mutating func perform(_ steps: [Step], areFacts: Bool) {
        var before = areFacts ? nil : ScheduleSnapshot(schedule)
        if Self.isTracing {
            print("\(truth / 1_000_000) s, wall \(wallError / 1_000_000), booted \(bootedAt / 1_000_000): \(steps)")
        }
        let wishes = steps.compactMap { if case .wish(let wish) = $0 { wish } else { nil } }
        let (taken, putOff, room) = (store.taken, snoozedIDs(), max(limit?.count ?? .max, schedule.pendingCount))
        isSettingQuiet = wishes.contains { if case .setQuietHours = $0 { true } else { false } }
        var decided: [Change<Wish.Waits>] = []
        for step in steps {
            guard let change = decide(step) else { continue }
            log?.append("\(change.transaction.records) \(change.transaction.effects)")
            for case .putRequest(let request, let revision, _) in change.transaction.records {
                marks.add(revision, at: truth, local: Schedule.local(now.wall, in: schedule.context) + 1)
                if request.content.isDisplayed {
                    undisplayed.remove(revision)
                } else {
                    undisplayed.insert(revision)
                }
            }
            if decided.isEmpty, change.transaction.records.isEmpty {
                follow(change)
                // What stores nothing can't fail.
                if !areFacts { before = ScheduleSnapshot(schedule) }
            } else {
                decided.append(change)
            }
        }
        defer {
            // Behind everything that came together: a receipt among it may have the number of what is withdrawn.
            withdrawWhenIdle()
            check()
        }
        guard !decided.isEmpty else { return }
        if storeFails || random.chance(4) {
            if Self.isTracing { print("  FAILS") }
            schedule.undo(decided.map(\.transaction), at: now)
            for change in decided where change.transaction.isFact { follow(change) }
            if let before, let difference = ScheduleSnapshot(schedule).difference(from: before) {
                fault("a failed transaction of \(steps) left \(difference)")
            }
            return
        }
        let changes = decided.flatMap(\.transaction.records)
        let mapping = store.mapping
        for record in store.commit(changes) { begun(record) }
        if store.mapping != mapping { mappedError = wallError }
        // One whose acknowledgement could not be stored so far is stored with a later commit.
        for id in acknowledged where store.responses[id] == nil { takenByApp.insert(String(id.dropLast("/due".count))) }
        faults += store.faults
        store.faults = []
        for (id, count) in store.taken where count != taken[id] { barred.remove(id) }
        bar(wishes)
        if !areFacts { checkRoom(after: steps, putOff, room) }
        quietOracle.setting = store.quietHours
        schedule.stored(at: now)
        for change in decided { follow(change) }
    }

    private mutating func follow(_ change: Change<Wish.Waits>) {
        for effect in change.transaction.effects { react(effect) }
        if let delivery = change.result.show, !showing.insert(delivery).inserted { fault("\(delivery) is shown twice") }
        calledOff.formUnion(change.result.removed)
    }

    private mutating func bar(_ wishes: [Wish]) {
        for wish in wishes {
            switch wish {
            case .remove(let ids, _):
                for id in ids { barred.formUnion(store.taken.keys.filter { $0 == id || $0.hasPrefix(id + "@") }) }
            case .removeAll: barred.formUnion(store.taken.keys)
            case .add(let requests), .addSeries(let requests): barred.subtract(requests.map(\.id))
            case .synchronize(let wanted, false):
                barred.subtract(wanted.entries.lazy.compactMap(\.requests).joined().map(\.id))
            case .show(let request): barred.remove(request.id)
            case .snooze(let response, _):
                barred.remove(response.requestID)
                if let snoozed = schedule.notices[response.requestID]?.snoozed { ended.remove(snoozed.revision) }
            default: break
            }
        }
    }

    private mutating func react(_ effect: ScheduleEffect) {
        if Self.isTracing { print("  -> \(effect)") }
        switch effect {
        case .deliver(let order): deliver(order)
        case .withdraw(let receipt): withdrawals.append(receipt)
        case .conclude(let delivery, let outcome):
            if showing.remove(delivery) == nil { fault("nobody waits for \(delivery): \(outcome)") }
        case .release(let delivery): calledOff.remove(delivery)
        case .publish(let response): publish(response)
        case .record, .report: break
        }
    }

    private mutating func publish(_ response: NoticeResponse) {
        guard response.undisplayed != nil else { return }
        let id = response.deliveryID
        if takenByApp.contains(id) { fault("the app has taken \(id), and is given it again") }
        if !given.insert(id).inserted { fault("the app is given \(id) twice") }
        if store.responses[response.id] == nil, schedule.log.unsaved.isEmpty {
            fault("\(id) was not stored before")
        }
    }

    private func snoozedIDs() -> Set<String> {
        Set(schedule.notices.ids.filter { schedule.notices[$0]?.snoozed != nil })
    }

    /// Adding goes beyond no limit, and drops nothing that the user has put off.
    private mutating func checkRoom(after steps: [Step], _ putOff: Set<String>, _ room: Int) {
        var added: Set<String> = []
        for step in steps {
            guard case .wish(.add(let requests)) = step else { return }
            added.formUnion(requests.map(\.id))
        }
        if schedule.pendingCount > room { fault("\(schedule.pendingCount) are pending, and there is room for \(room)") }
        let lost = putOff.subtracting(added).subtracting(snoozedIDs())
        if !lost.isEmpty { fault("\(lost.sorted()) were put off, and are gone for \(added.sorted())") }
    }

    private mutating func check(_ summary: SummaryMark, _ id: String) {
        let members = summary.members
        if Set(members.map(\.requestID)).count != members.count { fault("summary \(id) counts a notice twice") }
        if summary.count < members.count { fault("summary \(id) of \(members.count) tells of \(summary.count)") }
        if members.contains(where: { undisplayed.contains($0.revision) }) {
            fault("summary \(id) tells of what is not displayed")
        }
        if members.allSatisfy({ ended.contains($0.revision) }) { fault("summary \(id) tells of what has ended") }
    }

    private mutating func deliver(_ order: DeliveryOrder) {
        let id = order.reference.deliveryID
        guard schedule.isWanted(order.reference) else {
            return hands.append(Hand(order: order, replaces: nil, isCalledOff: true))
        }
        if store.deliveries[id] == nil {
            fault("delivery \(id) of '\(order.reference.requestID)' was not stored before")
        }
        if store.contents[order.revision] == nil { fault("delivery \(id) has no content") }
        if barred.contains(order.reference.requestID) {
            fault("'\(order.reference.requestID)' is removed and delivered")
        }
        if ended.contains(order.revision), order.record.summary == nil {
            fault("'\(order.reference.requestID)' was ended by an answer and is delivered")
        }
        let isDisplayed = !undisplayed.contains(order.revision)
        if !isSettingQuiet, let broken = quietOracle.broken(order, isDisplayed, schedule, now, zone) { fault(broken) }
        if let summary = order.record.summary { check(summary, order.reference.requestID) }
        if takenByApp.contains(id) { fault("\(id) is due again, and the app has taken it") }
        if confirmed.contains(id) { fault("delivery \(id) was shown already") }
        if hands.contains(where: { $0.order.reference.deliveryID == id && !$0.isLate }) {
            fault("\(id) is in hand already")
        }
        if orderedBeforeCrash.contains(id), !order.isPossiblyRepeated {
            fault("\(id) is not marked as possibly repeated")
        }
        ordered.insert(id)
        hands.append(Hand(order: order, replaces: schedule.replaced(by: order)))
    }

    private mutating func begun(_ record: DeliveryRecord) {
        // One that was begun and ended before it could be stored has no content left.
        guard let request = store.contents[record.revision] else { return }
        if schedule.isDeferred(.request(id: record.requestID, revision: record.revision)) {
            fault("'\(record.requestID)' is held while the clock is in doubt, and fires")
        }
        if let broken = marks.fire(record, request, bootedAt: bootedAt, zone: zone) { fault(broken) }
    }

    // MARK: After every event

    private mutating func check() {
        if let broken = schedule.brokenInvariant { fault(broken) }
        for id in schedule.entries.ids {
            guard let entry = schedule.entries[id] else { continue }
            if store.pending[entry.revision] == nil { fault("'\(id)' is pending and not stored") }
            if !isClockNewsDue, let broken = marks.wrongDeadline(of: entry, in: schedule, now: now, bootedAt: bootedAt)
            {
                fault(broken)
            }
        }
        let places = schedule.regions.states.map { (schedule.entries[$0.key]?.revision ?? -1, $0.value) }
        if schedule.log.unsaved.isEmpty, Dictionary(places, uniquingKeysWith: { $1 }) != store.places {
            fault("places \(places), stored are \(store.places)")
        }
        if schedule.log.unsaved.isEmpty, schedule.regions.marks != store.placeMarks {
            fault("marks \(schedule.regions.marks), stored are \(store.placeMarks)")
        }
        if schedule.log.unsaved.isEmpty, store.pending.count != schedule.entries.count {
            fault("\(store.pending.count) stored as pending, \(schedule.entries.count) pending")
        }
        if let limit, schedule.entries.count > limit.count, crashes == 0 { fault("over the limit") }
        checkNotices()
    }

    private mutating func checkNotices() {
        for (key, id) in schedule.notices.idsByReceipt where screen[key] == nil && !isServerNewsDue && !isClosingLost {
            fault("'\(id)' stands on the screen, and nothing is there")
        }
        let listed = Set(
            [Array(schedule.entries.ids), Array(schedule.notices.ids)].joined().compactMap { schedule.pendingItem($0) }
                .map(\.id)
        )
        for id in Set(schedule.entries.ids).union(schedule.notices.ids) {
            if listed.contains(id) == schedule.states(of: id).isEmpty { fault("'\(id)' is listed, and has no state") }
        }
        if listed.count != schedule.listedCount { fault("\(listed.count) are listed, \(schedule.listedCount) counted") }
        for id in schedule.notices.ids {
            guard let state = schedule.notices[id] else { continue }
            if let underWay = state.underWay, underWay.deferredUntil != nil,
                undisplayed.contains(underWay.record.revision)
            {
                fault("'\(id)' disturbs nobody, and waits for the end of quiet hours")
            }
            if let standing = state.delivered, undisplayed.contains(standing.revision) {
                fault("'\(id)' is not to be displayed, and stands on the screen")
            }
            guard let mark = (state.underWay?.record ?? state.delivered?.record)?.summary,
                !snoozedSummaries.contains(id)
            else { continue }
            for member in mark.members {
                guard let alone = schedule.notices[member.requestID]?.delivered, alone.revision == member.revision,
                    alone.traits.level < .critical, alone.traits.summary != nil,
                    !unconfirmedAtCrash.contains(alone.deliveryID)
                else { continue }
                fault("'\(member.requestID)' stands on the screen, and is counted in \(id)")
            }
        }
    }
}
