import BelfryRecurrence
import BelfryTestSupport
import Foundation
import SeededRandom
import Testing

@testable import Belfry

@Suite("Rules that calendar triggers share", .takesTurns)
struct CalendarRuleTests {
    private static func trigger(_ minute: Int, _ zone: ZoneReference = .floating) -> CalendarTrigger {
        CalendarTrigger(matching: DateFields(hour: 8, minute: minute), repeats: true, options: .init(zone: zone))
    }

    private static func request(_ number: Int, _ trigger: CalendarTrigger) -> NoticeRequest {
        NoticeRequest(id: "\(number)", title: "Notice", trigger: trigger)
    }

    @Test("A trigger answers what its pattern answers, to any fraction of a second")
    func dates() throws {
        let zone = try ZoneRules.named("Europe/Berlin")
        let pattern = try DatePattern(matching: [DateFields(hour: 8, minute: 30)], zone: zone)
        for trigger in [Self.trigger(30), Self.trigger(30, .named("Europe/Berlin"))] {
            let context = TriggerContext(zone: trigger.options.zone == .floating ? zone : .utc)
            for offset in [0, 0.25, 0.999_999_9, -0.000_000_1, 1, 86_399.5] {
                let date = Date(timeIntervalSince1970: 1_767_254_400 + offset)
                #expect(trigger.nextDate(after: date, in: context) == pattern.next(after: date))
            }
            for microseconds: Int64 in [.min, -1, 0, 1_767_254_399_999_999, 1_767_254_400_000_000, .max] {
                let seconds = Int64((Double(microseconds) / 1e6).rounded(.down))
                let next = trigger.rule?.next(after: microseconds, in: context.zone)
                #expect(next == pattern.next(after: seconds).map { $0 * 1_000_000 })
            }
        }
    }

    @Test("A trigger is stored as it was before it had a rule") func coding() throws {
        let json = """
            {"policies":{"missingDate":"nextDay","missingTime":"skip","repeatedTime":"first"},"repeats":true,\
            "sets":[{"hour":8,"minute":5}],"times":3,"weeks":{"firstWeekday":2,"minimumDaysInFirstWeek":4},"zone":null}
            """
        let trigger = try JSONDecoder().decode(CalendarTrigger.self, from: Data(json.utf8))
        let same = CalendarTrigger(
            matching: DateFields(hour: 8, minute: 5),
            repeats: true,
            options: .init(
                policies: DatePolicies(missingTime: .skip),
                weeks: WeekRules(firstWeekday: 2, minimumDaysInFirstWeek: 4),
                count: 3
            )
        )
        #expect(trigger == same && trigger.hashValue == same.hashValue)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(String(bytes: try encoder.encode(trigger), encoding: .utf8) == json)
        #expect(trigger != Self.trigger(5))
    }

    @Test("Components that make no sense leave a trigger without a rule, and are refused by name") func nonsense() {
        let trigger = CalendarTrigger(matching: DateFields(hour: 24), repeats: true)
        #expect(trigger.nextDate(after: .now, in: TriggerContext(zone: .utc)) == nil)
        #expect(throws: NoticeError.self) { try trigger.validate() }
    }

    @Test("Equal triggers share one rule, others do not") func sharing() throws {
        var rules = RuleTable()
        let first = rules.shared(try #require(Self.trigger(1).rule))
        let second = rules.shared(try #require(Self.trigger(1).rule))
        let other = rules.shared(try #require(Self.trigger(2).rule))
        let elsewhere = rules.shared(try #require(Self.trigger(1, .named("UTC")).rule))
        #expect(first.rule === second.rule && first.number == second.number)
        #expect(Set([first.number, other.number, elsewhere.number]).count == 3 && rules.count == 3)
    }

    @Test("Rules that nothing uses any more make room, and those in use keep their number")
    func dropping() throws {
        var rules = RuleTable()
        var kept: [Int32: CalendarRule] = [:]
        for number in 0..<20_000 {
            let trigger = CalendarTrigger(
                matching: DateFields(day: 1 + number % 28, hour: 8, second: number / 28 % 60),
                repeats: true,
                options: .init(count: nil)
            )
            let fields = DateFields(year: 2_000 + number / 1_680, day: 1 + number % 28, second: number / 28 % 60)
            let rule = try CalendarRule(matching: [fields], trigger.options)
            let shared = rules.shared(rule)
            if number % 100 == 0 { kept[shared.number] = shared.rule } else { #expect(kept[shared.number] == nil) }
        }
        #expect(rules.count < 2_000)
        #expect(kept.count == 200)
        let context = TriggerContext(zone: .utc)
        let after: Int64 = 946_684_799_000_000
        let dates = rules.dates(after: after, floatingAfter: after, in: context)
        for (number, rule) in kept {
            #expect(rules.shared(rule).number == number)
            #expect(dates[Int(number)] == rule.next(after: after, in: .utc))
        }
    }

    @Test("After a change of zone every entry has the first date that is due in the new one")
    func journey() throws {
        let seed = RandomSeed.current
        var random = SeededGenerator(seed: seed)
        let zones = try ["Europe/Berlin", "America/Los_Angeles", "Asia/Kolkata", "Pacific/Apia"].map(ZoneRules.named)
        var now = TriggerInstant(wall: 1_767_225_600_000_000, boot: 1_000_000)
        var schedule = Schedule(zone: zones[0], at: now)
        for number in 0..<200 {
            let fields = DateFields(
                weekday: random.chance(30) ? random.number(1...7) : nil,
                hour: random.number(0...23),
                minute: random.number(0...3)
            )
            let zone: ZoneReference = random.chance(20) ? .named("Asia/Tokyo") : .floating
            let trigger = CalendarTrigger(matching: fields, repeats: true, options: .init(zone: zone))
            _ = try schedule.change(at: now) { try $0.add([Self.request(number, trigger)]) }
        }
        for _ in 0..<20 {
            let step = Int64(random.number(0...4 * 3_600)) * 1_000_000
            now.wall += step
            now.boot += step
            let before = schedule.context.zone
            let zone = zones[random.number(0...3)]
            let overdue = Set(schedule.entries.ids.filter { (schedule.nextDue(of: $0) ?? .max) <= now.wall })
            _ = schedule.handle(.zoneChanged(zone), at: now)
            let second = now.wall / 1_000_000
            let shift = Int64(max(0, zone.offset(at: second) - before.offset(at: second))) * 1_000_000
            for id in schedule.entries.ids where !overdue.contains(id) {
                let entry = try #require(schedule.entries[id])
                guard case .wallClock(let source, _) = entry.timing, source.followsSystemZone else { continue }
                let floor = max(now.wall - shift, schedule.floor(of: entry, source))
                #expect(entry.deadline == source.next(after: floor, in: schedule.context), "seed \(seed)")
            }
            #expect(schedule.brokenInvariant == nil, "seed \(seed)")
        }
    }
}
