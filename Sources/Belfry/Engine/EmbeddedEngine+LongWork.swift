import BelfryRecurrence
import Dispatch
import Synchronization

/// Work that takes long is done off the thread that all centers share: long decisions, looking at files, checking large
/// contents, and checking and compiling rules. Compiling one may take seconds, so the schedule finds rules compiled
/// when it needs a date.
extension EmbeddedEngine {
    /// The number of requests that take long: each takes up to ten microseconds.
    static let longSize = 2_048

    static func isLong(_ size: Int) -> Bool { size >= longSize }

    /// Changes a copy of the schedule, which then replaces it. Only one task changes the schedule, which is the
    /// caller's; others see it unchanged meanwhile.
    func changingCopy<Value: Sendable>(
        _ change: @escaping @Sendable (inout Schedule) -> Value
    ) async -> Value {
        // None is dropped while there are two schedules.
        schedule.entries.rules.dropUnused()
        let old = schedule
        let (new, value) = await longWork.perform { [old] in
            var schedule = old
            let value = change(&schedule)
            return (schedule, value)
        }
        schedule = new
        free(consume old)
        return value
    }

    /// Frees what is so large that this takes long, too.
    func free(_ value: consuming some Sendable) {
        let last = LastReference(value)
        longWork.async { last.release() }
    }

    /// Returns the valid requests, whose rules are then compiled for the system's zone, and the errors of the others.
    func validated(
        _ requests: [NoticeRequest],
        allOrNothing: Bool = true
    ) async throws(NoticeError) -> (values: [NoticeRequest], refused: [NoticeError]) {
        let validation = setup.validation
        let validate = { @Sendable () throws(NoticeError) in
            try requests.accepted(allOrNothing: allOrNothing) { request throws(NoticeError) in
                try validation.validate(request)
                return request
            }
        }
        let hasRules = requests.indices.contains { requests[$0].trigger?.compiledRecurrence != nil }
        let zone = hasRules ? clock.systemZone() : nil
        let isLong = hasRules || Self.isLong(requests.count) || requests.contains(where: \.takesLongToCheck)
        let namesFiles = requests.contains { $0.content.namesFiles(with: $0.escalation) }
        return try await perform(on: queue(isLong: isLong, namesFiles: namesFiles)) {
            Result { () throws(NoticeError) in
                let found = try validate()
                if let zone { Self.compile(found.values.lazy.compactMap { $0.trigger?.compiledRecurrence }, in: zone) }
                return found
            }
        }.get()
    }

    func validate(_ content: NoticeContent, of id: String) async throws(NoticeError) {
        let validation = setup.validation
        let queue = queue(isLong: content.takesLongToCheck, namesFiles: content.namesFiles)
        try await perform(on: queue) {
            Result { () throws(NoticeError) in try validation.validate(content, of: id) }
        }.get()
    }

    /// Returns the elements of a series, after validating them.
    func elements(of series: NoticeSeries) async throws(NoticeError) -> [NoticeRequest] {
        let (validation, now) = (setup.validation, clock.now().date)
        let isLong = Self.isLong(series.count) || !series.escalation.isEmpty || series.content.takesLongToCheck
        return try await perform(
            on: queue(isLong: isLong, namesFiles: series.content.namesFiles(with: series.escalation))
        ) {
            Result { () throws(NoticeError) in try validation.elements(of: series, addedAt: now) }
        }.get()
    }

    /// Returns the warnings of requests that were not refused.
    func warnings(of requests: [NoticeRequest], refused: [NoticeError]) async -> [String] {
        await perform(on: queue(isLong: Self.isLong(requests.count))) {
            let refusedIDs = Set(refused.compactMap(\.requestID))
            return requests.lazy.filter { !refusedIDs.contains($0.id) }.flatMap(\.warnings)
        }
    }

    /// Returns a delivery in the form for the current server, with everything that is lost there. If another server
    /// comes while files are looked at, the delivery is made and prepared again.
    func prepared(_ delivery: () -> Delivery) async throws(NoticeError) -> Delivery {
        while true {
            let changes = deliveries.serverChanges
            let capabilities = try await capabilities()
            let prepared = await prepared(delivery(), for: capabilities)
            if deliveries.serverChanges == changes { return prepared }
        }
    }

    private func prepared(_ delivery: Delivery, for capabilities: DeliveryCapabilities) async -> Delivery {
        let limit = setup.options.appTimeout
        var prepared = await delivery.prepared(for: capabilities, lookingAtFilesOn: setup.fileWork, within: limit)
        if reportsDismissal(delivery.content), !capabilities.reportsClosing {
            prepared.lost.add(.dismissal, "\(capabilities.server) does not report when a notice is closed")
        }
        return prepared
    }

    /// The queue for work; nil if the work is short and needs none.
    func queue(isLong: Bool, namesFiles: Bool = false) -> DispatchQueue? {
        namesFiles ? setup.fileWork : isLong ? longWork : nil
    }

    func perform<Value: Sendable>(on queue: DispatchQueue?, _ work: @escaping @Sendable () -> Value) async -> Value {
        if let queue { await queue.perform(work) } else { work() }
    }

    /// Compiles the rules of stored requests.
    func compile(_ triggers: some Sequence<any NoticeTrigger>) async {
        await compile(triggers.compactMap(\.compiledRecurrence), in: clock.systemZone())
    }

    /// Compiles the pending rules for a system's zone, and for the zone data that there is now.
    func compileRules(in zone: ZoneRules) async {
        await compile(schedule.recurrences, in: zone)
    }

    private func compile(_ rules: [CompiledRecurrence], in zone: @autoclosure () -> ZoneRules) async {
        guard !rules.isEmpty else { return }
        let zone = zone()
        await longWork.perform { Self.compile(rules, in: zone) }
    }

    private static func compile(_ rules: some Sequence<CompiledRecurrence>, in zone: ZoneRules) {
        for rule in rules { _ = try? rule.pattern(in: zone) }
    }
}

/// The last reference to a value, which is given up where the value is to be freed. A closure would not do: whoever
/// hands it over may hold it for longer than the one who calls it.
private final class LastReference<Value: Sendable>: Sendable {
    private let value: Mutex<Value?>

    init(_ value: consuming Value) { self.value = Mutex(value) }

    func release() { value.withLock { $0 = nil } }
}

extension NoticeRequest {
    /// Whether checking the request may take long: its content may, and each step has a content of its own.
    fileprivate var takesLongToCheck: Bool { !escalation.isEmpty || content.takesLongToCheck }
}

extension NoticeContent {
    /// Whether checking the content may take long: the app's own data may be large.
    fileprivate var takesLongToCheck: Bool {
        userInfo.count > 100
            || userInfo.values.contains { value in
                switch value {
                case .array, .object: true
                case .string(let text): text.utf8.count > 1_000
                default: false
                }
            }
    }
}
