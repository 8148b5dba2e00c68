import BelfryRecorder
import BelfryTestSupport
import BelfryTesting
import Foundation
import Testing

@testable import Belfry

@Suite("Deliveries that waited for a retry or the end of quiet hours, over a reboot whose clock is wrong", .takesTurns)
struct DeliveryInDoubtTests {
    private static let hour = 3_600.0
    private static let ahead = 3 * 86_400 + 9 * hour

    /// A machine that starts at 1:01, and whose clock shows 10:01 three days later, which nobody vouches for. At 1:00,
    /// two notices waited for quiet hours to end at 7:00, and two for a server.
    private static func doubtful(_ body: @escaping @Sendable (World) async throws -> Void) async throws {
        let (store, clock) = (MemoryRequestStore(), ManualTriggerClock(date: World.start))
        try await World.run(on: clock, store: store) { world in
            try await world.center.setQuietHours(QuietHours([QuietHours.Period(from: "0:00", to: "7:00")]))
            world.recorder.failAll(with: NoticeError(.noServer, "Nobody there."))
            for (id, level) in [("quiet", InterruptionLevel.active), ("retry", .timeSensitive)] {
                for misfire in [MisfirePolicy.deliver, .deliver(within: .seconds(2 * hour))] {
                    var request = NoticeRequest.sample(misfire == .deliver ? id : id + " within", .after(.seconds(60)))
                    request.misfire = misfire
                    request.content.level = level
                    try await world.center.add(request)
                }
            }
            try await clock.advance(by: .seconds(hour))
            #expect(world.deliveredIDs() == [])
        }
        clock.isSynchronized = false
        try await clock.reboot(taking: .seconds(60 + ahead))
        try await World.run(on: clock, store: store, body)
    }

    @Test("They wait, and the list of what is pending says why") func waits() async throws {
        try await Self.doubtful { world in
            try await world.clock.advance(by: .seconds(60))
            #expect(world.recorder.attempts.isEmpty)
            let pending = try await world.center.pending()
            #expect(pending.count == 4)
            for notice in pending {
                guard case .deferred(_, .clockInDoubt) = notice.state else {
                    Issue.record("\(notice.id): \(notice.state)")
                    continue
                }
            }
            #expect(try await world.center.history(HistoryQuery(outcomes: [.missed])).isEmpty)
        }
    }

    @Test("By a clock that is put right, quiet hours go on and nothing is too late") func putRight() async throws {
        try await Self.doubtful { world in
            try await world.clock.advance(by: .seconds(20))
            try await world.clock.set(wall: world.clock.date.addingTimeInterval(-Self.ahead))
            world.clock.isSynchronized = true
            try await world.clock.advance(by: .seconds(10))
            #expect(Set(world.deliveredIDs()) == ["retry", "retry within"])
            // Since 0:01; it is 1:01, and some seconds.
            for late in world.recorder.deliveries.map(\.late) {
                #expect(late >= .seconds(Self.hour) && late <= .seconds(Self.hour + 40), "\(late)")
            }
            try await world.clock.advance(to: World.start.addingTimeInterval(7 * Self.hour))
            #expect(world.deliveredIDs().count == 4)
            #expect(world.recorder.deliveries.suffix(2).allSatisfy { $0.late == .zero })
        }
    }

    @Test("A clock that was right after all makes them late, and some too late") func wasRight() async throws {
        try await Self.doubtful { world in
            world.clock.isSynchronized = true
            try await world.clock.advance(by: .seconds(5))
            #expect(Set(world.deliveredIDs()) == ["quiet", "retry"])
            #expect(try await world.history(of: "quiet within").last == .missed)
            #expect(try await world.history(of: "retry within").last == .missed)
        }
    }

    @Test("Quiet hours that are lifted meanwhile defer nothing once the doubt has ended") func lifted() async throws {
        try await Self.doubtful { world in
            try await world.center.setQuietHours(nil)
            #expect(world.recorder.attempts.isEmpty)
            try await world.clock.set(wall: world.clock.date.addingTimeInterval(-Self.ahead))
            #expect(world.deliveredIDs().contains("quiet"))
        }
    }
}
