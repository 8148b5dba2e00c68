import BelfryRecorder
import BelfryTestSupport
import BelfryTesting
import Foundation
import Testing

@testable import Belfry

/// Fires at multiples of a step since 1970. From `stuckFrom` on it returns the date it was asked about, which a trigger
/// must not do.
private struct StepTrigger: WallClockTrigger {
    static let kind: TriggerKind = "org.example.step"
    var microseconds: Int64
    var stuckFrom = Date.distantFuture
    var repeats = true

    init(every step: Duration, stuckFrom: Date = .distantFuture) {
        microseconds = step.microseconds
        self.stuckFrom = stuckFrom
    }

    func nextDate(after date: Date, in context: TriggerContext) -> Date? {
        guard date < stuckFrom else { return date }
        return Date(microsecondsSince1970: (date.microsecondsSince1970 / microseconds + 1) * microseconds)
    }
}

@Suite("Triggers of the app's own kind, whatever dates they return", .takesTurns)
struct OwnTriggerTests {
    @Test("One that returns the date it was asked about is refused, with its request and kind, and nothing is kept")
    func neverAdvances() async throws {
        try await World.run { world in
            let stuck = StepTrigger(every: .seconds(60), stuckFrom: .distantPast)
            let error = await expectError(.triggerNotAdvancing) {
                try await world.center.add([.sample("good", .after(.seconds(60))), .sample("stuck", stuck)])
            }
            #expect(error?.message.contains("'stuck'") == true)
            #expect(error?.message.contains("org.example.step") == true)
            let pending = try await world.pendingIDs()
            #expect(pending == [])
        }
    }

    @Test("One that stops advancing later ends its request with the reason in the history, and holds up no other")
    func stopsAdvancing() async throws {
        try await World.run { world in
            let due = World.start.addingTimeInterval(60)
            try await world.center.add([
                .sample("stuck", StepTrigger(every: .seconds(60), stuckFrom: due)),
                .sample("good", DateTrigger(date: due)),
            ])
            try await world.clock.advance(by: .seconds(60))
            #expect(world.deliveredIDs() == ["good"])
            #expect(try await world.pendingIDs() == [])
            let entry = try #require(try await world.center.history(HistoryQuery(requestID: "stuck")).last)
            #expect(entry.outcome == .failed)
            #expect(entry.errorCode == .triggerNotAdvancing)
        }
    }

    @Test("One with more missed dates than can be followed comes once, says at least how many, and goes on after now")
    func dense() async throws {
        try await World.run { world in
            try await world.center.add(.sample("dense", StepTrigger(every: .milliseconds(1))))
            try await world.clock.suspend(for: .seconds(3_600))
            #expect(world.deliveredIDs() == ["dense"])
            #expect(try world.recorder.expectDelivery(of: "dense").late < .seconds(60))
            #expect(try await world.lastDetail(of: "dense", .missed)?.hasPrefix("at least 1") == true)
            let next = try #require(try await world.center.nextFireDate(of: "dense"))
            #expect(next > World.start.addingTimeInterval(3_600))
            #expect(next < World.start.addingTimeInterval(3_601))
        }
    }
}
