import Belfry
import BelfryRecorder
import BelfrySQLite
import BelfryTestSupport
import BelfryTesting
import Foundation
import Testing

@testable import BelfrySchedules

@Suite("Synchronizing a schedule with a center", .takesTurns)
struct SynchronizingTests {
    /// A center on a manual clock, whose life may end and begin again on the same store.
    private struct Stage: Sendable {
        let clock = ManualTriggerClock(date: Reading.date("2026-03-24 12:00"), zone: Reading.berlin)
        let recorder = RecorderBackend()
        let store: any RequestStore

        init(store: any RequestStore = MemoryRequestStore()) { self.store = store }

        func run(_ body: @escaping @Sendable (Stage, NoticeCenter) async throws -> Void) async throws {
            let app = AppIdentity(id: "org.example.Test")
            let center = NoticeCenter(app: app, backend: recorder, store: NoticeStore(store), clock: .manual(clock))
            try await center.run { center in
                await center.quiet()
                try await body(self, center)
                await center.quiet()
            }
        }

        func bring(_ text: String, to center: NoticeCenter, owner: String = "o", isTrial: Bool = false) async throws
            -> NoticeCenter.SynchronizationReport
        {
            let schedule = try Reading.schedule(text)
            return try await center.synchronize(
                with: schedule,
                owner: owner,
                isTrial: isTrial,
                at: clock.now().date,
                in: Reading.berlin
            )
        }

        func advance(hours: Int) async throws { try await clock.advance(by: .seconds(hours * 3600)) }
    }

    private static func file(_ notices: String...) -> String {
        #"{"version":1,"notices":[\#(notices.joined(separator: ","))]}"#
    }

    private static func notice(_ id: String, _ trigger: String, title: String = "T") -> String {
        #"{"id":"\#(id)","title":"\#(title)","trigger":{\#(trigger)}}"#
    }

    @Test("It begins by the center's clock, in that clock's zone") func clockOfTheCenter() async throws {
        // Long past by the system's clock, and 18:00 in Berlin only by the manual one's zone.
        let schedule = try Reading.schedule(Self.file(Self.notice("a", #""at":"2020-03-24 18:00""#)))
        let clock = ManualTriggerClock(date: Reading.date("2020-03-24 12:00"), zone: Reading.berlin)
        let center = NoticeCenter(
            app: AppIdentity(id: "org.example.Test"),
            backend: RecorderBackend(),
            clock: .manual(clock)
        )
        let report = try await center.synchronize(with: schedule, owner: "o")
        #expect(report.added == ["a"])
        #expect(try await center.nextFireDate() == Reading.date("2020-03-24 18:00"))
    }

    @Test("It adds, updates and removes, leaves what has not changed, and tells all of it")
    func changes() async throws {
        try await Stage().run { stage, center in
            let first = try await stage.bring(
                Self.file(
                    Self.notice("a", #""every":"1h""#),
                    Self.notice("b", #""in":"2h""#),
                    Self.notice("c", #""in":"3h""#)
                ),
                to: center
            )
            #expect(first.added == ["a", "b", "c"] && first.updated.isEmpty && first.removed.isEmpty)
            let second = try await stage.bring(
                Self.file(
                    Self.notice("a", #""every" : "1h""#),
                    Self.notice("b", #""in":"2h""#, title: "New"),
                    Self.notice("d", #""at":"2026-03-24 18:00""#),
                    Self.notice("e", #""at":"2026-01-01 18:00""#)
                ),
                to: center
            )
            #expect(second.added == ["d"] && second.updated == ["b"] && second.unchanged == ["a"])
            #expect(second.removed == ["c"])
            #expect(second.skipped.map(\.entry) == ["e"], "a one-shot that is past is reported, and no error")
            let pending = try await center.pending()
            #expect(Set(pending.map(\.id)) == ["a", "b", "d"])
            #expect(pending.first { $0.id == "b" }?.request.content.title == "New")
            let ledger = try await center.history(HistoryQuery(requestID: "c"))
            #expect(ledger.map(\.outcome) == [.removed] && ledger[0].detail == "no longer in 'o'")
        }
    }

    @Test("What counts from its beginning keeps its beginning while its entry is unchanged")
    func anchors() async throws {
        try await Stage().run { stage, center in
            let text = Self.file(Self.notice("a", #""every":"1h""#), Self.notice("b", #""in":"2h""#))
            try await stage.bring(text, to: center).expect(added: ["a", "b"])
            let next = try await center.nextFireDate(of: "a")
            try await stage.clock.advance(by: .seconds(1800))
            try await stage.bring(text, to: center).expect(unchanged: ["a", "b"])
            #expect(try await center.nextFireDate(of: "a") == next)
            // Once b was shown it is over, and stays so.
            try await stage.advance(hours: 3)
            #expect(stage.recorder.deliveries.filter { $0.requestID == "b" }.count == 1)
            try await stage.bring(text, to: center).expect(unchanged: ["a", "b"])
            #expect(try await center.pending().map(\.id) == ["a"])
        }
    }

    @Test("\"Next Tuesday, 4 times\" ends, however often the file is read again")
    func ending() async throws {
        try await Stage().run { stage, center in
            let text = "[{time:'19:30', day:'Tuesday', repeat:7, occurrence:4, title:'Choir', msg:'x'}]"
            for _ in 0..<60 {
                _ = try await stage.bring(text, to: center)
                try await stage.advance(hours: 24)
            }
            let dates = stage.recorder.deliveries.map { Reading.text($0.dueDate) }
            #expect(dates == ["2026-03-24 19:30", "2026-03-31 19:30", "2026-04-07 19:30", "2026-04-14 19:30"])
        }
    }

    @Test("All of that is so over a restart, on disk")
    func restart() async throws {
        let folder = NSTemporaryDirectory() + "belfry-schedules-\(UUID().uuidString.prefix(8))"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let text = Self.file(Self.notice("a", #""every":"1h","times":3"#), Self.notice("b", #""in":"1h""#))
        let clock = ManualTriggerClock(date: Reading.date("2026-03-24 12:00"), zone: Reading.berlin)
        var shown: [String] = []
        for life in 0..<4 {
            let store = try await SQLiteRequestStore.open(in: folder)
            let recorder = RecorderBackend()
            let center = NoticeCenter(
                app: AppIdentity(id: "org.example.Test"),
                backend: recorder,
                store: NoticeStore(store),
                clock: .manual(clock)
            )
            try await center.run { center in
                await center.quiet()
                let report = try await center.synchronize(
                    with: try Reading.schedule(text),
                    owner: "file",
                    at: clock.now().date,
                    in: Reading.berlin
                )
                if life == 0 { report.expect(added: ["a", "b"]) } else { report.expect(unchanged: ["a", "b"]) }
                try await clock.advance(by: .seconds(5400))
                await center.quiet()
            }
            shown += recorder.deliveries.map { "\($0.requestID) \(Reading.text($0.dueDate))" }
            try await store.close()
        }
        #expect(
            shown.sorted() == ["a 2026-03-24 13:00", "a 2026-03-24 14:00", "a 2026-03-24 15:00", "b 2026-03-24 13:00"]
        )
    }

    @Test("Another owner's requests, and an app's own, are left alone and not taken over")
    func owners() async throws {
        try await Stage().run { stage, center in
            try await center.add(NoticeRequest(id: "own", title: "Own", trigger: .after(.seconds(9_000))))
            try await stage.bring(Self.file(Self.notice("a", #""in":"1h""#)), to: center, owner: "one").expect(added: [
                "a"
            ])
            try await stage.bring(Self.file(Self.notice("b", #""in":"1h""#)), to: center, owner: "two").expect(added: [
                "b"
            ])
            for taken in ["a", "own"] {
                let text = Self.file(Self.notice("c", #""in":"1h""#), Self.notice(taken, #""in":"5h""#))
                let error = await #expect(throws: NoticeError.self) {
                    try await stage.bring(text, to: center, owner: "two")
                }
                #expect(error?.code == .identifierTaken && error?.message.contains("'\(taken)'") == true)
            }
            #expect(
                Set(try await center.pending().map(\.id)) == ["own", "a", "b"],
                "nothing of a refused change stays"
            )
            try await stage.bring(Self.file(), to: center, owner: "two").expect(removed: ["b"])
            #expect(Set(try await center.pending().map(\.id)) == ["own", "a"])
        }
    }

    @Test("What is removed by hand is added anew")
    func removedByHand() async throws {
        try await Stage().run { stage, center in
            let text = Self.file(Self.notice("a", #""in":"1h""#), Self.notice("b", #""in":"1h""#))
            try await stage.bring(text, to: center).expect(added: ["a", "b"])
            try await center.remove("a")
            try await stage.bring(text, to: center).expect(added: ["a"], unchanged: ["b"])
            try await center.removeAll()
            try await stage.bring(text, to: center).expect(added: ["a", "b"])
        }
    }

    @Test("A trial changes nothing and tells what would")
    func trial() async throws {
        try await Stage().run { stage, center in
            try await stage.bring(Self.file(Self.notice("a", #""in":"1h""#)), to: center).expect(added: ["a"])
            let text = Self.file(Self.notice("b", #""in":"1h""#))
            for _ in 0..<2 {
                try await stage.bring(text, to: center, isTrial: true).expect(added: ["b"], removed: ["a"])
            }
            #expect(try await center.pending().map(\.id) == ["a"])
            #expect(try await center.history().isEmpty)
        }
    }

    @Test("An answered series does not begin again; a changed one does")
    func series() async throws {
        try await Stage().run { stage, center in
            func text(_ count: Int) -> String {
                #"{"version":1,"notices":[{"id":"m","title":"M","series":{"spacing":"5m","count":\#(count)}}]}"#
            }
            try await stage.bring(text(5), to: center).expect(added: ["m"])
            await center.quiet()
            #expect(stage.recorder.deliveries.count == 1, "the first one is due at once")
            #expect(try await center.pending().count == 4)
            try stage.recorder.simulate(.open, on: stage.recorder.deliveries[0].requestID)
            await stage.recorder.waitUntilReported()
            await center.quiet()
            #expect(try await center.pending().isEmpty)
            try await stage.bring(text(5), to: center).expect(unchanged: ["m"])
            #expect(try await center.pending().isEmpty)
            try await stage.advance(hours: 1)
            try await stage.bring(text(3), to: center).expect(updated: ["m"])
            await center.quiet()
            #expect(try await center.pending().count == 2)
        }
    }

    @Test("A changed entry that has no date to come takes its request away and is reported")
    func becomesPast() async throws {
        try await Stage().run { stage, center in
            try await stage.bring(Self.file(Self.notice("a", #""in":"1h""#)), to: center).expect(added: ["a"])
            let report = try await stage.bring(Self.file(Self.notice("a", #""at":"2026-01-01""#)), to: center)
            #expect(report.removed == ["a"] && report.skipped.map(\.entry) == ["a"])
            #expect(try await center.pending().isEmpty)
        }
    }

    /// A calendar of these lines.
    private static func calendar(_ lines: [String]) -> String {
        (["BEGIN:VCALENDAR"] + lines + ["END:VCALENDAR"]).joined(separator: "\n")
    }

    private static func event(_ lines: String...) -> [String] {
        let alarm = ["BEGIN:VALARM", "TRIGGER:PT0S", "END:VALARM"]
        return ["BEGIN:VEVENT", "SUMMARY:Choir"] + lines + alarm + ["END:VEVENT"]
    }

    @Test("An event that has lost all of its occurrences takes its request away, and the calendar is used")
    func emptiedEvent() async throws {
        try await Stage().run { stage, center in
            let (start, rule) = ("DTSTART:20260401T090000", "RRULE:FREQ=DAILY;COUNT=2")
            let other = Self.event("UID:v", "DTSTART:20260401T100000")
            let first = Self.calendar(Self.event("UID:u", start, rule) + other)
            try await stage.bring(first, to: center).expect(added: ["u/1", "v/1"])
            let emptied = Self.event("UID:u", start, rule, "EXDATE:20260401T090000,20260402T090000")
            let new = Self.event("UID:w", "DTSTART:20260403T090000")
            let report = try await stage.bring(Self.calendar(emptied + other + new), to: center)
            #expect(report.added == ["w/1"] && report.unchanged == ["v/1"] && report.removed == ["u/1"])
            #expect(report.skipped.map(\.entry) == ["u/1"])
            #expect(report.skipped.map(\.message) == ["It has no occurrence left."])
            #expect(Set(try await center.pending().map(\.id)) == ["v/1", "w/1"])
        }
    }

    @Test("An event in a zone that the calendar defines anew has changed")
    func redefinedZone() async throws {
        @Sendable func text(_ offset: String) -> String {
            let zone = [
                "BEGIN:VTIMEZONE", "TZID:Office", "BEGIN:STANDARD", "DTSTART:16010101T000000",
                "TZOFFSETFROM:\(offset)", "TZOFFSETTO:\(offset)", "END:STANDARD", "END:VTIMEZONE",
            ]
            let event = Self.event(
                "UID:u",
                "DTSTART;TZID=Office:20260401T120000",
                "BEGIN:VALARM",
                "TRIGGER;VALUE=DATE-TIME;TZID=Office:20260401T110000",
                "END:VALARM"
            )
            // Its end alone is in that zone.
            let flight = Self.event(
                "UID:v",
                "DTSTART:20260401T120000Z",
                "DTEND;TZID=Office:20260401T200000",
                "BEGIN:VALARM",
                "TRIGGER;RELATED=END:PT0S",
                "END:VALARM"
            )
            return Self.calendar(zone + event + flight)
        }
        let entries = ["u/1", "u/2", "v/1", "v/2"]
        try await Stage().run { stage, center in
            try await stage.bring(text("+0100"), to: center).expect(added: entries)
            try await stage.bring(text("+0100"), to: center).expect(unchanged: entries)
            try await stage.bring(text("+0300"), to: center).expect(updated: entries)
            #expect(try await center.nextFireDate(of: "u/1") == Reading.date("2026-04-01 10:00"))
            #expect(try await center.nextFireDate(of: "u/2") == Reading.date("2026-04-01 11:00"))
            #expect(try await center.nextFireDate(of: "v/1") == Reading.date("2026-04-01 19:00"))
        }
    }

    @Test("Later occurrences that have an event of their own change with the rule's start")
    func movedRule() async throws {
        @Sendable func text(_ start: String) -> String {
            let onward = "RECURRENCE-ID;RANGE=THISANDFUTURE:20260420T090000"
            return Self.calendar(
                Self.event("UID:u", "DTSTART:\(start)", "RRULE:FREQ=WEEKLY;COUNT=4")
                    + Self.event("UID:u", onward, "DTSTART:20260420T100000")
            )
        }
        let entries = ["u/1", "u/20260420T090000/1"]
        try await Stage().run { stage, center in
            try await stage.bring(text("20260406T090000"), to: center).expect(added: entries)
            try await stage.bring(text("20260413T090000"), to: center).expect(updated: entries)
            let later = try await center.pending().first { $0.id == entries[1] }?.request.trigger
            let dates = later?.previewOccurrences(5, after: stage.clock.now().date, in: Reading.berlin) ?? []
            #expect(dates.map(Reading.text) == ["2026-04-20 10:00", "2026-04-27 10:00", "2026-05-04 10:00"])
        }
    }

    @Test("A store that fails leaves everything as it was")
    func failingStore() async throws {
        let store = FailingRequestStore(MemoryRequestStore())
        try await Stage(store: store).run { stage, center in
            let old = Self.file(Self.notice("a", #""in":"1h""#))
            let new = Self.file(Self.notice("b", #""in":"1h""#))
            try await stage.bring(old, to: center).expect(added: ["a"])
            store.failNextTransactions(1)
            await #expect(throws: NoticeError.self) { try await stage.bring(new, to: center) }
            try await stage.clock.advance(by: .seconds(5))
            #expect(try await center.pending().map(\.id) == ["a"])
            try await stage.bring(old, to: center).expect(unchanged: ["a"])
            try await stage.bring(new, to: center).expect(added: ["b"], removed: ["a"])
        }
    }

    @Test("What is not displayed is given to the app when it is due, and never shown; the ledger says so")
    func notDisplayed() async throws {
        try await Stage().run { stage, center in
            let text = """
                [{id: 16, type: 2, data: {start: '2026/03/24 13:00', interval: 'day', occurrence: 2,
                  translations: {default: {title: 'sync', msg: 'catalogue'}}}}]
                """
            try await stage.bring(text, to: center).expect(added: ["16"])
            try await stage.advance(hours: 48)
            #expect(stage.recorder.deliveries.isEmpty)
            let events = await center.events()
            var contents: [NoticeContent] = []
            for await event in events {
                guard case .undisplayed(let delivery) = event else { continue }
                contents.append(delivery.content)
                if contents.count == 2 { break }
            }
            #expect(contents.map(\.title) == ["sync", "sync"] && contents[0].category == "notDisplayed")
            let ledger = try await center.history(HistoryQuery(requestID: "16"))
            #expect(ledger.map(\.outcome) == [.suppressed, .suppressed])
            #expect(ledger.first?.detail == "not displayed: given to the app")
        }
    }

    @Test("10,000 entries are synchronized at once, and again")
    func many() async throws {
        try await Stage().run { stage, center in
            let notices = (0..<10_000).map { Self.notice("n\($0)", #""every":"1h""#) }.joined(separator: ",")
            let text = #"{"version":1,"notices":[\#(notices)]}"#
            let first = try await stage.bring(text, to: center)
            let second = try await stage.bring(text, to: center)
            #expect(first.added.count == 10_000 && second.unchanged.count == 10_000)
        }
    }
}

extension NoticeCenter.SynchronizationReport {
    fileprivate func expect(
        added: [String] = [],
        updated: [String] = [],
        unchanged: [String] = [],
        removed: [String] = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(self.added == added, sourceLocation: sourceLocation)
        #expect(self.updated == updated, sourceLocation: sourceLocation)
        #expect(self.unchanged == unchanged, sourceLocation: sourceLocation)
        #expect(self.removed == removed, sourceLocation: sourceLocation)
        #expect(skipped.isEmpty, sourceLocation: sourceLocation)
    }
}
