import BelfryRecurrence
import Dispatch
import Synchronization

/// Work that takes long is done off the thread that all centers share: long decisions, and checking and compiling
/// rules. Compiling one may take seconds, so the schedule finds rules compiled when it needs a date.
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
        return try await perform(isLong: hasRules || Self.isLong(requests.count)) {
            Result { () throws(NoticeError) in
                let found = try validate()
                if let zone { Self.compile(found.values.lazy.compactMap { $0.trigger?.compiledRecurrence }, in: zone) }
                return found
            }
        }.get()
    }

    /// Returns the elements of a series, after validating them.
    func elements(of series: NoticeSeries) async throws(NoticeError) -> [NoticeRequest] {
        let (validation, now) = (setup.validation, clock.now().date)
        return try await perform(isLong: Self.isLong(series.count)) {
            Result { () throws(NoticeError) in try validation.elements(of: series, addedAt: now) }
        }.get()
    }

    /// Returns the warnings of requests that were not refused.
    func warnings(of requests: [NoticeRequest], refused: [NoticeError]) async -> [String] {
        await perform(isLong: Self.isLong(requests.count)) {
            let refusedIDs = Set(refused.compactMap(\.requestID))
            return requests.lazy.filter { !refusedIDs.contains($0.id) }.flatMap(\.warnings)
        }
    }

    /// Performs work off the thread if it is long.
    private func perform<Value: Sendable>(isLong: Bool, _ work: @escaping @Sendable () -> Value) async -> Value {
        isLong ? await longWork.perform(work) : work()
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
