import CBenchmarkBus
import Foundation

// BelfryBenchmarks [--only WORD] [--tiny] [--json FILE] [--programs FOLDER]: measures, prints the
// table, writes the file. Fails where ours and theirs answer differently; a figure that is not reached is no failure,
// it stands in the table.

let parts: [(name: String, run: (inout BenchmarkReport) throws -> Void)] = [
    ("next-date foundation", NextDateBenchmark.againstFoundation),
    ("next-date libical", NextDateBenchmark.againstLibical),
    ("notation parse", NotationBenchmark.run),
    ("bad input", BadInputBenchmark.run),
    ("long texts", LongTextBenchmark.run),
    ("re-plan", ReplanBenchmark.run),
    ("schedule add remove", ScheduleBenchmark.addAndRemove),
    ("schedule fire", ScheduleBenchmark.fire),
    ("simulation", SimulationBenchmark.run),
    ("store durable adds", DurableAddBenchmark.run),
    ("store opening", StoreOpeningBenchmark.run),
    ("memory", MemoryBenchmark.run),
    ("queue", QueueBenchmark.run),
    ("places fixes", FixBenchmark.run),
    ("places building memory", IndexBuildBenchmark.run),
    ("places center store", PlaceCenterBenchmark.run),
    ("lateness", LatenessBenchmark.run),
    ("isolation", IsolationBenchmark.run),
    ("idle wake-ups", IdleBenchmark.run),
    ("bus notify", NotifyBenchmark.run),
    ("bus burst", BurstBenchmark.run),
    ("bus send", SendBenchmark.run),
    ("programs", ProgramBenchmark.run),
    ("first build", ProgramBenchmark.firstBuild),
    ("agent memory start", AgentBenchmark.memoryAndStart),
    ("agent wake-ups", AgentBenchmark.wakeUps),
]

var only: String?
var json: String?
var arguments = CommandLine.arguments.dropFirst()
while let argument = arguments.popFirst() {
    switch argument {
    case "--only": only = arguments.popFirst()
    case "--json": json = arguments.popFirst()
    case "--programs": ProgramBenchmark.folder = arguments.popFirst()
    case "--stub":
        // As a process of its own, started by the parts "bus".
        guard let address = arguments.popFirst() else { exit(2) }
        exit(benchmark_stub_serve(address) == 0 ? 0 : 1)
    case "--tiny": break  // Effort reads it.
    case "--idle":
        // As a process of its own, started by the part "idle".
        guard let kind = arguments.popFirst().flatMap(IdleBenchmark.Kind.init) else { exit(2) }
        try IdleBenchmark.stay(as: kind)
        exit(0)
    default:
        print(
            "unknown argument '\(argument)'; known are --only WORD, --tiny, --json FILE, --programs FOLDER"
        )
        exit(2)
    }
}

let chosen = parts.filter { part in only.map { part.name.localizedCaseInsensitiveContains($0) } ?? true }
guard !chosen.isEmpty else {
    print("no part is named like '\(only ?? "")'; the parts are: \(parts.map(\.name).joined(separator: ", "))")
    exit(2)
}
var report = BenchmarkReport()
do {
    for part in chosen {
        FileHandle.standardError.write(Data("\(part.name)\n".utf8))
        try part.run(&report)
    }
    print(report.table)
    if let json { try report.write(to: json) }
} catch {
    print("The benchmark failed: \(error)")
    exit(1)
}
