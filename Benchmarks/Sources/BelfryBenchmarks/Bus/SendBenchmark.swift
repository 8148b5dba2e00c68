import Foundation

/// `belfry send` as a whole process, against `notify-send`.
enum SendBenchmark {
    private static let arguments = ["Reminder number 1", "What was to be done today"]

    static func run(_ report: inout BenchmarkReport) throws {
        guard let belfry = ProgramBenchmark.folder.map({ $0 + "/belfry" }) else {
            return report.note("'belfry send' was not measured: name the folder of the programs with --programs.")
        }
        let bus = try PrivateBus()
        defer { bus.end() }
        var (ours, theirs) = ([ProgramRuns](), [ProgramRuns]())
        for round in 0..<8 {
            let mine = try ProgramRuns(belfry, ["send"] + arguments, count: 5)
            let other = try ProgramRuns("notify-send", arguments, count: 5)
            if round > 0 { (ours, theirs) = (ours + [mine], theirs + [other]) }
        }
        try bus.check(80, from: "belfry send and notify-send", inOrder: false)
        func median(_ runs: [ProgramRuns], _ figure: (ProgramRuns) -> Double) -> Double {
            Alternation.median(runs.map(figure))
        }
        let time = (median(ours) { $0.seconds / 5 * 1e3 }, median(theirs) { $0.seconds / 5 * 1e3 })
        report.add(.within(2, "belfry send, whole process: time", time.0, "ms", against: "notify-send", time.1))
        let memory = (median(ours) { $0.peakBytes / 1e6 }, median(theirs) { $0.peakBytes / 1e6 })
        report.add(.within(2, "belfry send, whole process: memory", memory.0, "MB", against: "notify-send", memory.1))
    }
}
