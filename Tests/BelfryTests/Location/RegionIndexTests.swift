import Foundation
import SeededRandom
import Testing

@testable import Belfry

@Suite("The index of regions")
struct RegionIndexTests {
    /// What the index should be, in O(n).
    private struct RegionList {
        var regions: [Int32: CircularRegion] = [:]

        func any(_ random: inout SeededGenerator) -> CircularRegion? {
            regions.keys.sorted().randomElement(using: &random).flatMap { regions[$0] }
        }

        func distance(_ region: CircularRegion, _ here: (latitude: Double, longitude: Double)) -> Double {
            Geodesic.distance(
                latitude: here.latitude,
                longitude: here.longitude,
                toLatitude: region.latitude,
                longitude: region.longitude
            )
        }

        func around(_ here: (latitude: Double, longitude: Double)) -> [Int32: Double] {
            regions.mapValues { distance($0, here) }.filter { $0.value <= regions[$0.key]!.radius }
        }

        func nearestBorder(_ here: (latitude: Double, longitude: Double), _ limit: Double) -> Double {
            regions.values.reduce(limit) { min($0, abs(distance($1, here) - $1.radius)) }
        }
    }

    private func compare(
        _ index: RegionIndex,
        _ list: RegionList,
        at here: (latitude: Double, longitude: Double),
        limit: Double,
        _ note: String
    ) {
        var found: [Int32: Double] = [:]
        var times = 0
        index.forEachContaining(latitude: here.latitude, longitude: here.longitude) { slot, distance in
            found[slot] = distance
            times += 1
        }
        #expect(found == list.around(here), "\(note) at \(here)")
        #expect(times == found.count, "\(note) at \(here)")
        let expected = list.nearestBorder(here, limit)
        let border = index.distanceToNearestBorder(latitude: here.latitude, longitude: here.longitude, limit: limit)
        #expect(border <= expected, "\(note) at \(here)")
        #expect(border >= expected - 2 * Geodesic.errorBound && border >= 0, "\(note) at \(here)")
    }

    @Test("It answers what a loop over all regions answers, whatever is put in and taken out") func oracle() {
        let seed = RandomSeed.current
        print("index of regions: seed \(seed)")
        var places = RandomPlaces(seed: seed)
        var (index, list) = (RegionIndex(), RegionList())
        for round in 0..<150 {
            let growing = round / 25 % 2 == 0
            switch places.random.number(0...9) {
            case 0:
                let slots = Set((0..<40).map { _ in Int32(places.random.number(0...600)) }).filter {
                    list.regions[$0] == nil
                }
                let entries = slots.sorted().map { (region: places.region(), slot: $0) }
                index.insert(contentsOf: entries)
                for entry in entries { list.regions[entry.slot] = entry.region }
            case 1...(growing ? 7 : 3):
                for _ in 0..<8 {
                    let slot = Int32(places.random.number(0...600))
                    guard list.regions[slot] == nil else { continue }
                    // Now and then one that is there already.
                    let twin = places.random.chance(20) ? list.any(&places.random) : nil
                    let region = twin ?? places.region()
                    index.insert(region, slot: slot)
                    list.regions[slot] = region
                }
            default:
                for _ in 0..<10 {
                    let slot = list.regions.keys.sorted().randomElement(using: &places.random) ?? 7
                    index.remove(slot: slot)
                    list.regions[slot] = nil
                }
            }
            #expect(index.brokenInvariant == nil, "seed \(seed)")
            #expect(index.count == list.regions.count, "seed \(seed)")
            let slot = Int32(places.random.number(0...700))
            #expect(index.region(of: slot) == list.regions[slot], "seed \(seed)")
            for _ in 0..<3 {
                let here = list.any(&places.random).map { places.position(near: $0) } ?? places.place()
                compare(index, list, at: here, limit: pow(10, places.number(0...7.5)), "seed \(seed)")
            }
        }
        for slot in list.regions.keys.sorted() { index.remove(slot: slot) }
        #expect(index.count == 0 && index.brokenInvariant == nil && index.roots.allSatisfy { $0 < 0 })
    }

    @Test("It answers what a loop answers with thousands of regions in one city, made at once or one by one")
    func city() {
        let seed = RandomSeed.current
        print("index of regions: seed \(seed)")
        var places = RandomPlaces(seed: seed)
        let entries = (0..<3_000).map { slot in
            let (latitude, longitude) = (places.number(52.34...52.68), places.number(13.09...13.76))
            let region = CircularRegion(latitude: latitude, longitude: longitude, radius: places.number(100...500))
            return (region: region, slot: Int32(slot))
        }
        var (packed, grown) = (RegionIndex(), RegionIndex())
        packed.insert(contentsOf: entries)
        for entry in entries { grown.insert(entry.region, slot: entry.slot) }
        #expect(packed.brokenInvariant == nil && grown.brokenInvariant == nil)
        var list = RegionList(regions: Dictionary(uniqueKeysWithValues: entries.map { ($0.slot, $0.region) }))
        for half in [false, true] {
            if half {
                for slot in 0..<1_500 as Range<Int32> {
                    packed.remove(slot: slot)
                    grown.remove(slot: slot)
                    list.regions[slot] = nil
                }
                #expect(packed.brokenInvariant == nil && grown.brokenInvariant == nil, "seed \(seed)")
            }
            for _ in 0..<10 {
                let here = places.position(near: entries[places.random.number(0...2_999)].region)
                compare(packed, list, at: here, limit: 100_000, "seed \(seed)")
                compare(grown, list, at: here, limit: 100_000, "seed \(seed)")
            }
        }
    }

    @Test("A quick position is the exact one, but for what single precision loses") func quickPositions() {
        let seed = RandomSeed.current
        var places = RandomPlaces(seed: seed)
        for round in 0..<3_000 {
            var place = places.place()
            if round % 3 == 0 {
                place.longitude = 45 * Double(places.random.number(-9...9)) + places.number(-1e-9...1e-9)
            }
            if round % 9 == 0 { place.latitude = 45 * Double(places.random.number(-2...2)) }
            let exact = GeodesicOrigin(latitude: place.latitude, longitude: place.longitude).position
            let quick = SIMD3<Double>(QuickPosition.of(latitude: place.latitude, longitude: place.longitude))
            let off = exact - quick
            #expect((off * off).sum().squareRoot() < 0.47, "seed \(seed): \(place)")
        }
    }

    @Test("Of an empty index nothing is near") func empty() {
        var index = RegionIndex()
        index.remove(slot: 4)
        index.insert(contentsOf: [])
        index.forEachContaining(latitude: 0, longitude: 0) { _, _ in Issue.record("a region out of nothing") }
        #expect(index.distanceToNearestBorder(latitude: 0, longitude: 0, limit: 77) == 77)
        #expect(index.distance(of: 4, latitude: 0, longitude: 0) == nil && index.region(of: -1) == nil)
    }

    @Test("A hundred regions at the same place are a hundred regions") func samePlace() {
        var index = RegionIndex()
        let region = CircularRegion(latitude: 89.999_999, longitude: 12, radius: 100)
        for slot in 0..<50 as Range<Int32> { index.insert(region, slot: slot) }
        index.insert(contentsOf: (50..<100).map { (region, Int32($0)) })
        #expect(index.brokenInvariant == nil)
        var slots: Set<Int32> = []
        index.forEachContaining(latitude: 89.999_999, longitude: -168) { slot, _ in slots.insert(slot) }
        #expect(slots == Set(0..<100))
        #expect(index.distance(of: 70, latitude: 90, longitude: 0).map { abs($0 - 0.111_694) < 1e-5 } == true)
    }

    @Test("Numbers that are none hurt nobody") func noNumbers() {
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
        index.insert(contentsOf: (1_000..<1_100).map { (region: good, slot: Int32($0)) })
        #expect(index.count == bad.count + 101)
        var slots: Set<Int32> = []
        index.forEachContaining(latitude: 1, longitude: 2) { slot, _ in slots.insert(slot) }
        #expect(slots.isSuperset(of: Set(1_000..<1_100).union([900])))
        #expect(index.distanceToNearestBorder(latitude: 1.001, longitude: 2, limit: 1_000) < 100)
        for number in [Double.nan, .infinity, -.infinity] {
            index.forEachContaining(latitude: number, longitude: 2) { _, _ in Issue.record("inside at \(number)") }
            index.forEachContaining(latitude: 1, longitude: number) { _, _ in Issue.record("inside at \(number)") }
            #expect(index.distanceToNearestBorder(latitude: number, longitude: 2, limit: 5) == 5)
        }
        for slot in 0..<1_200 as Range<Int32> { index.remove(slot: slot) }
        #expect(index.count == 0 && index.brokenInvariant == nil)
    }

    @Test("A copy keeps what it had") func copies() {
        var index = RegionIndex()
        let region = CircularRegion(latitude: 1, longitude: 2, radius: 50)
        for slot in 0..<40 as Range<Int32> { index.insert(region, slot: slot) }
        let copy = index
        for slot in 0..<39 as Range<Int32> { index.remove(slot: slot) }
        #expect(index.count == 1 && copy.count == 40)
        #expect(copy.region(of: 3) == region && index.region(of: 3) == nil)
        #expect(copy.brokenInvariant == nil && index.brokenInvariant == nil)
    }
}
