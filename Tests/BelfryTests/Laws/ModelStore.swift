@testable import Belfry

/// What a store should hold, and whether what it is told makes sense: a request, a content, a delivery is put before it
/// is taken out, taken out once, and nothing is kept that nothing refers to.
struct ModelStore {
    var contents: [Int64: NoticeRequest] = [:]
    var pending: [Int64: TriggerProgress] = [:]
    var deliveries: [String: DeliveryRecord] = [:]
    var responses: [String: NoticeResponse] = [:]
    var ledger: [HistoryEntry] = []
    var mapping: ClockMapping?
    var owners: [String: [OwnedEntry]] = [:]
    var nextRevision: Int64 = 1
    var quietHours: QuietHours?
    var places: [Int64: RegionProgress] = [:]
    var placeMarks = RegionMarks()
    var feeds: [String: RegionFeedRecord] = [:]
    /// Every request that was ever pending, or shown at once, by identifier.
    var taken: [String: Int] = [:]
    var faults: [String] = []

    /// The deliveries that this batch begins.
    mutating func commit(_ batch: [StoreChange]) -> [DeliveryRecord] {
        var begun: [DeliveryRecord] = []
        for change in batch { apply(change, &begun) }
        checkReferences()
        return begun
    }

    private mutating func apply(_ change: StoreChange, _ begun: inout [DeliveryRecord]) {
        switch change {
        case .putRequest(let request, let revision, let progress):
            if contents[revision] != nil { faults.append("revision \(revision) put twice") }
            contents[revision] = request
            pending[revision] = progress
            taken[request.id, default: 0] += 1
            nextRevision = max(nextRevision, revision + 1)
        case .updateProgress(let revision, let progress):
            if pending.updateValue(progress, forKey: revision) == nil {
                faults.append("progress of \(revision), not pending")
            }
        case .removeRequest(let revision):
            if pending.removeValue(forKey: revision) == nil { faults.append("removal of \(revision), not pending") }
            if places[revision] != nil { faults.append("the place of \(revision) outlives it") }
        case .dropContent(let revision):
            if contents.removeValue(forKey: revision) == nil { faults.append("content \(revision) dropped twice") }
        case .putDelivery(let record):
            if contents[record.revision] == nil { faults.append("delivery \(record.id) without content") }
            // A response may snooze what was removed at the same time: it comes back, and has not fired again.
            if deliveries.updateValue(record, forKey: record.id) == nil, record.snoozes == 0 { begun.append(record) }
        case .removeDelivery(let id):
            if deliveries.removeValue(forKey: id) == nil { faults.append("delivery \(id) removed twice") }
        case .appendHistory(let entry): ledger.append(entry)
        case .putResponse(let response): responses[response.id] = response
        case .removeResponse(let id):
            if responses.removeValue(forKey: id) == nil { faults.append("response \(id) removed twice") }
        case .putCategories, .putAuthorization: break
        case .putOwner(let owner, let entries): owners[owner] = entries.isEmpty ? nil : entries
        case .putClockMapping(let new): mapping = new
        case .putQuietHours(let new): quietHours = new
        case .putPlace(let revision, let place):
            if !(contents[revision]?.trigger is LocationTrigger) || pending[revision] == nil {
                faults.append("a place of \(revision), which waits for none")
            }
            if place == nil, places[revision] == nil { faults.append("the place of \(revision) removed twice") }
            places[revision] = place
        case .putPlaceMarks(let new): placeMarks = new
        case .putFeed(let name, let record): feeds[name] = record
        }
    }

    private mutating func checkReferences() {
        let wanted = Set(pending.keys).union(deliveries.values.map(\.revision))
        for revision in contents.keys where !wanted.contains(revision) {
            faults.append("content \(revision) is left over")
        }
        for revision in wanted where contents[revision] == nil { faults.append("content \(revision) is missing") }
        let ids = pending.keys.compactMap { contents[$0]?.id }
        if Set(ids).count != ids.count { faults.append("an identifier is pending twice: \(ids.sorted())") }
    }

    var state: StoredState {
        var state = StoredState()
        state.pending = pending.sorted { $0.key < $1.key }.map {
            StoredState.Pending(request: contents[$0.key]!, revision: $0.key, progress: $0.value)
        }
        // In an order of no meaning: a store may give any.
        state.deliveries = deliveries.values.sorted { $0.id < $1.id }
        state.responses = responses.values.sorted { $0.id < $1.id }
        state.clockMapping = mapping
        state.nextRevision = nextRevision
        state.owners = owners
        state.quietHours = quietHours
        (state.places, state.placeMarks, state.feeds) = (places, placeMarks, feeds)
        return state
    }
}
