import CPlaceTrees

@testable import Belfry

/// In which regions a position is, against Boost's R-trees with the haversine formula.
enum FixBenchmark {
    static let rstar = "Boost's R*-tree"
    static let packed = "Boost's packed R-tree"

    static func run(_ report: inout BenchmarkReport) throws {
        var pairs = (compared: 0, different: 0)
        for area in PlaceSample.Area.allCases {
            for count in Effort.isTiny ? [1_000] : [1_000, 100_000, 1_000_000] {
                try measure(PlaceSample(area, count: count), &report, &pairs)
            }
        }
        report.note(
            "A position fix finds the regions of 100 to 500 m around it, and the distance to each one's centre; fixes are anywhere "
                + "in the area of the regions, \(PlaceSample.Area.europe.rawValue) or \(PlaceSample.Area.city.rawValue). Ours are "
                + "geodesic distances, theirs haversine. Of \(pairs.compared) pairs of a fix and a region around it that were "
                + "compared one by one, \(pairs.different) are a pair in one answer alone; each of those is within "
                + "0.6 % of the region's border, which is what haversine is wrong by."
        )
    }

    private static func measure(
        _ sample: PlaceSample,
        _ report: inout BenchmarkReport,
        _ pairs: inout (compared: Int, different: Int)
    ) throws {
        let index = sample.index
        let scale = Double(sample.fixes.count)
        let work = "fixes, \(Figure.text(Double(sample.circles.count))) regions \(sample.area.rawValue)"
        func measure(against name: String, _ tree: OpaquePointer) throws {
            try compare(index, tree, sample, &pairs)
            let seconds = Alternation.medians(rounds: 7) {
                Stopwatch.seconds { keep(sum(index, sample.fixes)) }
            } theirs: {
                Stopwatch.seconds { keep(sum(tree, sample.fixes)) }
            }
            report.add(.more(work, scale / seconds.ours, "1/s", against: name, scale / seconds.theirs))
        }
        try sample.withTree(place_tree_insert) { try measure(against: rstar, $0) }
        try sample.withTree(place_tree_pack) { try measure(against: packed, $0) }
        let border = Stopwatch.seconds {
            for fix in sample.fixes {
                keep(index.distanceToNearestBorder(of: EarthPoint(fix), limit: LocationDemand.horizon))
            }
        }
        report.add(.reported("nearest border, as above", scale / border, "1/s"))
    }

    private static func sum(_ index: RegionIndex, _ fixes: [place_fix]) -> Double {
        var meters = 0.0
        for fix in fixes {
            let here = EarthPoint(fix)
            for site in index.sites(around: here) { meters += site.center.distance(to: here) }
        }
        return meters
    }

    private static func sum(_ tree: OpaquePointer, _ fixes: [place_fix]) -> Double {
        var meters = 0.0
        _ = place_tree_count(tree, fixes, fixes.count, &meters)
        return meters
    }

    /// Both give the same regions, but for those at whose border the fix is.
    private static func compare(
        _ index: RegionIndex,
        _ tree: OpaquePointer,
        _ sample: PlaceSample,
        _ pairs: inout (compared: Int, different: Int)
    ) throws {
        var numbers = [UInt32](repeating: 0, count: sample.circles.count)
        for fix in sample.fixes.prefix(Effort.count(sample.area == .europe ? 100_000 : 2_000)) {
            let here = EarthPoint(fix)
            let ours = Set(index.sites(around: here).map(\.slot))
            let hits = place_tree_around(tree, fix, &numbers)
            let theirs = Set(numbers[..<hits].map { Int32($0) })
            pairs.compared += ours.union(theirs).count
            for slot in ours.symmetricDifference(theirs) {
                pairs.different += 1
                let radius = sample.circles[Int(slot)].radius
                let distance = index.site(of: slot)?.center.distance(to: here) ?? .infinity
                guard abs(distance - radius) <= 0.006 * radius else {
                    throw BenchmarkFault(
                        description: "region \(slot), \(distance) m away, is not answered alike at \(fix)"
                    )
                }
            }
        }
    }
}

extension EarthPoint {
    init(_ fix: place_fix) { self.init(latitude: fix.latitude, longitude: fix.longitude) }
}
