import Belfry
import BelfryRecorder
import BelfrySchedules
import BelfryTestSupport
import BelfryTesting
import Foundation
import Testing

@Suite("What holds for every request holds for regions", .takesTurns)
struct RegionPolicyTests {
    private let here = RegionWorld.region()

    private func request(_ id: String, repeats: Bool = true, _ change: (inout NoticeRequest) -> Void = { _ in })
        -> NoticeRequest
    {
        var request = NoticeRequest.sample(id, LocationTrigger(region: here, edge: .both, repeats: repeats))
        change(&request)
        return request
    }

    @Test("It is late by the age of its fix, and misfires by its policy; the ledger names the crossing") func misfire()
        async throws
    {
        try await RegionWorld.run { place in
            try await place.center.add([
                request("any"), request("soon") { $0.misfire = .deliver(within: .seconds(60)) },
                request("now") { $0.misfire = .skip },
            ])
            try await place.go(500)
            try await place.clock.advance(by: .seconds(600))
            try await place.go(0, ago: 61)
            #expect(place.world.deliveredIDs() == ["any"])
            let delivery = try place.world.recorder.expectDelivery(of: "any")
            #expect(delivery.late == .seconds(61) && delivery.dueDate == place.clock.date.addingTimeInterval(-61))
            #expect(try await place.details(of: "any") == ["delivered: the region was entered"])
            #expect(
                try await place.details(of: "soon")
                    == ["missed: the region was entered; later than its misfire policy allows (60.0 s)"]
            )
            #expect(try await place.details(of: "now").count == 1)
            try await place.go(500)
            #expect(place.world.deliveredIDs() == ["any", "any", "soon", "now"])
        }
    }

    @Test("Quiet hours hold it; the latest crossing takes the place of an earlier one") func quietHours() async throws {
        try await RegionWorld.run { place in
            try await place.center.setQuietHours(QuietHours([QuietHours.Period(from: "22:00", to: "07:00")]))
            try await place.center.add(request("a"))
            try await place.go([500, 0, 500])
            #expect(place.crossings() == [])
            try await place.clock.advance(by: .seconds(7 * 3_600))
            #expect(place.crossings() == [.left])
            #expect(place.world.recorder.deliveries[0].late == .zero)
        }
    }

    @Test("A snooze comes again beside further crossings; an answer ends what comes until it is answered")
    func answers() async throws {
        try await RegionWorld.run { place in
            try await place.center.add([
                request("snoozed") { $0.content.category = NoticeCategory.snoozeID },
                request("until") { $0.endsWhenAnswered = true },
            ])
            try await place.go([500, 0])
            let hour = SnoozeChoice.after(.seconds(3_600)).actionID
            try await place.world.person(.action(hour), on: "snoozed")
            try await place.world.person(.open, on: "until")
            #expect(try await place.world.pendingIDs() == ["snoozed"])
            try await place.go(500)
            try await place.clock.advance(by: .seconds(3_600))
            #expect(place.crossings(of: "snoozed") == [.entered, .left, .entered])
            #expect(place.crossings(of: "until") == [.entered])
        }
    }

    @Test("Its firings escalate, and are counted") func escalation() async throws {
        try await RegionWorld.run { place in
            try await place.center.add(
                request("a") {
                    $0.escalation = [NoticeSeries.EscalationStep(from: 2, level: .critical, title: "Again")]
                }
            )
            try await place.go([500, 0, 500])
            #expect(place.world.recorder.deliveries.map(\.content.title) == ["Notice a", "Again"])
            #expect(place.world.recorder.deliveries.map(\.content.level) == [.active, .critical])
            let pending = try await place.center.pending()
            #expect(pending.map(\.fired) == [2] && pending[0].next == nil)
            #expect((pending[0].request.trigger as? LocationTrigger)?.region == here)
        }
    }

    @Test("It counts under a pending limit, and goes first where the soonest are kept") func limit() async throws {
        let options = CenterOptions(pendingLimit: CenterOptions.PendingLimit(count: 1, overflow: .keepSoonest))
        try await RegionWorld.run(options: options) { place in
            try await place.center.add(request("place"))
            let report = try await place.center.add(.sample("tea", .after(.seconds(60))))
            #expect(report.dropped == ["place"])
            try await place.clock.settle()
            #expect(!place.position.isRunning)
        }
    }

    @Test("What is removed fires nothing, and what is removed while it stays doesn't either") func removed()
        async throws
    {
        try await RegionWorld.run { place in
            try await place.center.add(request("a"))
            try await place.add("b", LocationTrigger(region: here, dwell: .seconds(60)))
            try await place.add("keep", LocationTrigger(region: here, edge: .exit))
            try await place.go([500, 0])
            try await place.center.remove(["a", "b"])
            try await place.clock.advance(by: .seconds(60))
            try await place.go(500)
            #expect(place.world.deliveredIDs() == ["a", "keep"])
        }
    }

    @Test("Crossings whose commit fails are judged again when the store takes something, in their order")
    func storeFails() async throws {
        let store = FailingRequestStore()
        try await RegionWorld.run(store: store) { place in
            try await place.center.add([request("a"), request("once", repeats: false)])
            try await place.go(500)
            store.failTransactions()
            try await place.go([0, 500, 0])
            #expect(place.crossings() == [])
            #expect(try await place.center.locationReport().inside == 0)
            // Those that came after the first one wait, and don't hammer the store.
            #expect(store.failedTransactions == 1)
            store.succeed()
            try await place.clock.advance(by: .seconds(60))
            #expect(place.crossings(of: "once") == [.entered])
            // In, out and in again came together: the latest of one request counts.
            #expect(place.crossings(of: "a").last == .entered)
            #expect(try await place.center.locationReport().inside == 1)
            try await place.go(500)
            #expect(place.crossings(of: "a").last == .left)
        }
    }

    @Test("It has no date: not the trigger, not the report, and a stay has its end") func dates() async throws {
        let trigger = LocationTrigger(region: here, dwell: .seconds(60))
        #expect(trigger.nextTriggerDate() == nil)
        #expect(trigger.previewOccurrences(3) == [])
        #expect(trigger.sentence(in: ["en"]) == nil)
        try await RegionWorld.run { place in
            let report = try await place.center.add(.sample("a", trigger))
            #expect(report.next == nil)
            #expect(try await place.center.nextFireDate() == nil)
        }
    }
}
