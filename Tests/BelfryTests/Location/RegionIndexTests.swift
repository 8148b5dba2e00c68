import BelfryTestSupport
import Foundation
import SeededRandom
import Testing

@testable import Belfry

@Suite("The index of regions", .takesTurns)
struct RegionIndexTests {
    /// What the index should be, in O(n).
    private struct RegionList {
        var regions: [Int32: CircularRegion] = [:]

        func any(_ random: inout SeededGenerator) -> CircularRegion? {
            regions.keys.sorted().randomElement(using: &random).flatMap { regions[$0] }
        }

        func slots(around point: EarthPoint) -> [Int32] {
            regions.filter { EarthPoint($0.value).distance(to: point) <= $0.value.radius }.keys.sorted()
        }

        func nearestBorder(of point: EarthPoint, _ limit: Double) -> Double {
            regions.values.reduce(limit) { min($0, abs(EarthPoint($1).distance(to: point) - $1.radius)) }
        }
    }

    private func compare(
        _ index: RegionIndex,
        _ list: RegionList,
        at here: (latitude: Double, longitude: Double),
        limit: Double,
        _ note: String
    ) {
        let point = EarthPoint(latitude: here.latitude, longitude: here.longitude)
        #expect(index.sites(around: point).map(\.slot).sorted() == list.slots(around: point), "\(note) at \(here)")
        let border = index.distanceToNearestBorder(of: point, limit: limit)
        #expect(border == list.nearestBorder(of: point, limit), "\(note) at \(here), up to \(limit) m")
    }

    @Test("It answers what a loop over all regions answers, whatever is inserted and removed") func oracle() {
        let seed = RandomSeed.current
        print("index of regions: seed \(seed)")
        var places = RandomRegions(seed: seed)
        var (index, list) = (RegionIndex(), RegionList())
        for round in 0..<150 {
            let growing = round / 25 % 2 == 0
            if places.random.number(0...9) < (growing ? 8 : 4) {
                for _ in 0..<10 {
                    let slot = Int32(places.random.number(0...600))
                    guard list.regions[slot] == nil else { continue }
                    // Now and then one that is there already.
                    let twin = places.random.chance(20) ? list.any(&places.random) : nil
                    let region = twin ?? places.region()
                    index.insert(region, slot: slot)
                    list.regions[slot] = region
                }
            } else {
                for _ in 0..<10 {
                    let slot = list.regions.keys.sorted().randomElement(using: &places.random) ?? 7
                    index.remove(slot: slot)
                    list.regions[slot] = nil
                }
            }
            #expect(index.count == list.regions.count, "seed \(seed)")
            let slot = Int32(places.random.number(0...700))
            #expect(index.region(of: slot) == list.regions[slot], "seed \(seed)")
            for _ in 0..<3 {
                let here = list.any(&places.random).map { places.position(near: $0) } ?? places.place()
                compare(index, list, at: here, limit: pow(10, places.number(0...7.5)), "seed \(seed)")
            }
        }
        for slot in list.regions.keys.sorted() { index.remove(slot: slot) }
        #expect(index.count == 0)
        compare(index, RegionList(), at: (0, 0), limit: 1e6, "seed \(seed)")
    }

    @Test("It answers what a loop answers with thousands of regions in one city, at a pole and on the antimeridian")
    func crowds() {
        let seed = RandomSeed.current
        print("index of regions: seed \(seed)")
        var places = RandomRegions(seed: seed)
        for (latitudes, longitudes) in [
            (52.34...52.68, 13.09...13.76), (89.8...90, -180...180), (-17.2 ... -16.8, 179.8...180.2),
        ] {
            var (index, list) = (RegionIndex(), RegionList())
            for slot in 0..<3_000 as Range<Int32> {
                let region = CircularRegion(
                    latitude: places.number(latitudes),
                    longitude: places.number(longitudes),
                    // One in a hundred reaches over all of them.
                    radius: places.random.chance(1) ? places.radius() : places.number(100...500)
                )
                index.insert(region, slot: slot)
                list.regions[slot] = region
            }
            for half in [false, true] {
                if half {
                    for slot in 0..<1_500 as Range<Int32> {
                        index.remove(slot: slot)
                        list.regions[slot] = nil
                    }
                }
                for _ in 0..<10 {
                    let here = list.any(&places.random).map { places.position(near: $0) } ?? places.place()
                    compare(index, list, at: here, limit: 100_000, "seed \(seed)")
                    compare(index, list, at: (places.number(latitudes), 0), limit: 20_000, "seed \(seed)")
                }
            }
        }
    }

    @Test("Of an empty index nothing is near") func empty() {
        var index = RegionIndex()
        index.remove(slot: 4)
        let point = EarthPoint(latitude: 0, longitude: 0)
        #expect(index.sites(around: point).isEmpty && index.count == 0)
        #expect(index.distanceToNearestBorder(of: point, limit: 77) == 77)
        #expect(index.region(of: 4) == nil && index.region(of: -1) == nil)
    }

    @Test("A hundred regions at the same place are a hundred regions") func samePlace() {
        var index = RegionIndex()
        let region = CircularRegion(latitude: 89.999_999, longitude: 12, radius: 100)
        for slot in 0..<100 as Range<Int32> { index.insert(region, slot: slot) }
        let point = EarthPoint(latitude: 89.999_999, longitude: -168)
        #expect(Set(index.sites(around: point).map(\.slot)) == Set(0..<100))
        for slot in 20..<90 as Range<Int32> { index.remove(slot: slot) }
        #expect(Set(index.sites(around: point).map(\.slot)) == Set(0..<20).union(90..<100))
    }

    @Test("Numbers that are not finite hurt nobody") func noNumbers() {
        var index = RegionIndex()
        let good = CircularRegion(latitude: 1, longitude: 2, radius: 50)
        var bad: [CircularRegion] = []
        for number in [Double.nan, .infinity, -.infinity, -5, 0, 1e300, 91] {
            bad.append(CircularRegion(latitude: number, longitude: 2, radius: 50))
            bad.append(CircularRegion(latitude: 1, longitude: number, radius: 50))
            bad.append(CircularRegion(latitude: -40, longitude: 2, radius: number))
        }
        for (slot, region) in bad.enumerated() { index.insert(region, slot: Int32(slot)) }
        index.insert(good, slot: 900)
        #expect(index.count == bad.count + 1)
        #expect(index.sites(around: EarthPoint(good)).contains { $0.slot == 900 })
        #expect(index.distanceToNearestBorder(of: EarthPoint(latitude: 1.001, longitude: 2), limit: 1_000) < 100)
        for number in [Double.nan, .infinity, -.infinity] {
            for point in [EarthPoint(latitude: number, longitude: 2), EarthPoint(latitude: 1, longitude: number)] {
                #expect(index.sites(around: point).isEmpty)
                #expect(index.distanceToNearestBorder(of: point, limit: 5) == 5)
            }
        }
        for slot in 0..<1_000 as Range<Int32> { index.remove(slot: slot) }
        #expect(index.count == 0)
    }

    @Test("A search ends at its limit, and counts only what is included") func limit() {
        var index = RegionIndex()
        // In grids of two sizes.
        for slot in 0..<40 as Range<Int32> {
            index.insert(CircularRegion(latitude: 1, longitude: 2, radius: slot < 20 ? 50 : 50_000), slot: slot)
        }
        let here = EarthPoint(latitude: 1, longitude: 2)
        for (limit, count) in [(0, 0), (1, 1), (15, 15), (20, 20), (100, 20)] {
            #expect(index.sites(around: here, upTo: limit) { $0.slot % 2 == 0 }.count == count)
        }
    }

    @Test("A copy keeps what it had") func copies() {
        var index = RegionIndex()
        let region = CircularRegion(latitude: 1, longitude: 2, radius: 50)
        for slot in 0..<40 as Range<Int32> { index.insert(region, slot: slot) }
        let copy = index
        for slot in 0..<39 as Range<Int32> { index.remove(slot: slot) }
        #expect(index.count == 1 && copy.count == 40)
        #expect(copy.region(of: 3) == region && index.region(of: 3) == nil)
    }
}
