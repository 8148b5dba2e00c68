import BelfryRecurrence

/// The rules that entries share, those of the calendar numbered: equal triggers of a million requests take the memory
/// of one, and are asked once when all are planned anew.
struct RuleTable: Sendable {
    private var numbers: [CalendarRule: Int32] = [:]
    private var rules: ContiguousArray<CalendarRule?> = []
    private var free: [Int32] = []
    /// How many rules there may be before those are dropped that no entry has any more.
    private var limit = 1_024
    /// The same for what region triggers ask for.
    var regions = RegionRuleTable()

    var count: Int { numbers.count }

    /// The equal rule that was there first, else the given one, and its number. O(1) over time.
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

    /// The first date after an instant by each rule's number, in microseconds since 1970.
    func dates(after instant: Int64, in context: TriggerContext, onlyFloating: Bool) -> ContiguousArray<Int64?> {
        ContiguousArray(
            rules.lazy.map { rule in
                guard let rule, rule.zone == .floating || !onlyFloating else { return nil }
                return rule.next(after: instant, in: context.zone)
            }
        )
    }

    /// Looks at all rules: after as many insertions as are left, so that it costs each of them little. What an entry of
    /// the schedule has, or the undoing of an open transaction, is in use.
    private mutating func dropUnused() {
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
