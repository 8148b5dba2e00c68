import BelfryRecorder
import BelfryRecurrence
import BelfryTesting
import Foundation
import Testing

@testable import Belfry

@Suite("Ten years of a thousand requests")
struct SpeedTests {
    /// Birthdays, and some of everything else: 1,000 requests with some 15,000 firings in ten years.
    static func requests(_ random: inout SeededGenerator) -> [NoticeRequest] {
        (0..<1_000).map { number in
            switch number % 20 {
            case 0:
                return .sample(
                    "monthly \(number)",
                    CalendarTrigger(
                        matching: DateFields(day: random.number(1...28), hour: random.number(0...23)),
                        repeats: true,
                        times: 60
                    )
                )
            case 1: return .sample("interval \(number)", .every(.seconds(86_400 * random.number(60...90))))
            case 2...4:
                return .sample(
                    "once \(number)",
                    DateTrigger(at: World.start.addingTimeInterval(random.time(days: 3_652)))
                )
            default:
                return .sample(
                    "birthday \(number)",
                    CalendarTrigger(
                        matching: DateFields(month: random.number(1...12), day: random.number(1...28), hour: 8),
                        repeats: true
                    )
                )
            }
        }
    }

    @Test("The schedule alone goes through them") func schedule() throws {
        var random = SeededGenerator(seed: 10)
        let requests = Self.requests(&random)
        let start = TriggerInstant(wall: World.start.microsecondsSince1970, boot: 1_000_000_000)
        var schedule = Schedule(zone: try .named("Europe/Berlin"), at: start)
        var (now, firings, wakes) = (start, 0, 0)
        let end = start.wall + 3_652 * 86_400_000_000
        func settle(_ effects: [ScheduleEffect]) {
            for effect in effects {
                if case .commit(let id, _) = effect { settle(schedule.handle(.committed(id), at: now)) }
                if case .deliver(let order) = effect {
                    firings += 1
                    let receipt = DeliveryReceipt(backend: "none", handle: order.reference.requestID)
                    settle(schedule.handle(.delivered(order.reference, receipt, reportsDismissal: false), at: now))
                }
            }
        }
        let time = ContinuousClock().measure {
            settle(schedule.handle(.restored(StoredState(), bootID: "1"), at: now))
            settle(schedule.handle(.started, at: now))
            for request in requests { settle(schedule.handle(.added([request], 1), at: now)) }
            while let wake = schedule.nextWake {
                let delta =
                    [wake.wall.map { $0 - now.wall }, wake.boot.map { $0 - now.boot }].compactMap { $0 }.min() ?? 0
                guard now.wall + delta <= end else { break }
                now = TriggerInstant(wall: now.wall + delta, boot: now.boot + delta)
                wakes += 1
                settle(schedule.handle(.woke, at: now))
            }
        }
        print("schedule: \(firings) firings in \(wakes) wakes, \(time)")
        #expect(firings > 12_000)
        // In a debug build, on a busy machine; a release build takes a tenth.
        #expect(time < .seconds(20))
    }

    @Test("The center goes through them on a manual clock") func center() async throws {
        let recorder = RecorderBackend()
        try await World.run(zone: try .named("Europe/Berlin"), recorder: recorder) { world in
            var random = SeededGenerator(seed: 10)
            let requests = Self.requests(&random)
            let adding = try await ContinuousClock().measure { _ = try await world.center.add(requests) }
            let time = try await ContinuousClock().measure {
                try await world.clock.advance(by: .seconds(3_652 * 86_400))
            }
            print(
                "center: 1,000 requests added in \(adding), \(recorder.deliveries.count) deliveries in",
                "\(world.clock.wakes) wakes, \(time)"
            )
            #expect(recorder.deliveries.count > 12_000)
            #expect(time < .seconds(40))
        }
    }
}

extension SeededGenerator {
    fileprivate mutating func time(days: Int) -> Double { Double(number(1...(days * 86_400))) }
}
