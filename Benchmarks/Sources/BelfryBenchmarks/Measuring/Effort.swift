/// How much work a run does: all of it, or with `--tiny` just enough to show that each part still compiles and runs.
enum Effort {
    static let isTiny = CommandLine.arguments.contains("--tiny")

    /// How many there are of what is counted.
    static func count(_ full: Int, tiny: Int = 1_000) -> Int { isTiny ? min(full, tiny) : full }

    /// One measurement of each in a tiny run.
    static func rounds(_ full: Int) -> Int { isTiny ? 1 : full }

    /// A second at most in a tiny run.
    static func seconds(_ full: UInt32) -> UInt32 { isTiny ? min(full, 1) : full }
}
