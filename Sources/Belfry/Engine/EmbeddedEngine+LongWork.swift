import BelfryRecurrence
package import Dispatch

/// A rule may take a second to compile. It is compiled ahead, so that the schedule finds it done when it asks for a
/// date.
extension EmbeddedEngine {
    func compile(_ triggers: some Sequence<any NoticeTrigger>) async {
        await compile(triggers.compactMap { $0 as? RecurrenceTrigger }, in: clock.systemZone())
    }

    /// The rules that have other dates in another zone.
    func compileFloatingRules(in zone: ZoneRules) async {
        await compile(schedule.recurrences.filter(\.followsSystemZone), in: zone)
    }

    private func compile(_ rules: [RecurrenceTrigger], in zone: ZoneRules) async {
        guard !rules.isEmpty else { return }
        await longWork.perform { for rule in rules { rule.compile(in: zone) } }
    }
}

extension DispatchQueue {
    /// Runs `work` after what the queue has to do already, off the thread of whoever waits for it.
    package func perform<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in async { continuation.resume(returning: work()) } }
    }
}
