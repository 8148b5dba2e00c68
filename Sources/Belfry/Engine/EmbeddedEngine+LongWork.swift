import BelfryRecurrence
import Dispatch

/// Compiles rules ahead of time, so that the schedule finds them compiled when it needs a date. Compiling one may take
/// a second.
extension EmbeddedEngine {
    func compile(_ triggers: some Sequence<any NoticeTrigger>) async {
        await compile(triggers.compactMap { $0 as? RecurrenceTrigger }, in: clock.systemZone())
    }

    /// Compiles the pending rules for a system's zone, and for the zone data that there is now.
    func compileRules(in zone: ZoneRules) async {
        await compile(schedule.recurrences, in: zone)
    }

    private func compile(_ rules: [RecurrenceTrigger], in zone: @autoclosure () -> ZoneRules) async {
        guard !rules.isEmpty else { return }
        let zone = zone()
        await longWork.perform { for rule in rules { rule.compile(in: zone) } }
    }
}
