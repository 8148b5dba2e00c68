import Belfry
import BelfryRecorder
import BelfryRecurrence
import BelfryTestSupport
import BelfryTesting
import Foundation
import Testing

/// What the simulation shows, and what a center shows, of the same requests and the same person.
@Suite("The simulation against a center", .takesTurns, .timeLimit(.minutes(5)))
struct SimulationAgainstCenterTests {
    private static let start = Date(timeIntervalSince1970: 1_774_656_000)
    private static let minute = 60.0
    private static let minutes = 36 * 60

    /// A person who looks at the screen once a minute.
    private enum Habit { case nothing, open, dismiss, snooze }

    private struct Line: Hashable, CustomStringConvertible {
        var id: String
        var title: String
        var minute: Int
        var late: Duration

        var description: String { "\(id) '\(title)' in minute \(minute), \(late) late" }
    }

    /// SplitMix64's mixing of one number, so that both worlds draw the same.
    private static func mixed(_ value: UInt64) -> UInt64 {
        var mixed = value &* 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    private struct Draw {
        var seed: UInt64
        mutating func number(_ count: Int) -> Int {
            seed &+= 1
            return Int(mixed(seed) % UInt64(count))
        }
    }

    private static func habit(_ seed: UInt64, showing: Int, of id: String) -> Habit {
        let habit: Habit = [.nothing, .nothing, .open, .dismiss, .snooze][
            Int(mixed(seed &* 1_000_003 &+ UInt64(showing)) % 5)
        ]
        // A summary has none of its notices' buttons.
        return habit == .snooze && id.hasPrefix("belfry.summary:") ? .nothing : habit
    }

    /// - Parameter gathers: some are not displayed, and some become a summary.
    private static func requests(_ seed: UInt64, gathers: Bool = true) -> ([NoticeRequest], [NoticeSeries], QuietHours?)
    {
        var draw = Draw(seed: seed << 20)
        var requests: [NoticeRequest] = []
        for number in 0..<12 {
            let trigger: (any NoticeTrigger)?
            switch draw.number(6) {
            case 0: trigger = DateTrigger(date: start.addingTimeInterval(Double(1 + draw.number(36 * 3_600))))
            case 1: trigger = IntervalTrigger(every: .seconds(600 + draw.number(9_000)), startsNow: draw.number(2) == 0)
            case 2: trigger = IntervalTrigger(every: .seconds(3_600), count: 1 + draw.number(4))
            case 3, 4:
                let fields = DateFields(hour: draw.number(2) == 0 ? nil : draw.number(24), minute: draw.number(60))
                trigger = CalendarTrigger(matching: fields, repeats: draw.number(3) > 0)
            default: trigger = draw.number(2) == 0 ? nil : IntervalTrigger(after: .seconds(1 + draw.number(80_000)))
            }
            let levels: [InterruptionLevel] = [.passive, .active, .timeSensitive]
            var content = NoticeContent(title: "T\(number)", level: levels[draw.number(3)])
            if gathers { content.isDisplayed = draw.number(6) > 0 }
            if gathers, draw.number(2) == 0 {
                content.thread = "thread"
                content.summary = ThreadSummary(moreThan: 1, within: .seconds(3_600), title: "{count} of them")
            }
            requests.append(
                NoticeRequest(
                    id: "r\(number)",
                    content: content,
                    trigger: trigger,
                    misfire: draw.number(2) == 0 ? .skip : .deliver,
                    endsWhenAnswered: draw.number(2) == 0,
                    dismissalEnds: draw.number(2) == 0,
                    escalation: draw.number(2) == 0
                        ? [] : [NoticeSeries.EscalationStep(from: 3, title: "Still T\(number)")]
                )
            )
        }
        let series = (0..<3).map { number in
            NoticeSeries(
                id: "s\(number)",
                content: NoticeContent(title: "S\(number)"),
                first: start.addingTimeInterval(Double(draw.number(20 * 3_600))),
                spacing: .seconds(120 + draw.number(2_000)),
                count: 1 + draw.number(12),
                dismissalEnds: draw.number(2) == 0
            )
        }
        let quiet = draw.number(3)
        let night = QuietHours.Period(from: "22:00", to: "06:30")
        return (
            requests, series, quiet == 0 ? nil : QuietHours([night], behavior: quiet == 1 ? .wait : .deliverQuietly)
        )
    }

    /// In which whole minute since the start, a minute's end included.
    private static func minuteOf(_ date: Date) -> Int { Int((date.timeIntervalSince(start) / minute).rounded(.up)) }

    private static func simulated(_ seed: UInt64, zone: ZoneRules) throws -> [Line] {
        let (requests, series, quiet) = requests(seed)
        var simulation = try ScheduleSimulation(from: start, zone: zone, quietHours: quiet)
        try simulation.add(requests)
        for one in series { try simulation.add(one) }
        var showing = 0
        let outcome = try simulation.run(until: start.addingTimeInterval(Double(minutes) * minute)) { notice in
            showing += 1
            let tick = start.addingTimeInterval(Double(minuteOf(notice.date)) * minute)
            let delay = Duration.seconds(tick.timeIntervalSince(notice.date))
            switch habit(seed, showing: showing, of: notice.requestID) {
            case .nothing: return nil
            case .open: return .open(after: delay)
            case .dismiss: return .dismiss(after: delay)
            case .snooze: return .snooze(.after(.seconds(420)), after: delay)
            }
        }
        return outcome.shown.map {
            Line(id: $0.requestID, title: $0.content.title, minute: minuteOf($0.date), late: $0.late)
        }
    }

    private static func answer(_ habit: Habit, _ delivery: Delivery, _ recorder: RecorderBackend) throws {
        guard recorder.shown.contains(where: { $0.delivery.id == delivery.id }) else { return }
        switch habit {
        case .nothing: break
        case .open: try recorder.simulate(.open, on: delivery.requestID)
        case .dismiss: try recorder.simulate(.dismiss, on: delivery.requestID)
        case .snooze:
            let button = SnoozeChoice.after(.seconds(420)).actionID
            try recorder.simulate(.action(button), on: delivery.requestID)
        }
    }

    @Test("Both show the same, in the same minute, as late and in the same words", arguments: [1, 2, 3, 4, 5, 6])
    func same(seed: UInt64) async throws {
        print("simulation against center: seed \(seed)")
        let zone = try ZoneRules.named("Europe/Berlin")
        let expected = try Self.simulated(seed, zone: zone)
        let clock = ManualTriggerClock(date: Self.start, zone: zone)
        let recorder = RecorderBackend()
        let app = AppIdentity(id: "org.example.Test")
        let center = NoticeCenter(app: app, backend: recorder, clock: .manual(clock))
        try await center.run { center in
            let (requests, series, quiet) = Self.requests(seed)
            await recorder.waitUntilReported()
            try await center.setQuietHours(quiet)
            // The button is one of the center's own: the content has to have it for the recorder to press it.
            let buttons = [NoticeAction.snooze(.after(.seconds(420)))]
            try await center.add(
                requests.map { request in
                    var request = request
                    request.content.actions = buttons
                    return request
                }
            )
            for var one in series {
                one.content.actions = buttons
                try await center.add(one)
            }
            var lines: [Line] = []
            for minute in 0...Self.minutes {
                if minute > 0 { try await clock.advance(by: .seconds(60)) } else { try await clock.settle() }
                let new = Array(recorder.deliveries.dropFirst(lines.count))
                let first = lines.count
                for delivery in new {
                    let title = delivery.content.title
                    lines.append(Line(id: delivery.requestID, title: title, minute: minute, late: delivery.late))
                }
                for (index, delivery) in new.enumerated() {
                    try Self.answer(
                        Self.habit(seed, showing: first + index + 1, of: delivery.requestID),
                        delivery,
                        recorder
                    )
                    try await clock.settle()
                }
            }
            #expect(lines.count > 10)
            #expect(lines == expected)
        }
    }

    @Test("What is pending in a center goes on in the simulation as it does there", arguments: [7, 8, 9])
    func pending(seed: UInt64) async throws {
        print("simulation of what is pending: seed \(seed)")
        let zone = try ZoneRules.named("Europe/Berlin")
        let clock = ManualTriggerClock(date: Self.start, zone: zone)
        let recorder = RecorderBackend()
        let center = NoticeCenter(app: AppIdentity(id: "org.example.Test"), backend: recorder, clock: .manual(clock))
        try await center.run { center in
            // What stands on the screen, which a summary is made of, is nothing that is pending.
            let (requests, series, _) = Self.requests(seed, gathers: false)
            let responses = await center.responses()
            await recorder.waitUntilReported()
            try await center.add(requests)
            for one in series { try await center.add(one) }
            try await clock.advance(by: .seconds(5 * 3_600 + 7))
            // One that repeats, and one that is over, are put off.
            for notice in recorder.shown.prefix(2) {
                try recorder.simulate(.open, on: notice.delivery.requestID)
                try await clock.settle()
                for await response in responses {
                    try await center.snooze(response, for: .seconds(1_000))
                    break
                }
            }
            let before = recorder.deliveries.count
            var run = try SimulatedRun(from: clock.date, pending: try await center.pending(), zone: zone)
            let end = clock.date.addingTimeInterval(86_400)
            let expected = try run.run(until: end, atMost: 10_000)
            try await clock.advance(to: end)
            let shown = recorder.deliveries.dropFirst(before)
            #expect(shown.count > 5)
            #expect(
                shown.map {
                    "\($0.requestID) \($0.content.title) \($0.dueDate.timeIntervalSince1970) \($0.snoozeCount)"
                }
                    == expected.shown.map {
                        "\($0.requestID) \($0.content.title) \($0.dueDate.timeIntervalSince1970) \($0.snoozeCount)"
                    }
            )
        }
    }
}
