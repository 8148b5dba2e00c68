/// A store that lasts as long as the process: the default of a center, also used by tests.
package actor MemoryRequestStore: RequestStore {
    /// The number of newest history entries that are kept.
    package static let historyLimit = 10_000

    /// By reference, so that a table that grows moves little.
    private var contents: [Int64: Shared<NoticeRequest>] = [:]
    private var pending: [Int64: TriggerProgress] = [:]
    private var deliveries: [String: DeliveryRecord] = [:]
    private var entries: [HistoryEntry] = []
    /// Whoever reads looks at it directly before, without an `await` in between, and waits: a transaction is seen as a
    /// whole.
    private var isCommitting = false
    /// Everything else, as it is loaded.
    private var rest = StoredState()

    package init() {}

    package nonisolated var outlivesProcess: Bool { false }

    /// The centers' thread, so that calls of a center need no switch of threads.
    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        CenterThread.shared.actors.asUnownedSerialExecutor()
    }

    package func load() async throws(NoticeError) -> StoredState {
        while isCommitting { await CenterThread.shared.letOthersWork() }
        var state = rest
        state.pending = pending.keys.sorted().compactMap { revision in
            guard let request = contents[revision]?.value, let progress = pending[revision] else { return nil }
            return StoredState.Pending(request: request, revision: revision, progress: progress)
        }
        state.deliveries = deliveries.values.sorted { ($0.dueAt.wall, $0.id) < ($1.dueAt.wall, $1.id) }
        return state
    }

    package func commit(_ batch: [StoreChange]) async throws(NoticeError) {
        isCommitting = true
        defer { isCommitting = false }
        for (number, change) in batch.enumerated() {
            apply(change)
            await CenterThread.shared.letOthersWork(after: number)
        }
        if entries.count > Self.historyLimit + Self.historyLimit / 4 {
            entries.removeFirst(entries.count - Self.historyLimit)
        }
    }

    private func apply(_ change: StoreChange) {
        switch change {
        case .putRequest(let request, let revision, let progress):
            contents[revision] = Shared(request)
            pending[revision] = progress
            rest.nextRevision = max(rest.nextRevision, revision + 1)
        case .updateProgress(let revision, let progress): pending[revision] = progress
        case .removeRequest(let revision): pending[revision] = nil
        case .dropContent(let revision): contents[revision] = nil
        case .putDelivery(let record): deliveries[record.id] = record
        case .removeDelivery(let id): deliveries[id] = nil
        case .appendHistory(let entry): entries.append(entry)
        case .putResponse(let response):
            rest.responses.removeAll { $0.id == response.id }
            rest.responses.append(response)
        case .removeResponse(let id): rest.responses.removeAll { $0.id == id }
        case .putCategories(let all): rest.categories = all
        case .putAuthorization(let status): rest.authorization = status
        case .putClockMapping(let mapping): rest.clockMapping = mapping
        case .putOwner(let owner, let entries): rest.owners[owner] = entries.isEmpty ? nil : entries
        case .putQuietHours(let hours): rest.quietHours = hours
        case .putPlace(let revision, let progress): rest.places[revision] = progress
        case .putPlaceMarks(let marks): rest.placeMarks = marks
        case .putFeed(let name, let record): rest.feeds[name] = record
        }
    }

    package func request(revision: Int64) async throws(NoticeError) -> NoticeRequest? {
        while isCommitting { await CenterThread.shared.letOthersWork() }
        return contents[revision]?.value
    }

    package func requests(revisions: [Int64]) async throws(NoticeError) -> [Int64: NoticeRequest] {
        while isCommitting { await CenterThread.shared.letOthersWork() }
        var found: [Int64: NoticeRequest] = [:]
        for revision in revisions { found[revision] = contents[revision]?.value }
        return found
    }

    package func history(_ query: HistoryQuery) async throws(NoticeError) -> [HistoryEntry] {
        while isCommitting { await CenterThread.shared.letOthersWork() }
        let matching = entries.filter(query.matches)
        let newest = query.limit.map { Array(matching.suffix(max(0, $0))) } ?? matching
        return query.newestFirst ? newest.reversed() : newest
    }
}
