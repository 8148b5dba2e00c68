/// The match rules of one connection: each is added to the bus once, however many want it.
///
/// A value without I/O.
struct MatchRules {
    private struct Rule {
        var users = 1
        /// Whether the bus has said yes, on this connection.
        var isAdded = false
        var waiters: [Completion<Void>] = []
    }

    private var rules: [String: Rule] = [:]

    var all: [String] { rules.keys.sorted() }

    /// Whether somebody wants the rule that the bus doesn't have.
    func isMissing(_ rule: String) -> Bool { rules[rule].map { !$0.isAdded } ?? false }

    enum Step {
        case add
        case wait
        case done
    }

    /// One more user of a rule; says what is to be done. `completion` is kept unless it is done already.
    mutating func retain(_ rule: String, _ completion: @escaping Completion<Void>) -> Step {
        guard rules[rule] != nil else {
            rules[rule] = Rule(waiters: [completion])
            return .add
        }
        rules[rule]?.users += 1
        if rules[rule]?.isAdded == true { return .done }
        rules[rule]?.waiters.append(completion)
        return .wait
    }

    /// True where nobody wants it any more.
    mutating func release(_ rule: String) -> Bool {
        guard let users = rules[rule]?.users else { return false }
        rules[rule]?.users = users - 1
        guard users <= 1 else { return false }
        rules[rule] = nil
        return true
    }

    /// The bus has it. Returns who waited.
    mutating func added(_ rule: String) -> [Completion<Void>] {
        rules[rule]?.isAdded = true
        defer { rules[rule]?.waiters = [] }
        return rules[rule]?.waiters ?? []
    }

    /// The bus doesn't take it. Returns who waited; those are no users of it.
    mutating func refused(_ rule: String) -> [Completion<Void>] {
        guard let waiters = rules[rule]?.waiters else { return [] }
        rules[rule]?.waiters = []
        rules[rule]?.users -= waiters.count
        if (rules[rule]?.users ?? 0) <= 0 { rules[rule] = nil }
        return waiters
    }

    /// The bus is gone, and the rules with it: they are added again on the next. Returns who waited for their first time.
    mutating func lost() -> [Completion<Void>] {
        var waiters: [Completion<Void>] = []
        for rule in all {
            rules[rule]?.isAdded = false
            waiters += refused(rule)
        }
        return waiters
    }
}
