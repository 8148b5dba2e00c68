import CBenchmarkLoops
import CPlaceTrees

@testable import Belfry

/// Filling an index of a million regions, and the memory that it takes, against Boost's R-trees.
enum IndexBuildBenchmark {
    private static let count = Effort.count(1_000_000)

    static func run(_ report: inout BenchmarkReport) throws {
        for area in PlaceSample.Area.allCases {
            let sample = PlaceSample(area, count: count)
            let entries = sample.entries
            let figures = try measure(sample, place_tree_insert) { index in
                for entry in entries { index.insert(entry.region, slot: entry.slot) }
            }
            let rstar = FixBenchmark.rstar
            let place = area.rawValue
            report.add(
                .less("index 1,000,000 regions \(place)", figures.ours, "s", against: rstar, figures.theirs)
            )
            report.add(
                .less(
                    "bytes a region \(place)",
                    figures.bytes.ours,
                    "B",
                    against: rstar,
                    figures.bytes.theirs
                )
            )
            report.add(.reported("remove 1,000,000 regions \(place)", try removal(sample), "s"))
        }
        report.note(
            "Boost's tree is filled by R* insertion; making the boxes in degrees from the circles is part of it, as making vectors "
                + "is of ours. Bytes are what malloc has given out, with the regions themselves, which both keep, and with the look-up by slot, "
                + "which only ours has."
        )
    }

    private static func measure(
        _ sample: PlaceSample,
        _ make: (UnsafePointer<place_circle>?, Int) -> OpaquePointer?,
        _ fill: (inout RegionIndex) -> Void
    ) throws -> (ours: Double, theirs: Double, bytes: (ours: Double, theirs: Double)) {
        var bytes = (ours: 0.0, theirs: 0.0)
        let seconds = try Alternation.medians(rounds: 3) {
            let before = benchmark_allocated_bytes()
            var index = RegionIndex()
            let seconds = Stopwatch.seconds { fill(&index) }
            bytes.ours = Double(benchmark_allocated_bytes() - before) / Double(count)
            keep(index.count)
            return seconds
        } theirs: {
            let before = benchmark_allocated_bytes()
            var seconds = 0.0
            try sample.withTree { circles, count in
                var tree: OpaquePointer?
                seconds = Stopwatch.seconds { tree = make(circles, count) }
                return tree
            } _: { _ in
                bytes.theirs = Double(benchmark_allocated_bytes() - before) / Double(count)
            }
            return seconds
        }
        return (seconds.ours, seconds.theirs, bytes)
    }

    private static func removal(_ sample: PlaceSample) throws -> Double {
        var index = sample.index
        let seconds = Stopwatch.seconds { for slot in 0..<Int32(count) { index.remove(slot: slot) } }
        guard index.count == 0 else { throw BenchmarkFault(description: "\(index.count) regions are left") }
        return seconds
    }
}
