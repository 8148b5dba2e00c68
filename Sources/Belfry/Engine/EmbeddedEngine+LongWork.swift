import BelfryRecurrence
import Dispatch

/// Validates and compiles rules that take long off the centers' thread, so that the schedule finds them compiled when it
/// needs a date. Compiling one may take seconds.
extension EmbeddedEngine {
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
        guard requests.indices.contains(where: { requests[$0].trigger?.compiledRecurrence != nil }) else {
            return try validate()
        }
        let zone = clock.systemZone()
        return try await longWork.perform {
            Result { () throws(NoticeError) in
                let found = try validate()
                Self.compile(found.values.lazy.compactMap { $0.trigger?.compiledRecurrence }, in: zone)
                return found
            }
        }.get()
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
