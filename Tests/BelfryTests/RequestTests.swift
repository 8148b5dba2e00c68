import Belfry
import BelfryRecorder
import BelfryRecurrence
import BelfryTestSupport
import BelfryTesting
import Foundation
import Testing

@Suite("Requests", .takesTurns)
struct RequestTests {
    @Test("Adding a pending identifier replaces it whole, content, trigger and policies") func replaceWhole()
        async throws
    {
        try await World.run { world in
            var first = NoticeRequest.sample("tea", .after(.seconds(60)))
            first.misfire = .skip
            first.endsWhenAnswered = true
            try await world.center.add(first)
            let second = NoticeRequest(id: "tea", title: "Coffee", trigger: .after(.seconds(120)))
            try await world.center.add(second)
            let pending = try await world.center.pending()
            #expect(pending.map(\.request) == [second])
            #expect(pending.map(\.next) == [World.start.addingTimeInterval(120)])
            try await world.clock.advance(by: .seconds(119))
            #expect(world.deliveredIDs() == [])
            try await world.clock.advance(by: .seconds(1))
            #expect(try world.recorder.expectDelivery(of: "tea").content.title == "Coffee")
            #expect(try await world.history(of: "tea") == [.replaced, .delivered])
        }
    }

    @Test("A delivered notice stays until its successor fires, which takes its place on the screen")
    func replaceInPlace() async throws {
        try await World.run { world in
            try await world.center.add(NoticeRequest(id: "build", title: "Running"))
            try await world.center.add(NoticeRequest(id: "other", title: "Other"))
            try await world.center.add(NoticeRequest(id: "build", title: "Done", trigger: .after(.seconds(60))))
            await world.center.quiet()
            #expect(world.recorder.shown.map(\.delivery.content.title) == ["Running", "Other"])
            try await world.clock.advance(by: .seconds(60))
            #expect(world.recorder.shown.map(\.delivery.content.title) == ["Done", "Other"])
            #expect(world.recorder.delivery(of: "build")?.replaces?.handle == "1")
            #expect(world.recorder.withdrawn == [])
            let standing = try await world.center.delivered()
            #expect(standing.map(\.content.title).sorted() == ["Done", "Other"])
        }
    }

    @Test("Where the server can't replace, the old notice is withdrawn and the receipt says so")
    func replaceByWithdrawing() async throws {
        let recorder = RecorderBackend(offering: .everything.without(.replacing))
        try await World.run(recorder: recorder) { world in
            try await world.center.add(NoticeRequest(id: "build", title: "Running"))
            try await world.clock.settle()
            try await world.center.add(NoticeRequest(id: "build", title: "Done"))
            try await world.clock.settle()
            #expect(world.recorder.shown.map(\.delivery.content.title) == ["Done"])
            #expect(world.recorder.withdrawn.map(\.delivery.content.title) == ["Running"])
            #expect(world.recorder.shown[0].receipt.lost.map(\.feature) == [.replacing])
            #expect(try await world.standingIDs() == ["build"])
        }
    }

    @Test("Two immediate requests of one identifier end with the second on the screen") func immediateTwice()
        async throws
    {
        try await World.run { world in
            try await world.center.add([
                NoticeRequest(id: "a", title: "1"), NoticeRequest(id: "a", title: "2"),
                NoticeRequest(id: "a", title: "3"),
            ])
            try await world.clock.settle()
            #expect(world.recorder.shown.map(\.delivery.content.title) == ["3"])
            #expect(try await world.history(of: "a") == [.missed, .delivered, .delivered])
        }
    }

    @Test("A trigger that can never fire is refused with an error that says why") func neverFires() async throws {
        try await World.run { world in
            let cases: [(any NoticeTrigger, String)] = [
                (DateTrigger(date: World.start), "2026-01-01T00:00:00Z is not after now"),
                (DateTrigger(date: World.start.addingTimeInterval(-86_400)), "2025-12-31T00:00:00Z"),
                (CalendarTrigger(matching: DateFields(year: 2025, month: 5), repeats: false), "2025-05-01T00:00:00Z"),
                (CalendarTrigger(matching: DateFields(year: 2025), repeats: true), "2025-01-01T00:00:00Z"),
                (
                    CalendarTrigger(
                        matching: DateFields(month: 4, day: 31),
                        repeats: true,
                        options: .init(policies: DatePolicies(missingDate: .skip))
                    ), "day"
                ),
            ]
            for (trigger, reason) in cases {
                let error = await expectError(.neverFires) { try await world.center.add(.sample("x", trigger)) }
                #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
            }
            let (pending, history) = (try await world.pendingIDs(), try await world.history())
            #expect(pending == [])
            #expect(history == [])
        }
    }

    @Test("A rule that has ended is refused with its end; one that ends before its next date, too") func ended()
        async throws
    {
        try await World.run { world in
            let (past, soon) = (World.start.addingTimeInterval(-86_400), World.start.addingTimeInterval(60))
            let daily = DateFields(hour: 9, minute: 25)
            let cases: [(any NoticeTrigger, String)] = [
                (try RecurrenceTrigger(.onCalendar("Mon..Fri 09:25"), until: past), "it ended on 2025-12-31T00:00:00Z"),
                (try RecurrenceTrigger(.cron("25 9 * * *"), until: past), "it ended on 2025-12-31T00:00:00Z"),
                (
                    CalendarTrigger(matching: daily, repeats: true, options: .init(until: past)),
                    "it ended on 2025-12-31T00:00:00Z"
                ),
                (
                    CalendarTrigger(matching: daily, repeats: true, options: .init(until: soon)),
                    "it ends on 2026-01-01T00:01:00Z"
                ),
            ]
            for (trigger, reason) in cases {
                let error = await expectError(.neverFires) { try await world.center.add(.sample("x", trigger)) }
                #expect(error?.message.contains("matches: \(reason)") == true, "\(error?.message ?? "")")
            }
        }
    }

    @Test("Requests that are added together stand or fall together, and the error says which one is wrong")
    func allOrNothing() async throws {
        try await World.run { world in
            let past = await expectError(.neverFires) {
                try await world.center.add([
                    .sample("a", .after(.seconds(60))), .sample("b"), .sample("c", DateTrigger(date: World.start)),
                ])
            }
            #expect(past?.requestID == "c")
            let short = await expectError(.intervalTooShort) {
                try await world.center.add([.sample("a", .after(.seconds(60))), .sample("d", .every(.seconds(3)))])
            }
            #expect(short?.requestID == "d")
            try await world.clock.advance(by: .seconds(3_600))
            #expect(world.deliveredIDs() == [])
            #expect(try await world.history() == [])
        }
    }

    @Test("Without allOrNothing the rest is added, and the report says what was refused and why") func addTheRest()
        async throws
    {
        var options = CenterOptions()
        options.pendingLimit = CenterOptions.PendingLimit(count: 3, overflow: .refuse)
        try await World.run(options: options) { world in
            // Apple's loop from now on: the first of ten dates is not after now.
            let dates = (0..<3).map { World.start.addingTimeInterval(Double($0) * 60) }
            let requests = dates.enumerated().map { NoticeRequest.sample("\($0)", DateTrigger(date: $1)) }
            let report = try await world.center.add(
                requests + [.sample("short", .every(.seconds(3))), .sample("3", .after(.seconds(180)))],
                allOrNothing: false
            )
            #expect(report.added == ["1", "2", "3"])
            #expect(report.refused.map(\.requestID) == ["short", "0"])
            #expect(report.refused.map(\.code) == [.intervalTooShort, .neverFires])
            #expect(try await world.pendingIDs() == ["1", "2", "3"])
            // What replaces a pending request has its room; what has none leaves the pending one alone.
            let second = try await world.center.add(
                [.sample("2", .after(.seconds(90))), .sample("more", .after(.seconds(90)))],
                allOrNothing: false
            )
            #expect(second.added == ["2"] && second.refused.map(\.code) == [.pendingLimitReached])
            try await world.clock.advance(by: .seconds(180))
            #expect(world.deliveredIDs() == ["1", "2", "3"])
        }
    }

    @Test("A removed request delivers nothing; what is on the screen can still be answered") func remove()
        async throws
    {
        try await World.run { world in
            try await world.center.add(.sample("beat", .every(.seconds(60))))
            try await world.clock.advance(by: .seconds(60))
            try await world.center.remove("beat")
            try await world.center.remove(["beat", "unknown"])
            try await world.clock.advance(by: .seconds(3_600))
            #expect(world.deliveredIDs() == ["beat"])
            #expect(world.shownIDs() == ["beat"])
            var answers = await world.center.responses().makeAsyncIterator()
            try await world.person(.open, on: "beat")
            #expect(await answers.next()?.requestID == "beat")
            #expect(try await world.history(of: "beat") == [.delivered, .removed, .responded])
        }
    }

    @Test("Removing everything leaves nothing to fire") func removeAll() async throws {
        try await World.run { world in
            for number in 0..<20 { try await world.center.add(.sample("\(number)", .after(.seconds(number + 1)))) }
            try await world.center.removeAll()
            #expect(try await world.center.nextFireDate() == nil)
            try await world.clock.advance(by: .seconds(100))
            #expect(world.deliveredIDs() == [])
        }
    }

    @Test("A full center refuses, and says how many are pending") func refuse() async throws {
        let options = CenterOptions(pendingLimit: CenterOptions.PendingLimit(count: 2))
        try await World.run(options: options) { world in
            try await world.center.add([.sample("a", .after(.seconds(60))), .sample("b", .every(.seconds(60)))])
            let error = await expectError(.pendingLimitReached) {
                try await world.center.add(.sample("c", .after(.seconds(1))))
            }
            #expect(error?.message.contains("2 requests are pending and the limit is 2") == true)
            // One that takes the place of another fits, and so does one that is shown at once.
            try await world.center.add(.sample("a", .after(.seconds(30))))
            try await world.center.add(.sample("now"))
            await world.center.quiet()
            #expect(try await world.pendingIDs() == ["a", "b"])
        }
    }

    @Test("Of too many the soonest are kept; what is dropped is reported and stands in the ledger")
    func keepSoonest() async throws {
        let options = CenterOptions(pendingLimit: CenterOptions.PendingLimit(count: 2, overflow: .keepSoonest))
        try await World.run(options: options) { world in
            try await world.center.add([.sample("late", .after(.seconds(90))), .sample("soon", .after(.seconds(10)))])
            let report = try await world.center.add(.sample("middle", .after(.seconds(50))))
            #expect(report.dropped == ["late"])
            #expect(report.added == ["middle"])
            let own = try await world.center.add(.sample("latest", .after(.seconds(99))))
            #expect(own.dropped == ["latest"])
            #expect(own.added == [])
            #expect(try await world.pendingIDs() == ["soon", "middle"])
            #expect(try await world.history() == [.dropped, .dropped])
        }
    }

    @Test("Of too many the most important are kept, of equal ones the earliest added") func keepPriority()
        async throws
    {
        let options = CenterOptions(pendingLimit: CenterOptions.PendingLimit(count: 2, overflow: .keepHighestPriority))
        @Sendable func request(_ id: String, _ level: InterruptionLevel, _ relevance: Double) -> NoticeRequest {
            var request = NoticeRequest.sample(id, .after(.seconds(60)))
            request.content.level = level
            request.content.relevance = relevance
            return request
        }
        try await World.run(options: options) { world in
            try await world.center.add([request("a", .active, 0.5), request("b", .active, 0.5)])
            #expect(try await world.center.add(request("c", .active, 0.5)).dropped == ["c"])
            #expect(try await world.center.add(request("d", .active, 0.6)).dropped == ["b"])
            #expect(try await world.center.add(request("e", .passive, 1)).dropped == ["e"])
            #expect(try await world.center.add(request("f", .critical, 0)).dropped == ["a"])
            #expect(Set(try await world.pendingIDs()) == ["d", "f"])
        }
    }

    @Test("Every request ends in the ledger, with how late it was, by whom, and why") func outcomes() async throws {
        try await World.run { world in
            try await world.center.add(.sample("on time", .after(.seconds(10))))
            try await world.center.add(.sample("late", .after(.seconds(70))))
            var skipped = NoticeRequest.sample("skipped", .after(.seconds(70)))
            skipped.misfire = .skip
            try await world.center.add(skipped)
            try await world.clock.advance(by: .seconds(10))
            try await world.clock.suspend(for: .seconds(90))
            world.recorder.failNext(with: NoticeError(.rejected, "It is too long."))
            try await world.center.add(.sample("failed"))
            try await world.clock.settle()
            try await world.person(.close(rawReason: 7), on: "late")
            let lines = try await world.center.history()
            func line(_ id: String) -> [HistoryEntry] { lines.filter { $0.requestID == id } }
            #expect(line("on time").map(\.outcome) == [.delivered])
            #expect(line("on time").map(\.late) == [.zero])
            #expect(line("on time").map(\.backend) == ["recorder"])
            #expect(line("late").map(\.outcome) == [.delivered, .closed])
            #expect(line("late")[0].late == .seconds(30))
            #expect(line("late")[1].detail == "unknown (7)")
            #expect(line("skipped").map(\.outcome) == [.missed])
            #expect(line("failed").map(\.outcome) == [.failed])
            #expect(line("failed")[0].detail == "It is too long.")
        }
    }

    @Test("Texts are chosen when the notice is shown, by the request's own list of languages") func translated()
        async throws
    {
        var content = NoticeContent(title: "Hello", body: "World")
        content.actions = [NoticeAction("ok", title: "OK")]
        content.translations = [
            "de": .init(title: "Hallo", actions: ["ok": "Gut"]), "pt-BR": .init(title: "Oi", body: "Mundo"),
        ]
        let stored = content
        try await World.run { world in
            for (number, languages) in [["de_AT"], ["fr", "pt_BR"], ["pt"], [], ["DE-de", "pt-BR"]].enumerated() {
                try await world.center.add(
                    NoticeRequest(id: "\(number)", content: stored, trigger: .now, languages: languages)
                )
            }
            try await world.clock.settle()
            #expect(world.recorder.deliveries.map(\.content.title) == ["Hallo", "Oi", "Hello", "Hello", "Hallo"])
            #expect(world.recorder.deliveries.map(\.content.body) == ["World", "Mundo", "World", "World", "World"])
            #expect(world.recorder.deliveries.map { $0.content.actions[0].title } == ["Gut", "OK", "OK", "OK", "Gut"])
        }
    }

    @Test("The language is read from LANGUAGE, LC_ALL, LC_MESSAGES and LANG, as gettext has it")
    func environment() {
        let cases: [([String: String], [String])] = [
            ([:], []), (["LANG": "de_AT.UTF-8"], ["de-AT"]), (["LANG": "C.UTF-8", "LANGUAGE": "de"], []),
            (["LANG": "en_US.UTF-8", "LC_MESSAGES": "sv_SE"], ["sv-SE"]),
            (["LANG": "en_US", "LC_MESSAGES": "sv", "LC_ALL": "fi_FI@euro"], ["fi-FI"]),
            (["LANG": "en_US", "LC_ALL": ""], ["en-US"]), (["LC_ALL": "POSIX", "LANG": "de"], []),
            (["LANG": "en_US", "LANGUAGE": "pt_BR:pt:en"], ["pt-BR", "pt", "en"]),
            (["LANG": "en_US", "LANGUAGE": ""], ["en-US"]), (["LANG": "en_US", "LANGUAGE": "::"], ["en-US"]),
        ]
        for (environment, languages) in cases {
            #expect(LanguagePreference.current(environment: environment) == languages, "\(environment)")
        }
    }
}
