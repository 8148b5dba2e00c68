import BelfryRecorder
import BelfryRecurrence
import BelfryTestSupport
import BelfryTesting
import Foundation
import SeededRandom
import Testing

@testable import Belfry

@Suite("Every public value survives storage", .takesTurns)
struct CodingTests {
    private func roundTrip<Value: Codable & Equatable>(
        _ value: Value,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let data = try JSONEncoder().encode([value])
        let back = try JSONDecoder().decode([Value].self, from: data)
        #expect(back == [value], sourceLocation: sourceLocation)
    }

    /// With a value in every field.
    static let content: NoticeContent = {
        var content = NoticeContent(
            title: "T\u{0}\n👩‍👩‍👧",
            subtitle: "S",
            body: "<b>B</b>",
            icon: .named("alarm"),
            image: .pixels(NoticeImage.Pixels(width: 1, height: 1, hasAlpha: true, bytes: [0, 1, 2, 255])),
            sound: .named("bell"),
            level: .timeSensitive,
            actions: [
                NoticeAction("a", title: "A"), NoticeAction("b", title: "B", kind: .reply(placeholder: "…"), icon: "i"),
            ],
            progress: 0.1,
            userInfo: [
                "null": .null, "bool": true, "int": .int(.max), "double": 0.25, "string": "1",
                "array": [1, "2", [.null, false]],
                "object": ["k": ["k": 1.5]],
            ]
        ).with {
            $0.bodyFormat = .markup
            $0.translations = ["de": .init(title: "T", subtitle: nil, body: "K", actions: ["a": "A"])]
            $0.relevance = 0.3
            $0.category = "c"
            $0.thread = "t"
            $0.badge = 3
            $0.desktop.expiry = .after(.milliseconds(1_500))
            $0.desktop.isTransient = true
            $0.desktop.isResident = true
            $0.desktop.category = "im.received"
            $0.desktop.hints = [
                "a": .bool(true), "b": .byte(255), "c": .int(-1), "d": .int64(.min), "e": .uint(.max),
                "f": .double(0.1),
                "g": .string("s"),
            ]
        }
        content.attachments = [NoticeAttachment(id: "a", path: "/etc/hostname", mediaType: "text/plain")]
        content.reportsDismissal = true
        content.desktop.appName = "Mail"
        return content
    }()

    static let triggers: [(any NoticeTrigger)?] = [
        nil, ImmediateTrigger(), IntervalTrigger(after: .milliseconds(1_100)), IntervalTrigger(after: .microseconds(1)),
        IntervalTrigger(after: .seconds(100 * 365 * 86_400)),
        IntervalTrigger(every: .seconds(60), startsNow: true, count: 3),
        DateTrigger(date: Date(timeIntervalSince1970: 1_767_225_600.123456)),
        CalendarTrigger(
            matching: [DateFields(month: 5, day: 10, hour: 8), DateFields(weekday: 3, hour: 19, minute: 30)],
            repeats: true,
            options: .init(
                zone: .named("Europe/Berlin"),
                policies: DatePolicies(missingDate: .lastDayOfMonth),
                count: 7
            )
        ),
        CalendarTrigger(matching: DateFields(day: -1), repeats: false),
        try? RecurrenceTrigger(.rrule("FREQ=WEEKLY;BYDAY=MO"), starting: Date(timeIntervalSince1970: 0), count: 2),
        try? RecurrenceTrigger(.cron("*/5 * * * *"), zone: .named("UTC"), until: Date(timeIntervalSince1970: 4e9)),
        try? RecurrenceTrigger(.onCalendar("Mon..Fri 09:25")),
        LocationTrigger(
            region: CircularRegion(latitude: 52.5, longitude: 13.4, radius: 100),
            edge: .both,
            dwell: .seconds(60),
            repeats: true
        ),
        TriggerRegistry.UnknownTrigger(
            storedKind: "tide",
            payload: ["height": 1.5, "harbour": "Cuxhaven", "list": [1, .null, true]]
        ),
        TriggerRegistry.UnknownTrigger(storedKind: "bare", payload: .null),
    ]

    @Test("Requests with every kind of trigger") func requests() throws {
        for trigger in Self.triggers {
            for misfire in [MisfirePolicy.deliver, .deliver(within: .seconds(60)), .skip] {
                var request = NoticeRequest(
                    id: "x",
                    content: Self.content,
                    trigger: trigger,
                    misfire: misfire,
                    series: "s",
                    endsWhenAnswered: true,
                    dismissalEnds: true,
                    languages: ["de", "en"]
                )
                try roundTrip(request)
                request.content = NoticeContent(title: "Only a title")
                (request.series, request.languages) = (nil, nil)
                try roundTrip(request)
            }
        }
    }

    @Test("An unknown kind is kept as it is, and read by whoever knows it") func unknownKind() throws {
        struct TideTrigger: WallClockTrigger {
            static let kind: TriggerKind = "tide"
            var harbour: String
            var repeats: Bool { true }
            func nextDate(after date: Date, in context: TriggerContext) -> Date? { date.addingTimeInterval(44_714) }
        }
        let known = NoticeRequest(
            id: "x",
            content: NoticeContent(title: "Tide"),
            trigger: TideTrigger(harbour: "Cuxhaven")
        )
        let data = try JSONEncoder().encode(known)
        let stranger = try JSONDecoder().decode(NoticeRequest.self, from: data)
        let unknown = try #require(stranger.trigger as? TriggerRegistry.UnknownTrigger)
        #expect(unknown.storedKind == "tide")
        #expect(unknown.payload == ["harbour": "Cuxhaven"])
        let decoder = JSONDecoder()
        var kinds = TriggerRegistry.standard
        kinds.register(TideTrigger.self)
        decoder.userInfo[.triggerRegistry] = kinds
        #expect(try decoder.decode(NoticeRequest.self, from: try JSONEncoder().encode(stranger)) == known)
    }

    @Test("A pending request of an unknown kind stays pending, and fires nothing") func unknownPending() async throws {
        let request = NoticeRequest.sample("x", TriggerRegistry.UnknownTrigger(storedKind: "tide", payload: .null))
        let store = MemoryRequestStore()
        try await store.commit([.putRequest(request, revision: 1, TriggerProgress(anchor: 0))])
        try await World.run(store: store) { world in
            try await world.clock.advance(by: .seconds(86_400))
            #expect(try await world.pendingIDs() == ["x"])
            #expect(try await world.center.nextFireDate() == nil)
            try await world.center.remove("x")
            #expect(try await store.request(revision: 1) == nil)
        }
    }

    @Test("An interval comes back to the microsecond, however it was written") func intervals() throws {
        let seed = RandomSeed.current
        var random = SeededGenerator(seed: seed)
        for _ in 0..<2_000 {
            let microseconds = Int64(random.number(1...4_000_000_000_000_000)) >> Int64(random.number(0...50))
            let interval = IntervalTrigger(after: .microseconds(max(1, microseconds)))
            let back = try JSONDecoder().decode(IntervalTrigger.self, from: try JSONEncoder().encode(interval))
            #expect(back == interval, "seed \(seed): \(microseconds)")
        }
        // The shortest there is. Zero stays invalid.
        for (attoseconds, microseconds) in [(1, 1), (100_000_000_000, 1), (0, 0)] as [(Int64, Int64)] {
            let short = Duration(secondsComponent: 0, attosecondsComponent: attoseconds)
            let data = try JSONEncoder().encode(IntervalTrigger(after: short))
            let back = try JSONDecoder().decode(IntervalTrigger.self, from: data)
            #expect(back.interval == .microseconds(microseconds), "\(short)")
        }
        // The noise of floating point is no microsecond.
        for seconds in [1.1, 0.1, 60.3, 86_400.7, 1e6 + 0.123456] {
            let exact = Int64((seconds * 1e6).rounded())
            #expect(Duration.seconds(seconds).microseconds == exact, "\(seconds)")
        }
        #expect(Duration.nanoseconds(1).microseconds == 1)
        #expect(Duration.nanoseconds(1_001).microseconds == 2)
        #expect(Duration.seconds(Int64.max).microseconds > 0 && Duration.seconds(Int64.min).microseconds < 0)
    }

    @Test("Dates come back to the microsecond for centuries") func dates() {
        let seed = RandomSeed.current
        var random = SeededGenerator(seed: seed)
        for _ in 0..<10_000 {
            // 1730 to 2272.
            let microseconds = Int64(random.number(-7_570_000_000_000_000...9_530_000_000_000_000))
            let back = Date(microsecondsSince1970: microseconds).microsecondsSince1970
            guard back == microseconds else {
                Issue.record("seed \(seed): \(microseconds) came back as \(back)")
                return
            }
        }
        #expect(Date(timeIntervalSince1970: 1e300).microsecondsSince1970 == .max / 2)
        #expect(Date(timeIntervalSince1970: -1e300).microsecondsSince1970 == .min / 2)
    }

    @Test("Everything else that is public") func others() throws {
        let receipt = DeliveryReceipt(
            backend: "b",
            handle: "7",
            server: ":1.2",
            lost: DeliveryReceipt.LostFeature.Feature.allCases.map { DeliveryReceipt.LostFeature($0, "gone") }
        )
        let app = AppIdentity(id: "org.example.Tea")
        let date = Date(timeIntervalSince1970: 1_767_225_600.5)
        try roundTrip(receipt)
        try roundTrip(app)
        try roundTrip(
            Delivery(
                id: "1",
                requestID: "x",
                app: app,
                content: Self.content,
                dueDate: date,
                late: .milliseconds(3),
                replaces: receipt,
                isPossiblyRepeated: true,
                series: "s",
                lost: receipt.lost
            )
        )
        for kind in [.opened, .action("a"), .reply(action: "r", text: "t"), .dismissed] as [NoticeResponse.Kind] {
            try roundTrip(
                NoticeResponse(
                    id: "1",
                    requestID: "x",
                    deliveryID: "d",
                    kind: kind,
                    date: date,
                    series: "s",
                    userInfo: Self.content.userInfo,
                    activationToken: "t"
                )
            )
        }
        for raw in 0...5 as ClosedRange<UInt32> { try roundTrip(NoticeResponse.CloseReason(rawValue: raw)) }
        for outcome in HistoryEntry.Outcome.allCases {
            try roundTrip(
                HistoryEntry(
                    requestID: "x",
                    date: date,
                    outcome: outcome,
                    late: .seconds(1),
                    detail: "d",
                    errorCode: .rejected,
                    backend: "b"
                )
            )
        }
        // Of a version that kept no code.
        let old = Data(#"{"requestID":"x","at":0,"outcome":"failed","detail":"d"}"#.utf8)
        #expect(try JSONDecoder().decode(HistoryEntry.self, from: old).errorCode == nil)
        try roundTrip(
            DeliveredNotice(
                id: "d",
                requestID: "x",
                content: Self.content,
                dueDate: date,
                date: date,
                late: .zero,
                receipt: receipt
            )
        )
        try roundTrip(NoticeCategory("c", actions: Self.content.actions, reportsDismissal: true))
        try roundTrip(
            NoticeSeries(
                id: "s",
                content: Self.content,
                first: date,
                spacing: .seconds(1),
                count: 3,
                dismissalEnds: true
            )
        )
        for overflow in CenterOptions.PendingLimit.Overflow.allCases {
            try roundTrip(CenterOptions.PendingLimit(count: 3, overflow: overflow))
        }
        for status in AuthorizationStatus.allCases { try roundTrip(status) }
        for level in InterruptionLevel.allCases { try roundTrip(level) }
        try roundTrip(
            DeliveryCapabilities(
                server: "s",
                features: Set(DeliveryCapabilities.Feature.allCases),
                titleLimit: 1,
                bodyLimit: 2,
                actionLimit: 3
            )
        )
        try roundTrip(NoticeCenter.AddReport(added: ["a"], dropped: ["b"], warnings: ["w"], next: date))
        try roundTrip(
            PendingNotice(
                request: NoticeRequest(id: "x", content: Self.content, trigger: .after(.seconds(1))),
                next: date,
                fired: 2
            )
        )
        try roundTrip(NoticeError(.rejected, "m", cause: "c"))
        let doubt = ClockMapping.Doubt(ahead: 1, until: 2, convertedBelow: 3)
        for doubt in [nil, doubt] {
            let instant = TriggerInstant(wall: 1, boot: 2)
            try roundTrip(ClockMapping(bootID: "b", instant: instant, zone: "UTC", doubt: doubt))
        }
        let request = NoticeRequest(id: "x", content: Self.content, misfire: .skip, series: "s")
        try roundTrip(
            DeliveryRecord(
                id: "1",
                requestID: "x",
                revision: 3,
                dueAt: TriggerInstant(wall: 1, boot: 2),
                shownAt: TriggerInstant(wall: 3, boot: 4),
                receipt: receipt,
                traits: DeliveryTraits(request)
            )
        )
        try roundTrip(HistoryQuery(requestID: "x", limit: 3))
        try roundTrip(DeliveryReceipt.Reference(handle: "1", server: "s"))
        try roundTrip(LocationFix(latitude: 1, longitude: 2, accuracy: nil, date: date))
    }

    private func storedFields(of value: some Encodable) throws -> [String: JSONValue] {
        try JSONDecoder().decode([String: JSONValue].self, from: try JSONEncoder().encode(value))
    }

    @Test("Usual values are not stored: what an earlier version has stored without them means the same")
    func usualValues() throws {
        var request = NoticeRequest(id: "x", title: "Usual")
        let usual = DeliveryTraits(request)
        #expect(usual.level == .active && usual.isDisplayed)
        #expect(
            Set(try storedFields(of: usual).keys) == [
                "dismissalEnds", "endsWhenAnswered", "isResident", "misfire", "reportsDismissal",
            ]
        )
        request.content.level = .critical
        request.content.isDisplayed = false
        let unusual = try storedFields(of: DeliveryTraits(request))
        #expect(unusual["level"] == "critical" && unusual["isDisplayed"] == false)
        try roundTrip(DeliveryTraits(request))

        var record = DeliveryRecord(
            id: "1",
            requestID: "x",
            revision: 3,
            dueAt: TriggerInstant(wall: 1, boot: 2),
            traits: usual
        )
        #expect(Set(try storedFields(of: record).keys) == ["id", "requestID", "revision", "dueAt", "traits"])
        (record.firing, record.snoozes, record.wasBegun) = (2, 1, true)
        let stored = try storedFields(of: record)
        #expect(stored["firing"] == 2 && stored["snoozes"] == 1 && stored["wasBegun"] == true)
        (record.firing, record.snoozes, record.wasBegun) = (1, 0, false)
        #expect(Set(try storedFields(of: record).keys) == ["id", "requestID", "revision", "dueAt", "traits"])

        var series = NoticeSeries(id: "s", content: request.content, spacing: .seconds(1), count: 3)
        #expect(
            Set(try storedFields(of: series).keys) == [
                "base", "content", "count", "dismissalEnds", "misfire", "spacing",
            ]
        )
        series.escalation = [NoticeSeries.EscalationStep(from: 2, level: .critical)]
        #expect(try storedFields(of: series)["escalation"]?.arrayValue?.count == 1)
        series.escalation = []
        #expect(try storedFields(of: series)["escalation"] == nil)
    }

    @Test("A copy of a delivery record is changed alone")
    func copiesOfRecords() {
        let first = DeliveryRecord(
            id: "1",
            requestID: "x",
            revision: 3,
            dueAt: TriggerInstant(wall: 1, boot: 2),
            traits: DeliveryTraits(NoticeRequest(id: "x", title: "Tea"))
        )
        var second = first
        second.id = "2"
        second.traits.level = .critical
        second.releasedAt = TriggerInstant(wall: 5, boot: 6)
        #expect(first.id == "1" && first.traits.level == .active && first.lateFrom == first.dueAt)
        #expect(second.id == "2" && second.traits.level == .critical && second.lateFrom.wall == 5)
    }

    @Test("A whole number in the app's data comes back as one") func wholeNumbers() throws {
        let value: JSONValue = ["n": .double(3), "i": .int(3), "big": .double(1e300)]
        let back = try JSONDecoder().decode(JSONValue.self, from: try JSONEncoder().encode(value))
        #expect(back == ["n": .int(3), "i": .int(3), "big": .double(1e300)])
    }
}
