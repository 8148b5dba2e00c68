import BelfryRecorder
import BelfryRecurrence
import BelfryTestSupport
import BelfryTesting
import Foundation
import Testing

@testable import Belfry

@Suite("A pending request whose trigger gets further dates", .takesTurns)
struct RenewalTests {
    private struct ListedDates: WallClockTrigger {
        static let kind: TriggerKind = "org.example.listed"
        var dates: [Date]
        var repeats = true
        var count: Int?
        func nextDate(after date: Date, in context: TriggerContext) -> Date? { dates.first { $0 > date } }
    }

    private enum Situation: CaseIterable { case onScreen, restarted, deferred, inFlight }

    @Test("A response to a notice of its earlier dates still ends it", arguments: Situation.allCases)
    private func answered(_ situation: Situation) async throws {
        let (store, recorder) = (MemoryRequestStore(), RecorderBackend())
        let clock = ManualTriggerClock(date: World.start, zone: .utc)
        @Sendable func respond(_ world: World) async throws {
            try recorder.simulate(.open, on: "r")
            await world.center.quiet()
            #expect(try await world.pendingIDs() == [])
        }
        let prompt = ScriptedPrompt(.allowed)
        if situation == .inFlight { prompt.stall() }
        try await World.run(on: clock, store: store, prompt: prompt, recorder: recorder) { world in
            var request = Self.request(1...2)
            request.endsWhenAnswered = true
            if situation == .deferred {
                try await world.center.setQuietHours(QuietHours([QuietHours.Period(from: "00:00", to: "00:02")]))
            }
            try await world.center.add(request)
            async let due: Void = clock.advance(by: .seconds(60))
            if situation == .inFlight { await prompt.waitUntilAsked() } else { try await due }
            try await world.center.renew("r") { _ in Self.request(3...9).trigger }
            #expect(try await world.pendingIDs() == ["r"])
            prompt.release()
            try await due
            if situation == .deferred { try await clock.advance(by: .seconds(60)) }
            #expect(try await world.center.delivered().map(\.requestID) == ["r"])
            if situation != .restarted { try await respond(world) }
        }
        guard situation == .restarted else { return }
        try await World.run(on: clock, store: store, recorder: recorder) { try await respond($0) }
    }

    private static func request(_ minutes: ClosedRange<Int>) -> NoticeRequest {
        .sample("r", ListedDates(dates: minutes.map { World.start.addingTimeInterval(Double($0) * 60) }))
    }

    @Test("keeps its count and a date that is due and has not fired; what can't be stored is undone") func due() throws
    {
        let start = World.start.microsecondsSince1970
        var now = TriggerInstant(wall: start, boot: 1_000_000)
        var schedule = Schedule(zone: .utc, at: now)
        _ = try schedule.change(at: now) { try $0.add([Self.request(1...2)]) }
        let before = try #require(schedule.entries["r"])
        // Nothing fires: the schedule is not told to wake.
        (now.wall, now.boot) = (start + 90_000_000, now.boot + 90_000_000)
        let change = schedule.change(at: now) { $0.renew(Self.request(0...4), revision: before.revision) }
        let after = try #require(schedule.entries["r"])
        #expect(after.deadline == start + 60_000_000 && after.progress == before.progress)
        #expect(after.revision == before.revision && schedule.brokenInvariant == nil)
        schedule.undo([change.transaction], at: now)
        #expect(schedule.entries["r"]?.deadline == before.deadline && schedule.brokenInvariant == nil)
        // One that was added anew in the meantime is another request.
        _ = try schedule.change(at: now) { try $0.add([Self.request(5...6)]) }
        let late = schedule.change(at: now) { $0.renew(Self.request(0...9), revision: before.revision) }
        #expect(late.transaction.records.isEmpty)
    }
}
