import BelfryRecorder
import BelfryRecurrence
import BelfryTestSupport
import BelfryTesting
import Foundation
import Testing

@testable import Belfry

@Suite("Escalation: the later ones are louder, or say something else", .takesTurns)
struct EscalationTests {
    private static let steps = [
        NoticeSeries.EscalationStep(from: 3, level: .timeSensitive),
        NoticeSeries.EscalationStep(
            from: 4,
            title: "Still unread",
            sound: .standard,
            translations: ["de": .init(title: "Ungelesen")]
        ),
    ]

    private static var content: NoticeContent {
        var content = NoticeContent(title: "New message", body: "From Ada")
        content.translations = ["de": .init(title: "Neue Nachricht", body: "Von Ada"), "fr": .init(title: "Nouveau")]
        return content
    }

    @Test("Each element of a series has the content of its number") func series() async throws {
        try await World.run { world in
            try await world.center.add(
                NoticeSeries(
                    id: "mail",
                    content: Self.content,
                    first: World.start.addingTimeInterval(60),
                    spacing: .seconds(60),
                    count: 4,
                    escalation: Self.steps
                )
            )
            try await world.clock.advance(by: .seconds(600))
            let shown = world.recorder.deliveries.map(\.content)
            #expect(shown.map(\.level) == [.active, .active, .timeSensitive, .timeSensitive])
            #expect(shown.map(\.title) == ["New message", "New message", "New message", "Still unread"])
            #expect(shown.map(\.sound) == [nil, nil, nil, .standard])
            #expect(shown.allSatisfy { $0.body == "From Ada" })
        }
    }

    private static func residentBytes() throws -> Int {
        let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")[1]
        return try #require(Int(pages)) * Int(getpagesize())
    }

    @Test("The elements between two steps share one content, however large it is") func shared() throws {
        let translations = Dictionary(
            uniqueKeysWithValues: (0..<200).map { ("x-\($0)", NoticeContent.Translation(title: "New message \($0)")) }
        )
        let series = NoticeSeries(
            id: "mail",
            content: Self.content,
            spacing: .seconds(60),
            count: 20_000,
            escalation: [NoticeSeries.EscalationStep(from: 2, title: "Again", translations: translations)]
        )
        let before = try Self.residentBytes()
        let elements = try series.requests(startingAt: World.start)
        let bytes = try Self.residentBytes() - before
        #expect(elements[0].content.translations.count == 2 && elements[19_999].content.translations.count == 202)
        // A copy of the texts for each element would be 700 million.
        #expect(bytes < 100_000_000)
    }

    @Test("A request that repeats has it by the number of its firing, also after a restart") func repeating()
        async throws
    {
        let (store, clock) = (MemoryRequestStore(), ManualTriggerClock(date: World.start, zone: .utc))
        try await World.run(on: clock, store: store) { world in
            try await world.center.add(
                .untilAnswered(id: "mail", content: Self.content, every: .seconds(60), escalation: Self.steps)
            )
            try await clock.advance(by: .seconds(60))
            #expect(world.recorder.deliveries.map(\.content.level) == [.active, .active])
        }
        try await World.run(on: clock, store: store) { world in
            try await clock.advance(by: .seconds(120))
            #expect(world.recorder.deliveries.map(\.content.level) == [.timeSensitive, .timeSensitive])
            #expect(world.recorder.deliveries.map(\.content.title) == ["New message", "Still unread"])
            #expect(try await world.center.delivered().map(\.content.title) == ["Still unread"])
            #expect(try await world.center.pending().map(\.fired) == [4])
        }
    }

    @Test("What a step changes is never shown in the words that the content had for it", arguments: ["de", "fr"])
    func translated(language: String) async throws {
        try await World.run { world in
            var request = NoticeRequest.untilAnswered(
                id: "mail",
                content: Self.content,
                every: .seconds(60),
                count: 4,
                escalation: Self.steps
            )
            request.languages = [language]
            try await world.center.add(request)
            try await world.clock.advance(by: .seconds(600))
            let titles = world.recorder.deliveries.map(\.content.title)
            #expect(titles.first == (language == "de" ? "Neue Nachricht" : "Nouveau"))
            #expect(titles.last == (language == "de" ? "Ungelesen" : "Still unread"))
            let body = world.recorder.deliveries.last?.content.body
            #expect(body == (language == "de" ? "Von Ada" : "From Ada"))
        }
    }

    @Test("A step that makes no sense is refused") func refused() async throws {
        try await World.run { world in
            for steps in [
                [NoticeSeries.EscalationStep(from: 0, level: .critical)],
                [NoticeSeries.EscalationStep(from: 2, title: " ", body: "")],
                (1...101).map { NoticeSeries.EscalationStep(from: $0, level: .critical) },
            ] {
                let content = NoticeContent(title: "T")
                let request = NoticeRequest.untilAnswered(
                    id: "x",
                    content: content,
                    every: .seconds(60),
                    escalation: steps
                )
                await #expect(throws: NoticeError.self) { try await world.center.add(request) }
                let series = NoticeSeries(
                    id: "s",
                    content: content,
                    spacing: .seconds(60),
                    count: 3,
                    escalation: steps
                )
                await #expect(throws: NoticeError.self) { try await world.center.add(series) }
            }
            let pending = try await world.pendingIDs()
            #expect(pending == [])
        }
    }

    @Test("Requests and series that an earlier version wrote have none") func earlier() throws {
        let coded = try JSONEncoder().encode(
            NoticeSeries(id: "s", content: NoticeContent(title: "T"), spacing: .seconds(60), count: 2)
        )
        #expect(!String(decoding: coded, as: UTF8.self).contains("escalation"), "an earlier agent reads it")
        let back = try JSONDecoder().decode(NoticeSeries.self, from: coded)
        #expect(back.escalation == [] && back.count == 2)
        let request = try JSONDecoder().decode(
            NoticeRequest.self,
            from: Data(#"{"id":"x","content":{"title":"T"}}"#.utf8)
        )
        #expect(request.escalation == [] && request.seriesPosition == nil)
    }
}

@Suite("Which requests are kept where there is no room for all", .takesTurns)
struct PriorityLimitTests {
    private static func request(_ id: String, _ level: InterruptionLevel, _ relevance: Double = 0) -> NoticeRequest {
        var request = NoticeRequest.sample(id, .every(.seconds(3_600)))
        (request.content.level, request.content.relevance) = (level, relevance)
        return request
    }

    private static func options(_ count: Int) -> CenterOptions {
        CenterOptions(pendingLimit: CenterOptions.PendingLimit(count: count, overflow: .keepHighestPriority))
    }

    @Test("The lowest level goes, then the least relevant, then the latest; a repeating request counts once")
    func order() async throws {
        try await World.run(options: Self.options(3)) { world in
            try await world.center.add([
                Self.request("low", .passive), Self.request("high", .critical), Self.request("dull", .active, 0.1),
            ])
            let first = try await world.center.add(Self.request("new", .active, 0.5))
            #expect(first.added == ["new"] && first.dropped == ["low"])
            #expect(try await world.history(of: "low") == [.dropped])
            let second = try await world.center.add(Self.request("none", .active))
            #expect(second.added == [] && second.dropped == ["none"], "itself the least")
            let third = try await world.center.add(Self.request("twin", .active, 0.5))
            #expect(third.dropped == ["dull"])
            let fourth = try await world.center.add(Self.request("late", .active, 0.5))
            #expect(fourth.dropped == ["late"], "of equals the latest goes")
            try await world.clock.advance(by: .seconds(3_600 * 5))
            #expect(try await Set(world.pendingIDs()) == ["high", "new", "twin"])
        }
    }

    @Test("What escalates counts as loud as it will be next") func escalated() async throws {
        try await World.run(options: Self.options(2)) { world in
            var climbing = Self.request("climbing", .passive)
            climbing.escalation = [NoticeSeries.EscalationStep(from: 2, level: .critical)]
            try await world.center.add([climbing, Self.request("steady", .active)])
            try await world.clock.advance(by: .seconds(3_600))
            let report = try await world.center.add(Self.request("new", .timeSensitive))
            #expect(report.dropped == ["steady"])
        }
    }

    @Test("After a restart the rule goes on, with a series too: its elements are dropped where they are the least")
    func restart() async throws {
        let (store, clock) = (MemoryRequestStore(), ManualTriggerClock(date: World.start, zone: .utc))
        try await World.run(on: clock, store: store, options: Self.options(4)) { world in
            try await world.center.add([Self.request("a", .active), Self.request("b", .timeSensitive)])
            let report = try await world.center.add(
                NoticeSeries(
                    id: "s",
                    content: NoticeContent(title: "S", level: .passive),
                    first: World.start.addingTimeInterval(60),
                    spacing: .seconds(9),
                    count: 5
                )
            )
            #expect(report.added.count == 2 && report.dropped.count == 3)
            #expect(try await world.center.pendingSeries().map { [$0.left, $0.kept, $0.total] } == [[2, 2, 5]])
        }
        try await World.run(on: clock, store: store, options: Self.options(3)) { world in
            let report = try await world.center.add(Self.request("c", .critical))
            #expect(report.added == ["c"])
            #expect(try await Set(world.pendingIDs()).isSuperset(of: ["b", "c"]))
            #expect(try await world.pendingIDs().count == 3)
            for id in report.dropped { #expect(try await world.history(of: id).last == .dropped) }
        }
    }
}

@Suite("Series as a whole", .takesTurns)
struct PendingSeriesTests {
    private func mail(_ count: Int = 4) -> NoticeSeries {
        NoticeSeries(
            id: "mail",
            content: NoticeContent(title: "New message"),
            first: World.start.addingTimeInterval(60),
            spacing: .seconds(300),
            count: count,
            escalation: [NoticeSeries.EscalationStep(from: 3, title: "Still unread")]
        )
    }

    @Test("How many are left, when the next and the last come, how many were kept; also after a restart") func tells()
        async throws
    {
        let (store, clock) = (MemoryRequestStore(), ManualTriggerClock(date: World.start, zone: .utc))
        let options = CenterOptions(pendingLimit: CenterOptions.PendingLimit(count: 4))
        try await World.run(on: clock, store: store, options: options) { world in
            try await world.center.add(.sample("other", .after(.seconds(9_000))))
            try await world.center.add(mail())
            try await clock.advance(by: .seconds(360))
        }
        try await World.run(on: clock, store: store, options: options) { world in
            let all = try await world.center.pendingSeries()
            let date = { World.start.addingTimeInterval($0) }
            #expect(
                all == [
                    NoticeSeries.Pending(
                        id: "mail",
                        title: "Still unread",
                        left: 1,
                        next: date(660),
                        first: date(60),
                        last: date(660),
                        kept: 3,
                        total: 4
                    )
                ]
            )
            try await clock.advance(by: .seconds(300))
            #expect(try await world.center.pendingSeries() == [])
        }
    }

    @Test("A removal takes out what is pending of a series, and a request of the same name, and leaves the screen")
    func removes() async throws {
        try await World.run { world in
            try await world.center.add(mail())
            try await world.center.add(.sample("mail", .after(.seconds(9_000))))
            try await world.clock.advance(by: .seconds(60))
            try await world.center.remove("mail")
            #expect(try await world.pendingIDs() == [])
            #expect(world.shownIDs().count == 1)
            try await world.center.remove("mail")
            try await world.center.remove("nobody")
            try await world.clock.advance(by: .seconds(8_000))
            #expect(world.deliveredIDs().count == 1)
        }
    }
}
