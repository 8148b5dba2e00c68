/// Days and times of day that combine freely: the unit that the engine searches. A pattern is a union of clauses.
struct Clause: LocalDates, Hashable {
    var days: DaySet
    var times: TimeOfDaySet
    /// Whether the rule names its hours (or only dates, which means midnight). If so, the policies shift a local time
    /// that a clock change skips, and one that occurs twice fires once. Otherwise every real minute counts.
    var hourIsGiven: Bool

    /// Returns the first local time of the clause at or after `local`, both in seconds since 1970, as if at UTC.
    @inline(__always)
    func nextLocal(from local: Int) -> Int {
        times.nextLocal(from: local) { days.next(from: $0) }
    }
}
