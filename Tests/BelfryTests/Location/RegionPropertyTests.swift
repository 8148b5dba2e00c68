import BelfryRecurrence
import BelfryTestSupport
import Foundation
import SeededRandom
import Testing

@testable import Belfry

@Suite("Regions, with random input", .takesTurns)
struct RegionPropertyTests {
    static let seed = RandomSeed.current

    /// A schedule without a store: what it wants stored is.
    private struct Model {
        var schedule = Schedule(zone: .utc, at: TriggerInstant(wall: ScheduleDriver.start, boot: 1_000))
        var now = TriggerInstant(wall: ScheduleDriver.start, boot: 1_000)
        var events: [RegionOracle.Event] = []
        var changes: [StoreChange] = []

        init() {
            handle(.restored(StoredState(), bootID: "boot"))
            handle(.started)
        }

        mutating func handle(_ event: ScheduleEvent) { perform(schedule.handle(event, at: now)) }

        private mutating func perform(_ transaction: ScheduleTransaction) {
            changes += transaction.records
            if !transaction.records.isEmpty { schedule.stored(at: now) }
            for case .deliver(let order) in transaction.effects {
                guard let crossing = order.record.crossing else { continue }
                events.append(.init(id: order.record.requestID, crossing: crossing, at: order.dueAt.wall))
                let receipt = DeliveryReceipt(backend: "model", handle: "\(events.count)", server: nil)
                handle(.delivered(order.reference, receipt, reportsDismissal: false))
            }
        }

        mutating func add(_ requests: [NoticeRequest]) throws(NoticeError) {
            let change = try schedule.change(at: now) { schedule throws(NoticeError) in try schedule.add(requests) }
            perform(change.transaction)
        }

        mutating func add(_ id: String, _ trigger: LocationTrigger) throws(NoticeError) {
            try add([NoticeRequest(id: id, title: id, trigger: trigger)])
        }

        mutating func remove(_ id: String) {
            perform(schedule.change(at: now) { $0.remove([id], includingDelivered: false) }.transaction)
        }

        /// Time passes, and nothing has woken the schedule yet: a fix may be earlier.
        mutating func passUnwoken(_ microseconds: Int64) { move(to: now.boot + microseconds) }

        /// To the next wake and the one after that, until so much time has passed.
        mutating func advance(by microseconds: Int64) {
            let end = now.boot + microseconds
            while let wake = schedule.nextWake?.boot, wake <= end {
                move(to: max(wake, now.boot))
                handle(.woke)
            }
            move(to: end)
        }

        private mutating func move(to boot: Int64) {
            now = TriggerInstant(wall: now.wall + boot - now.boot, boot: boot)
        }
    }

    @Test("The events of a schedule are those of a plain loop over all regions") func plainLoop() throws {
        for life in 0..<150 as Range<UInt64> {
            let seed = Self.seed &+ life
            var random = SeededGenerator(seed: seed)
            var model = Model()
            var oracle = RegionOracle { EarthPoint($0).distance(to: EarthPoint($1)) }
            // A town of some kilometers, somewhere on the earth.
            let (north, east) = (
                Double.random(in: -89...89, using: &random), Double.random(in: -180...180, using: &random)
            )
            var (y, x) = (0.0, 0.0)
            func spot(_ y: Double, _ x: Double) -> (Double, Double) {
                let latitude = max(-90, min(90, north + y / 111_000))
                let longitude = east + x / (111_000 * max(0.01, cos(north * .pi / 180)))
                return (latitude, longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude)
            }
            for _ in 0..<60 {
                switch random.number(0...9) {
                case 0...1:
                    let (latitude, longitude) = spot(
                        Double(random.number(-2_000...2_000)),
                        Double(random.number(-2_000...2_000))
                    )
                    let radius =
                        random.chance(80) ? Double(random.number(1...900)) : Double(random.number(900...20_000))
                    let trigger = LocationTrigger(
                        region: CircularRegion(latitude: latitude, longitude: longitude, radius: radius),
                        edge: random.pick(CircularRegion.Edge.allCases),
                        dwell: random.chance(60) ? .zero : .seconds(random.number(1...600)),
                        repeats: random.chance(70)
                    )
                    let id = "r\(random.number(0...40))"
                    try model.add(id, trigger)
                    oracle.add(id, trigger)
                case 2:
                    let id = "r\(random.number(0...40))"
                    model.remove(id)
                    oracle.remove(id)
                case 3...4:
                    let span = Int64(random.number(1...300)) * 1_000_000
                    model.advance(by: span)
                    oracle.advance(to: model.now.wall)
                default:
                    y += Double(random.number(-700...700))
                    x += Double(random.number(-700...700))
                    if random.chance(5) { (y, x) = (0, 0) }
                    let (latitude, longitude) = spot(y, x)
                    // Seconds apart, so that they come in order.
                    if random.chance(70) {
                        model.advance(by: 2_000_000)
                        oracle.advance(to: model.now.wall)
                    } else {
                        model.passUnwoken(Int64(random.number(2...900)) * 1_000_000)
                    }
                    let fix = LocationFix(
                        latitude: latitude,
                        longitude: longitude,
                        accuracy: random.pick([nil, 3, 10, 30, 100, 250, 1_000, 5_000]),
                        date: model.now.date.addingTimeInterval(-Double(random.number(0...1)))
                    )
                    model.handle(.positionFix(fix))
                    oracle.take(fix, at: model.now.wall)
                }
            }
            #expect(model.events == oracle.events, "BELFRY_SEED=\(seed)")
            #expect(model.schedule.brokenInvariant == nil, "BELFRY_SEED=\(seed)")
            if model.events != oracle.events { return }
        }
    }

    @Test("A clock that was set makes no fix old, also before the schedule has heard of it") func setUnheard() throws {
        var model = Model()
        let region = CircularRegion(latitude: 48, longitude: 11, radius: 100)
        try model.add("a", LocationTrigger(region: region, edge: .both, repeats: true))
        for (latitude, day) in [(48.1, 0), (48.0, -400), (48.1, 400)] as [(Double, Int64)] {
            model.now.wall += day * 86_400_000_000
            model.handle(
                .positionFix(LocationFix(latitude: latitude, longitude: 11, accuracy: 5, date: model.now.date))
            )
        }
        #expect(model.events.map(\.crossing) == [.entered, .left])
    }

    /// Crossings of a walk in and out of a region of 1 km, and the events that it gives.
    private func walk(
        _ random: inout SeededGenerator,
        accuracy: Double,
        avoiding band: ClosedRange<Double>?
    ) throws -> (crossings: [CircularRegion.Crossing], events: [CircularRegion.Crossing]) {
        var model = Model()
        let region = CircularRegion(latitude: 48, longitude: 11, radius: 1_000)
        try model.add("a", LocationTrigger(region: region, edge: .both, repeats: true))
        var (distance, crossings) = (1_000 + 3 * accuracy + 60, [CircularRegion.Crossing]())
        func fix(_ distance: Double) {
            if let band, band.contains(distance - 1_000) { return }
            // Off by up to the accuracy, in any direction.
            let (error, angle) = (
                accuracy * Double.random(in: 0...0.998, using: &random),
                Double.random(in: 0...(2 * .pi), using: &random)
            )
            let (y, x) = (distance + error * cos(angle), error * sin(angle))
            // The radii of curvature of WGS 84 at 48° north.
            let spot = LocationFix(
                latitude: 48 + y / 111_199.5,
                longitude: 11 + x / 74_626.0,
                accuracy: accuracy,
                date: model.now.date
            )
            model.advance(by: 1_000_000)
            model.handle(.positionFix(spot))
        }
        let clear = 2 * accuracy + max(accuracy, 20) + 5
        for leg in 0..<random.number(2...12) {
            let target = leg % 2 == 0 ? 1_000 - clear - 5 : 1_000 + clear + 5
            let step = Double.random(in: 1...max(2, accuracy), using: &random)
            while abs(distance - target) > step {
                distance += distance < target ? step : -step
                fix(distance)
            }
            distance = target
            fix(distance)
            crossings.append(leg % 2 == 0 ? .entered : .left)
        }
        return (crossings, model.events.map(\.crossing))
    }

    @Test("A noisy walk that leaves the border by twice the accuracy and the cushion has one event for each crossing")
    func noisyWalk() throws {
        for life in 0..<60 as Range<UInt64> {
            let seed = Self.seed &+ life
            var random = SeededGenerator(seed: seed)
            // As far as twice the accuracy is less than the cushion, every step on the border may be told.
            let fine = try walk(&random, accuracy: Double(random.number(1...9)), avoiding: nil)
            #expect(fine.events == fine.crossings, "BELFRY_SEED=\(seed)")
            // Beyond that a fix can be inside that was made outside: no more than the accuracy away from the border.
            let accuracy = Double(random.number(10...150))
            let coarse = try walk(&random, accuracy: accuracy, avoiding: -2 * accuracy...2 * accuracy)
            #expect(coarse.events == coarse.crossings, "BELFRY_SEED=\(seed), accuracy \(accuracy)")
            if fine.events != fine.crossings || coarse.events != coarse.crossings { return }
        }
    }

    @Test("What fixes of all accuracies have judged is told by a few steps, as a list of all would tell it")
    func marks() {
        for life in 0..<50 as Range<UInt64> {
            let seed = Self.seed &+ life
            var random = SeededGenerator(seed: seed)
            var (marks, plain, newest) = (RegionMarks(), [RegionMarks.Step](), Int64(0))
            for _ in 0..<40 {
                newest += Int64(random.number(0...2))
                let step = RegionMarks.Step(
                    revision: newest,
                    accuracy: Double(random.pick([0, 100, 250, 300, 900, 5_000]))
                )
                plain.append(step)
                let before = marks
                let isNew = marks.evaluate(through: step.revision, accuracy: step.accuracy)
                #expect(isNew == (marks != before))
                for revision in 0...newest + 1 {
                    for radius in [1.0, 200, 260, 600, 900, 10_000] {
                        let expected = plain.contains {
                            $0.revision >= revision && max($0.accuracy, 200) <= max(radius, 200)
                        }
                        guard marks.covers(revision, radius: radius) != expected else { continue }
                        Issue.record("BELFRY_SEED=\(seed): \(marks) of \(plain) for \(revision), \(radius) m")
                        return
                    }
                }
            }
            // One for each accuracy at most; those of 200 m and better are one.
            #expect(marks.evaluated.count <= 5)
        }
    }

    @Test("A fix costs what is near: of twenty thousand regions it writes none that it doesn't cross")
    func near() throws {
        var model = Model()
        let requests = (0..<20_000).map { number in
            NoticeRequest(
                id: "\(number)",
                title: "",
                trigger: LocationTrigger(
                    region: CircularRegion(
                        latitude: Double(number % 200) / 10,
                        longitude: Double(number / 200) / 10,
                        radius: 500
                    ),
                    repeats: true
                )
            )
        }
        try model.add(requests)
        func fix(_ latitude: Double, _ longitude: Double) {
            model.advance(by: 1_000_000)
            model.handle(
                .positionFix(LocationFix(latitude: latitude, longitude: longitude, accuracy: 5, date: model.now.date))
            )
        }
        model.changes = []
        fix(5.05, 5.05)
        #expect(model.changes.count == 1, "the marks: all are judged")
        model.changes = []
        for step in 0..<10 { fix(5.05 + Double(step) / 1_000, 5.05) }
        #expect(model.changes == [])
        fix(5.1, 5.1)
        #expect(model.events.count == 1)
        let touched = model.changes.filter { if case .putPlace = $0 { true } else { false } }
        #expect(touched.count == 1)
    }
}
