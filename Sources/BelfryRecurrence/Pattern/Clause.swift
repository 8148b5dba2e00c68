/// Days and times of day that combine freely: the unit that the engine searches. A pattern is the union of some of
/// them.
struct Clause: LocalDates, Hashable {
    var days: DaySet
    var times: TimeOfDaySet
    /// Whether the rule names its hours (or only dates, which means midnight). Then a local time that a clock change
    /// skips is moved by the policies, and one that occurs twice fires once; otherwise every real minute counts.
    var hourIsGiven: Bool

    /// The first local time of the clause at or after `local`, both in seconds since 1970 of a clock at UTC.
    @inline(__always)
    func nextLocal(from local: Int) -> Int {
        times.nextLocal(from: local) { days.next(from: $0) }
    }
}
