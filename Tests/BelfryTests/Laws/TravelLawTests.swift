import BelfryRecurrence
import BelfryTestSupport
import Foundation
import SeededRandom
import Testing

@testable import Belfry

@Suite("The laws of journeys around clock changes, with random input", .takesTurns)
struct TravelLawTests {
    @Test("A floating time of day comes once on each local day that the user lives through") func laws() throws {
        let zones = try [
            "UTC", "Europe/Berlin", "America/New_York", "America/Los_Angeles", "America/Santiago", "Asia/Kolkata",
            "Asia/Tokyo", "Australia/Sydney", "Australia/Lord_Howe", "Pacific/Auckland", "Africa/Casablanca",
            "Antarctica/Troll",
        ].map(ZoneRules.named)
        for life in 0..<UInt64(5 * ScheduleLawTests.count) {
            let seed = RandomSeed.current &+ life
            var traveler = Traveler(seed: seed, zones: zones)
            for _ in 0..<40 where traveler.fault == nil { traveler.step() }
            guard let fault = traveler.fault else { continue }
            let story = traveler.story.joined(separator: "\n")
            Issue.record("BELFRY_SEED=\(seed): \(fault)\n\(story)")
            return
        }
    }
}

/// A user with one daily notice, who travels around the world in the days of a clock change.
private struct Traveler {
    private static let day: Int64 = 86_400
    /// Days of 2026 on which clocks change in some of the zones, in seconds since 1970.
    private static let changes: [Int64] = [
        1_772_928_000, 1_774_742_400, 1_775_347_200, 1_788_652_800, 1_791_028_800, 1_792_886_400, 1_793_491_200,
    ]

    private var random: SeededGenerator
    private let zones: [ZoneRules]
    private var zone: ZoneRules
    private var now: TriggerInstant
    private var schedule: Schedule
    private var store = ModelStore()
    private let timeOfDay: Int64
    private let policies: DatePolicies
    /// The last local day, since 1970, whose notice has come or was past when the request was added.
    private var lastDay: Int64 = 0
    private var shownCount = 0

    private(set) var story: [String] = []
    private(set) var fault: String?

    init(seed: UInt64, zones: [ZoneRules]) {
        random = SeededGenerator(seed: seed)
        self.zones = zones
        zone = random.pick(zones)
        timeOfDay = Int64(random.number(0...4) * 3_600 + random.pick([0, 15, 30, 45]) * 60)
        policies = DatePolicies(
            // A time that is skipped here may come elsewhere, or not: no law says.
            missingTime: random.pick(MissingTimePolicy.allCases.filter { $0 != .skip }),
            repeatedTime: random.pick(RepeatedTimePolicy.allCases)
        )
        // Some days before, so that the request has fired when clocks change.
        let start = random.pick(Self.changes) - 5 * Self.day + Int64(random.number(0...86_400))
        now = TriggerInstant(wall: start * 1_000_000, boot: 1_000_000)
        schedule = Schedule(zone: zone, at: now)
        story.append("\(timeOfDay / 60) min, \(policies.missingTime), \(policies.repeatedTime)")
        handle(.restored(store.state, bootID: "boot"))
        handle(.started)
        let fields = DateFields(hour: Int(timeOfDay / 3_600), minute: Int(timeOfDay % 3_600 / 60))
        let trigger = CalendarTrigger(matching: fields, repeats: true, options: .init(policies: policies))
        lastDay = latestDay ?? 0
        let change = try? schedule.change(at: now) { schedule throws(NoticeError) in
            try schedule.add([NoticeRequest(id: "x", content: NoticeContent(title: "T"), trigger: trigger)])
        }
        if let change { follow(change.transaction) } else { fault = "it was refused" }
    }

    mutating func step() {
        let span = Int64(random.number(600...30_000)) * 1_000_000
        now.wall += span
        now.boot += span
        wake()
        switch random.number(0...9) {
        case 0...4:
            zone = random.pick(zones)
            handle(.zoneChanged(zone))
            wake()
        case 5: restart()
        default: break
        }
        tell("now")
        if let day = latestDay, day > lastDay { fault = "day \(day) is lost" }
    }

    private mutating func restart() {
        let span = Int64(random.number(0...40_000)) * 1_000_000
        now.wall += span
        now.boot += span
        zone = random.pick(zones)
        tell("restart")
        schedule = Schedule(zone: zone, at: now)
        handle(.restored(store.state, bootID: "boot"))
        handle(.started)
        wake()
    }

    private mutating func wake() { handle(.woke) }

    private mutating func handle(_ event: ScheduleEvent) { follow(schedule.handle(event, at: now)) }

    private mutating func follow(_ transaction: ScheduleTransaction) {
        _ = store.commit(transaction.records)
        schedule.stored(at: now)
        for effect in transaction.effects { if case .deliver(let order) = effect { show(order) } }
    }

    private mutating func show(_ order: DeliveryOrder) {
        let due = order.dueAt.wall / 1_000_000
        tell("shown, due \(Self.text(due))")
        let (days, last) = (days(around: due), lastDay)
        if let day = days.first(where: { instant(of: $0) == due && $0 > last }) {
            lastDay = day
        } else {
            fault = "day \(days.filter { instant(of: $0) == due }) comes after day \(lastDay)"
        }
        shownCount += 1
        let receipt = DeliveryReceipt(backend: "model", handle: "\(shownCount)")
        handle(.delivered(order.reference, receipt, reportsDismissal: false))
    }

    private mutating func tell(_ what: String) {
        story.append("\(what) \(Self.text(now.wall / 1_000_000)) \(zone.identifier), last \(lastDay)")
    }

    private static func text(_ second: Int64) -> String {
        Date(timeIntervalSince1970: Double(second)).formatted(.iso8601)
    }

    // MARK: What should be

    private func days(around second: Int64) -> ClosedRange<Int64> {
        let day = (second + Int64(zone.offset(at: second))) / Self.day
        return (day - 2)...(day + 1)
    }

    /// When the notice of a local day is due in the current zone; nil if the day lacks the time.
    private func instant(of day: Int64) -> Int64? {
        let local = day * Self.day + timeOfDay
        return zone.instants(ofLocal: local)
            .instant(local: local, missing: policies.missingTime, repeated: policies.repeatedTime)
    }

    /// The latest local day whose notice is due by now.
    private var latestDay: Int64? {
        let second = now.wall / 1_000_000
        return days(around: second).last { day in instant(of: day).map { $0 <= second } ?? false }
    }
}
