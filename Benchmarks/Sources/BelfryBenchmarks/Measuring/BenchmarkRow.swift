/// One line of the table, and one object of `bench.json`.
struct BenchmarkRow: Codable {
    var work: String
    /// In `unit`.
    var ours: Double
    /// In `unit`; nil where there is nothing to compare with.
    var theirs: Double?
    /// How many times better ours is, whichever way better is; nil where there is nothing to compare with.
    var ratio: Double?
    /// What was to be reached, in words; nil where the figure is only reported.
    var target: String?
    /// Nil where there is no target.
    var reached: Bool?
    var unit: String
    /// What theirs is.
    var against: String?

    /// A figure that is better when it is smaller, such as a time.
    static func less(
        _ work: String,
        _ ours: Double,
        _ unit: String,
        against: String,
        _ theirs: Double,
        toBe factor: Double? = nil
    ) -> BenchmarkRow {
        make(work, ours, unit, against, theirs, ratio: theirs / ours, factor)
    }

    /// A figure that is better when it is smaller, and may be `bound` times theirs.
    static func within(
        _ bound: Double,
        _ work: String,
        _ ours: Double,
        _ unit: String,
        against: String,
        _ theirs: Double
    ) -> BenchmarkRow {
        var row = less(work, ours, unit, against: against, theirs)
        row.target = "within \(Figure.text(bound))×"
        row.reached = ours <= bound * theirs
        return row
    }

    /// A figure that is better when it is greater, such as a rate.
    static func more(
        _ work: String,
        _ ours: Double,
        _ unit: String,
        against: String,
        _ theirs: Double,
        toBe factor: Double? = nil
    ) -> BenchmarkRow {
        make(work, ours, unit, against, theirs, ratio: ours / theirs, factor)
    }

    private static func make(
        _ work: String,
        _ ours: Double,
        _ unit: String,
        _ against: String,
        _ theirs: Double,
        ratio: Double,
        _ factor: Double?
    ) -> BenchmarkRow {
        BenchmarkRow(
            work: work,
            ours: ours,
            theirs: theirs,
            ratio: ratio,
            target: factor.map { Figure.text($0) + "×" },
            reached: factor.map { ratio >= $0 },
            unit: unit,
            against: against
        )
    }

    /// A figure with a bound of its own.
    static func bound(_ work: String, _ ours: Double, _ unit: String, target: String, reached: Bool) -> BenchmarkRow {
        BenchmarkRow(
            work: work,
            ours: ours,
            theirs: nil,
            ratio: nil,
            target: target,
            reached: reached,
            unit: unit,
            against: nil
        )
    }

    /// A figure without a target.
    static func reported(_ work: String, _ ours: Double, _ unit: String) -> BenchmarkRow {
        BenchmarkRow(
            work: work,
            ours: ours,
            theirs: nil,
            ratio: nil,
            target: nil,
            reached: nil,
            unit: unit,
            against: nil
        )
    }
}
