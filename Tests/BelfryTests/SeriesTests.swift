import Belfry
import BelfryRecorder
import BelfryTestSupport
import BelfryTesting
import Foundation
import Testing

@Suite("Series", .takesTurns)
struct SeriesTests {
    private func mail(_ count: Int = 4, spacing: Duration = .seconds(300), dismissalEnds: Bool = false) -> NoticeSeries
    {
        NoticeSeries(
            id: "mail",
            content: NoticeContent(title: "New message"),
            first: World.start.addingTimeInterval(60),
            spacing: spacing,
            count: count,
            dismissalEnds: dismissalEnds
        )
    }

    @Test("N requests are made from one, named base@seconds, of one thread, at their spacing") func elements()
        async throws
    {
        try await World.run { world in
            let report = try await world.center.add(mail())
            #expect(report.added == (0..<4).map { "mail@\(1_767_225_660 + $0 * 300)" })
            #expect(report.next == World.start.addingTimeInterval(60))
            try await world.clock.advance(by: .seconds(3_600))
            #expect(world.dues() == [60, 360, 660, 960])
            #expect(world.recorder.deliveries.allSatisfy { $0.series == "mail" && $0.content.thread == "mail" })
            #expect(try await world.standingIDs() == report.added)
        }
    }

    @Test("A spacing of one second is allowed, a first element that is due now fires at once") func dense()
        async throws
    {
        try await World.run { world in
            try await world.center.add(
                NoticeSeries(id: "s", content: NoticeContent(title: "!"), spacing: .seconds(1), count: 3)
            )
            await world.center.quiet()
            try await world.clock.settle()
            #expect(world.dues() == [0])
            try await world.clock.advance(by: .seconds(10))
            #expect(world.dues() == [0, 1, 2])
        }
    }

    @Test("What makes no series is refused with a typed error") func refused() async throws {
        try await World.run { world in
            func series(_ base: String, _ first: Double, _ spacing: Duration, _ count: Int) -> NoticeSeries {
                NoticeSeries(
                    id: base,
                    content: NoticeContent(title: "!"),
                    first: World.start.addingTimeInterval(first),
                    spacing: spacing,
                    count: count
                )
            }
            let cases: [(NoticeSeries, NoticeError.Code)] = [
                (series("s", 0, .milliseconds(999), 2), .invalidSeries),
                (series("s", 0, .seconds(1), 0), .invalidSeries),
                (series("s", 0, .seconds(1), -1), .invalidSeries), (series("s", 0, .seconds(1), .max), .invalidSeries),
                (series("", 0, .seconds(1), 1), .invalidIdentifier), (series("s", -3_600, .seconds(1), 9), .neverFires),
                (series("s", .nan, .seconds(1), 2), .invalidComponent),
                (series("s", 1e300, .seconds(1), 2), .invalidComponent),
                (series("s", 0, .seconds(999_999_999), 100_000), .invalidComponent),
            ]
            for (series, code) in cases { await expectError(code) { try await world.center.add(series) } }
            let pending = try await world.pendingIDs()
            #expect(pending == [])
        }
    }

    @Test("Answering any element removes those pending and withdraws those shown") func answered() async throws {
        try await World.run { world in
            try await world.center.add(mail())
            try await world.center.add(.sample("other", .after(.seconds(5_000))))
            try await world.clock.advance(by: .seconds(700))
            let ids = world.shownIDs()
            #expect(ids.count == 3)
            try await world.person(.open, on: ids[1])
            #expect(world.shownIDs() == [])
            #expect(world.recorder.withdrawn.map(\.id) == [ids[0], ids[2]])
            #expect(try await world.pendingIDs() == ["other"])
            #expect(try await world.standingIDs() == [])
            try await world.clock.advance(by: .seconds(3_600))
            #expect(world.deliveredIDs().count == 3)
            #expect(try await world.history(of: ids[1]) == [.delivered, .responded])
            #expect(try await world.history(of: ids[0]) == [.delivered, .closed])
        }
    }

    @Test("Dismissal counts as an answer only where the series says so", arguments: [false, true])
    func dismissed(ends: Bool) async throws {
        try await World.run { world in
            try await world.center.add(mail(dismissalEnds: ends))
            try await world.clock.advance(by: .seconds(60))
            try await world.person(.dismiss, on: world.shownIDs()[0])
            #expect(try await world.pendingIDs().count == (ends ? 0 : 3))
            try await world.clock.advance(by: .seconds(300))
            try? await world.person(.expire, on: world.shownIDs().first ?? "none")
            #expect(try await world.pendingIDs().count == (ends ? 0 : 2))
        }
    }

    @Test("A removal that includes what is delivered takes it down, done means done") func removeDelivered()
        async throws
    {
        try await World.run { world in
            try await world.center.add(mail())
            try await world.clock.advance(by: .seconds(400))
            try await world.center.remove("mail", includingDelivered: true)
            #expect(world.shownIDs() == [])
            #expect(world.recorder.withdrawn.count == 2)
            #expect(try await world.pendingIDs() == [])
            try await world.center.remove("mail", includingDelivered: true)
            try await world.center.remove("unknown", includingDelivered: true)
            try await world.center.add([.sample("a"), .sample("b"), .sample("c", .after(.seconds(60)))])
            try await world.clock.settle()
            try await world.center.remove(["a", "c"], includingDelivered: true)
            #expect(world.shownIDs() == ["b"])
            #expect(try await world.pendingIDs() == [])
        }
    }

    @Test("Removing the base removes all elements, and leaves the screen alone") func removeBase() async throws {
        try await World.run { world in
            try await world.center.add(mail())
            try await world.center.add(.sample("mail", .after(.seconds(100))))
            try await world.clock.advance(by: .seconds(60))
            try await world.center.remove("mail")
            #expect(try await world.pendingIDs() == [])
            #expect(world.shownIDs().count == 1)
        }
    }

    @Test("Membership is a field, not read from the identifier") func membership() async throws {
        try await World.run { world in
            var member = NoticeRequest.sample("anything", .after(.seconds(100)))
            member.series = "mail"
            try await world.center.add([member, .sample("mail@1767225660", .after(.seconds(100)))])
            try await world.center.remove("mail", includingDelivered: true)
            #expect(try await world.pendingIDs() == ["mail@1767225660"])
        }
    }

    @Test("A series is cut to the room there is, and says how many it kept") func cut() async throws {
        for overflow in CenterOptions.PendingLimit.Overflow.allCases {
            let options = CenterOptions(pendingLimit: CenterOptions.PendingLimit(count: 3, overflow: overflow))
            try await World.run(options: options) { world in
                try await world.center.add(.sample("other", .after(.seconds(9_000))))
                let report = try await world.center.add(mail())
                #expect(report.added.count == 2, "\(overflow)")
                #expect(report.dropped.count == 2, "\(overflow)")
                #expect(try await world.pendingIDs() == report.added + ["other"], "\(overflow)")
                #expect(try await world.history(of: report.dropped[0]) == [.dropped])
                // The same again takes its own places, and no more.
                let again = try await world.center.add(mail())
                #expect(again.added.count == 2, "\(overflow)")
            }
        }
    }

    @Test("Elements of an earlier series of that name stay, and the report says so") func addedAgain() async throws {
        try await World.run { world in
            var later = mail()
            #expect(try await world.center.add(later).warnings.isEmpty)
            #expect(try await world.center.add(later).warnings.isEmpty, "the same elements")
            later.first = World.start.addingTimeInterval(61)
            let report = try await world.center.add(later)
            #expect(
                report.warnings
                    == ["4 pending elements of an earlier series 'mail' stay: remove 'mail' first to replace them."]
            )
            #expect(try await world.pendingIDs().count == 8)
        }
    }

    @Test("Elements that are pending beyond the cut don't count as room") func cutBeyond() async throws {
        try await World.run(options: CenterOptions(pendingLimit: CenterOptions.PendingLimit(count: 3))) { world in
            var late = mail(2)
            late.first = World.start.addingTimeInterval(60 + 600)
            try await world.center.add(late)
            let report = try await world.center.add(mail())
            #expect(report.added.count == 1)
            #expect(try await world.pendingIDs().count == 3)
        }
    }

    @Test("With no room at all the overflow rule decides") func noRoom() async throws {
        try await World.run(options: CenterOptions(pendingLimit: CenterOptions.PendingLimit(count: 1))) { world in
            try await world.center.add(.sample("other", .after(.seconds(9_000))))
            await expectError(.pendingLimitReached) { try await world.center.add(mail()) }
            #expect(try await world.pendingIDs() == ["other"])
        }
        let soonest = CenterOptions(pendingLimit: CenterOptions.PendingLimit(count: 1, overflow: .keepSoonest))
        try await World.run(options: soonest) { world in
            try await world.center.add(.sample("other", .after(.seconds(9_000))))
            let report = try await world.center.add(mail())
            #expect(report.added == ["mail@1767225660"])
            #expect(report.dropped.contains("other"))
        }
    }

    @Test("At once and again under one identifier, until it is answered") func untilAnswered() async throws {
        try await World.run { world in
            try await world.center.add(
                .untilAnswered(
                    id: "mail",
                    content: NoticeContent(title: "New message"),
                    every: .seconds(300),
                    count: 10
                )
            )
            try await world.clock.advance(by: .seconds(700))
            #expect(world.dues() == [0, 300, 600])
            #expect(world.shownIDs() == ["mail"])
            try await world.person(.open, on: "mail")
            #expect(try await world.pendingIDs() == [])
            try await world.clock.advance(by: .seconds(86_400))
            #expect(world.dues().count == 3)
        }
    }

    @Test("Dismissal ends it only where asked", arguments: [false, true]) func untilDismissed(ends: Bool)
        async throws
    {
        try await World.run { world in
            try await world.center.add(
                .untilAnswered(
                    id: "mail",
                    content: NoticeContent(title: "!"),
                    every: .seconds(300),
                    dismissalEnds: ends
                )
            )
            try await world.clock.settle()
            try await world.person(.dismiss, on: "mail")
            #expect(try await world.pendingIDs() == (ends ? [] : ["mail"]))
        }
    }

    @Test("Answering an old notice does not end a new request of the same identifier") func answeredOld()
        async throws
    {
        try await World.run { world in
            let first = NoticeRequest.untilAnswered(
                id: "mail",
                content: NoticeContent(title: "1"),
                every: .seconds(300)
            )
            try await world.center.add(first)
            try await world.clock.settle()
            var second = NoticeRequest.untilAnswered(
                id: "mail",
                content: NoticeContent(title: "2"),
                every: .seconds(300)
            )
            second.trigger = .after(.seconds(100))
            try await world.center.add(second)
            try await world.person(.open, on: "mail")
            #expect(try await world.pendingIDs() == ["mail"])
            try await world.clock.advance(by: .seconds(100))
            #expect(world.recorder.shown.map(\.delivery.content.title) == ["2"])
        }
    }

    private enum End: CaseIterable {
        case answer, byHand, byHandWithDelivered
    }

    private static let later = SnoozeChoice.after(.seconds(3_600))

    /// Ends the series "s", of which "y" is shown.
    private static func end(_ world: World, _ end: End) async throws {
        switch end {
        case .answer: try await world.person(.open, on: "y")
        case .byHand: try await world.center.remove("s")
        case .byHandWithDelivered: try await world.center.remove("s", includingDelivered: true)
        }
    }

    private static func member(
        _ id: String,
        _ trigger: (any NoticeTrigger)? = nil,
        isResident: Bool = false
    ) -> NoticeRequest {
        var request = NoticeRequest.sample(id, trigger)
        request.series = "s"
        request.content.desktop.isResident = isResident
        return request
    }

    @Test(
        "The end of a series leaves a newer request alone that has the identifier of an element",
        arguments: End.allCases
    )
    private func reused(_ end: End) async throws {
        try await World.run { world in
            try await world.center.add([Self.member("x"), Self.member("y")])
            try await world.clock.settle()
            try await world.center.add([
                .sample("x", .after(.seconds(3_600))), Self.member("z", .after(.seconds(3_600))),
            ])
            #expect(try await world.center.pendingSeries().map(\.left) == [1])
            try await Self.end(world, end)
            #expect(try await world.pendingIDs() == ["x"])
            #expect(world.shownIDs() == (end == .byHand ? ["x", "y"] : []))
            try await world.clock.advance(by: .seconds(3_600))
            #expect(world.deliveredIDs() == ["x", "y", "x"])
        }
    }

    @Test("The end of a series leaves a notice on the screen that another request has shown", arguments: End.allCases)
    private func shownByAnother(_ end: End) async throws {
        try await World.run { world in
            try await world.center.add([.sample("x"), Self.member("y")])
            try await world.clock.settle()
            try await world.center.add(Self.member("x", .after(.seconds(3_600))))
            try await Self.end(world, end)
            #expect(try await world.pendingIDs() == [])
            #expect(world.shownIDs() == (end == .byHand ? ["x", "y"] : ["x"]))
        }
    }

    @Test("A response to a resident notice ends its series, but not a newer request of its identifier") func resident()
        async throws
    {
        try await World.run { world in
            try await world.center.add(Self.member("x", isResident: true))
            try await world.clock.settle()
            try await world.center.add([
                .sample("x", .after(.seconds(3_600))), Self.member("z", .after(.seconds(3_600))),
            ])
            try await world.person(.open, on: "x")
            #expect(try await world.pendingIDs() == ["x"])
            #expect(world.shownIDs() == ["x"])
        }
    }

    @Test("Snoozing an element withdraws the others, but not what another request has shown") func snoozedBesideOther()
        async throws
    {
        try await World.run { world in
            var snoozable = Self.member("y")
            snoozable.content.actions = [.snooze(Self.later)]
            try await world.center.add([.sample("x"), snoozable, Self.member("z")])
            try await world.clock.settle()
            try await world.center.add(Self.member("x", .after(.seconds(3_600))))
            try await world.person(.action(Self.later.actionID), on: "y")
            #expect(world.shownIDs() == ["x"])
        }
    }

    @Test("A snoozed notice of another request doesn't hold back a series") func snoozedOther() async throws {
        try await World.run { world in
            var snoozable = NoticeRequest.sample("x")
            snoozable.content.actions = [.snooze(Self.later)]
            try await world.center.add(snoozable)
            try await world.clock.settle()
            try await world.person(.action(Self.later.actionID), on: "x")
            // Shown without being added, so the snoozed notice of its identifier stays.
            _ = try await world.center.show(Self.member("x"))
            try await world.center.add(Self.member("z", .after(.seconds(60))))
            try await world.clock.advance(by: .seconds(60))
            #expect(world.deliveredIDs() == ["x", "x", "z"])
        }
    }

    @Test("A repeating request that belongs to a series goes on when several are due together") func repeatingMember()
        async throws
    {
        try await World.run { world in
            for (id, interval) in [("a", 60), ("b", 120)] {
                var request = NoticeRequest.sample(id, .every(.seconds(interval)))
                request.series = "s"
                try await world.center.add(request)
            }
            try await world.clock.advance(by: .seconds(240))
            #expect(world.dues(of: "a") == [60, 120, 180, 240])
            #expect(world.dues(of: "b") == [120, 240])
        }
    }
}
