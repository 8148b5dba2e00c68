import BelfryRecurrence

/// The rules that entries share; calendar rules have numbers. Equal triggers of a million requests use the memory of
/// one, and are evaluated once when all are replanned.
struct RuleTable: Sendable {
    private var numbers: [CalendarRule: Int32] = [:]
    private var rules: ContiguousArray<CalendarRule?> = []
    private var free: [Int32] = []
    /// The number of rules at which those without an entry are dropped.
    private var limit = 1_024
    /// The shared options of region triggers.
    var regions = RegionRuleTable()

    var count: Int { numbers.count }

    /// Returns the existing equal rule, or else the given one, and its number. Amortized O(1).
    mutating func shared(_ rule: CalendarRule) -> (rule: CalendarRule, number: Int32) {
        if let number = numbers[rule], let known = rules[Int(number)] { return (known, number) }
        if numbers.count >= limit { dropUnused() }
        let number: Int32
        if let reused = free.popLast() {
            number = reused
            rules[Int(number)] = rule
        } else {
            number = Int32(rules.count)
            rules.append(rule)
        }
        numbers[rule] = number
        return (rule, number)
    }

    /// Returns the first date of each rule, by number, in microseconds since 1970: after an instant, or after `local`
    /// for rules that follow the system's zone.
    func dates(
        after instant: Int64,
        floatingAfter local: Int64,
        in context: TriggerContext
    ) -> ContiguousArray<Int64?> {
        ContiguousArray(
            rules.lazy.map { $0?.next(after: $0?.zone == .floating ? local : instant, in: context.zone) }
        )
    }

    /// Drops rules that only this table references; entries, the undo steps of an open transaction and copies of the
    /// schedule keep theirs. It runs after as many insertions as rules remain, so the amortized cost is small.
    mutating func dropUnused() {
        regions.dropUnused()
        numbers.removeAll(keepingCapacity: true)
        for index in rules.indices where rules[index] != nil {
            if isKnownUniquelyReferenced(&rules[index]) {
                rules[index] = nil
                free.append(Int32(index))
            } else if let rule = rules[index] {
                numbers[rule] = Int32(index)
            }
        }
        limit = max(1_024, 2 * numbers.count)
    }
}
