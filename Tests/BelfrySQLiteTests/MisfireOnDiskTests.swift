import Belfry
import BelfryRecorder
import BelfryRecurrence
import BelfryTestSupport
import BelfryTesting
import Foundation
import Testing

@testable import BelfrySQLite

@Suite("What was missed, and wrong clocks, on a real store", .takesTurns)
struct MisfireOnDiskTests {
    private static let hour = Duration.seconds(3_600)
    private static let day = 86_400.0
    private let start = AppLife.start

    private func daily(_ hour: Int) -> CalendarTrigger {
        CalendarTrigger(matching: DateFields(hour: hour), repeats: true)
    }

    @Test("A hundred missed occurrences are one popup, and the ledger says how many and since when")
    func hundredMissed() async throws {
        let scratch = try TemporaryFolder()
        let clock = ManualTriggerClock(date: start)
        try await AppLife.run(in: scratch.path("store"), clock) { life in
            try await life.center.add(NoticeRequest(id: "daily", title: "Daily", trigger: daily(8)))
            try await life.center.add(NoticeRequest(id: "hourly", title: "Hourly", trigger: .every(Self.hour)))
        }
        // A power cut of 100 days.
        try await clock.reboot(taking: .seconds(100 * 86_400 + 9 * 3_600))
        try await AppLife.run(in: scratch.path("store"), clock) { life in
            #expect(life.delivered().sorted() == ["daily", "hourly"])
            #expect(life.late("daily") == .seconds(3_600))
            #expect(life.late("hourly") == .zero)
            let lines = try await life.lines(of: "daily")
            #expect(lines.map(\.outcome) == [.missed, .delivered])
            #expect(lines.first?.detail == "100 earlier firings since 2026-01-01T08:00:00Z")
            #expect(lines.last?.late == .seconds(3_600))
            let hourly = try await life.lines(of: "hourly")
            #expect(hourly.first?.detail?.hasPrefix("2408 earlier firings") == true, "\(hourly)")
            #expect(try await life.center.pending().map(\.id) == ["hourly", "daily"])
        }
    }

    @Test("A server that was away: told late once it is back, the latest of a repeat, and why in the ledger")
    func serverAway() async throws {
        let scratch = try TemporaryFolder()
        let clock = ManualTriggerClock(date: start)
        try await AppLife.run(in: scratch.path("store"), clock) { life in
            life.recorder.removeServer()
            try await life.center.add(NoticeRequest(id: "once", title: "Once", trigger: .after(.seconds(60))))
            try await life.center.add(NoticeRequest(id: "beat", title: "Beat", trigger: .every(.seconds(600))))
            try await life.clock.advance(by: .seconds(3_000))
            #expect(life.delivered().isEmpty)
        }
        // The process ends with both on their way; the next one finds the server.
        try await AppLife.run(in: scratch.path("store"), clock) { life in
            #expect(life.delivered().sorted() == ["beat", "once"])
            #expect(life.late("once") == .seconds(2_940))
            #expect(try await life.lines(of: "once").map(\.outcome) == [.retrying, .delivered])
            let beat = try await life.lines(of: "beat")
            #expect(beat.count { $0.outcome == .missed } == 4)
            #expect(beat.last?.outcome == .delivered)
        }
    }

    @Test("Suspended time counts for intervals; dates missed in suspend fire on resume, and say how late")
    func suspend() async throws {
        let scratch = try TemporaryFolder()
        let clock = ManualTriggerClock(date: start)
        try await AppLife.run(in: scratch.path("store"), clock) { life in
            let date = start.addingTimeInterval(1_800)
            try await life.center.add(NoticeRequest(id: "date", title: "Date", trigger: .date(date)))
            try await life.center.add(NoticeRequest(id: "span", title: "Span", trigger: .after(.seconds(3_000))))
            try await life.center.add(NoticeRequest(id: "later", title: "Later", trigger: .after(.seconds(7_200))))
            try await life.clock.suspend(for: .seconds(3_600))
            #expect(life.delivered() == ["date", "span"])
            #expect(life.late("date") == .seconds(1_800))
            #expect(life.late("span") == .seconds(600))
            try await life.clock.advance(by: .seconds(3_600))
            #expect(life.late("later") == .zero)
        }
    }

    @Test("The clock set forward fires what was jumped over, set back fires nothing twice, over restarts too")
    func clockSets() async throws {
        let scratch = try TemporaryFolder()
        let clock = ManualTriggerClock(date: start)
        try await AppLife.run(in: scratch.path("store"), clock) { life in
            try await life.center.add(NoticeRequest(id: "daily", title: "Daily", trigger: daily(8)))
            try await life.center.add(NoticeRequest(id: "span", title: "Span", trigger: .after(.seconds(36_000))))
            try await life.clock.set(wall: start.addingTimeInterval(9 * 3_600))
            #expect(life.delivered() == ["daily"])
            try await life.clock.set(wall: start.addingTimeInterval(7 * 3_600))
        }
        try await AppLife.run(in: scratch.path("store"), clock) { life in
            try await life.clock.advance(by: .seconds(2 * 3_600))
            #expect(life.delivered().isEmpty)
            try await life.clock.advance(by: .seconds(8 * 3_600))
            #expect(life.delivered() == ["span"])
        }
    }

    @Test("A journey while the process is gone: floating triggers follow, each local time once")
    func journey() async throws {
        let scratch = try TemporaryFolder()
        let clock = ManualTriggerClock(date: start, zone: .utc)
        try await AppLife.run(in: scratch.path("store"), clock) { life in
            try await life.center.add(NoticeRequest(id: "daily", title: "Daily", trigger: daily(8)))
            try await life.clock.advance(by: .seconds(9 * 3_600))
            #expect(life.delivered() == ["daily"])
        }
        // West: 4:00 there, and 8:00 of this day has fired.
        try await clock.changeZone(to: try .named("America/New_York"))
        try await AppLife.run(in: scratch.path("store"), clock) { life in
            try await life.clock.advance(by: .seconds(10 * 3_600))
            #expect(life.delivered().isEmpty)
            #expect(try await life.center.nextFireDate() == start.addingTimeInterval(Self.day + 13 * 3_600))
        }
    }

    // MARK: A clock in doubt at start

    /// Two requests, then three days without power.
    private func threeDaysOff(_ folder: String, _ clock: ManualTriggerClock) async throws {
        try await AppLife.run(in: folder, clock) { life in
            try await life.center.add(NoticeRequest(id: "daily", title: "Daily", trigger: daily(8)))
            try await life.center.add(NoticeRequest(id: "hourly", title: "Hourly", trigger: .every(Self.hour)))
        }
        clock.isSynchronized = false
        // 82 hours and two minutes.
        try await clock.reboot(taking: .seconds(295_320))
    }

    @Test("A clock more than a day ahead that nobody vouches for holds misfires, and says so; what is new fires")
    func holds() async throws {
        let scratch = try TemporaryFolder()
        let clock = ManualTriggerClock(date: start)
        try await threeDaysOff(scratch.path("store"), clock)
        try await AppLife.run(in: scratch.path("store"), clock) { life in
            #expect(life.delivered().isEmpty)
            var news = life.events.makeAsyncIterator()
            guard case .error(let problem)? = await news.next() else { throw CocoaError(.featureUnsupported) }
            #expect(problem.code == .clockInDoubt)
            #expect(problem.message.hasPrefix("The wall clock is 82 h ahead"), "\(problem)")
            try await life.center.add(NoticeRequest(id: "new", title: "New", trigger: .after(.seconds(10))))
            try await life.clock.advance(by: .seconds(30))
            #expect(life.delivered() == ["new"])
            life.clock.isSynchronized = true
            try await life.clock.advance(by: .seconds(5))
            #expect(life.delivered() == ["new", "hourly", "daily"])
            #expect(life.late("daily") == .seconds(7_355))
        }
    }

    @Test("For two minutes at most")
    func holdEnds() async throws {
        let scratch = try TemporaryFolder()
        let clock = ManualTriggerClock(date: start)
        try await threeDaysOff(scratch.path("store"), clock)
        try await AppLife.run(in: scratch.path("store"), clock) { life in
            try await life.clock.advance(by: .seconds(119))
            #expect(life.delivered().isEmpty)
            try await life.center.remove("hourly")
            try await life.clock.advance(by: .seconds(1))
            #expect(life.delivered() == ["daily"])
        }
    }

    @Test("A clock that is put right meanwhile has missed nothing, and intervals keep their phase")
    func putRight() async throws {
        let scratch = try TemporaryFolder()
        let clock = ManualTriggerClock(date: start)
        try await AppLife.run(in: scratch.path("store"), clock) { life in
            try await life.center.add(NoticeRequest(id: "daily", title: "Daily", trigger: daily(8)))
            try await life.center.add(NoticeRequest(id: "hourly", title: "Hourly", trigger: .every(Self.hour)))
            try await life.clock.advance(by: .seconds(1_000))
        }
        clock.isSynchronized = false
        try await clock.reboot(taking: .seconds(200))
        try await clock.set(wall: start.addingTimeInterval(3 * 366 * Self.day))
        try await AppLife.run(in: scratch.path("store"), clock) { life in
            #expect(life.delivered().isEmpty)
            life.clock.isSynchronized = true
            try await life.clock.set(wall: start.addingTimeInterval(1_200))
            #expect(life.delivered().isEmpty)
            #expect(try await life.center.nextFireDate(of: "daily") == start.addingTimeInterval(8 * 3_600))
            #expect(try await life.center.nextFireDate(of: "hourly") == start.addingTimeInterval(3_600))
        }
        // And so it is stored.
        try await AppLife.run(in: scratch.path("store"), clock) { life in
            #expect(try await life.center.nextFireDate(of: "hourly") == start.addingTimeInterval(3_600))
            try await life.clock.advance(by: .seconds(2_400))
            #expect(life.delivered() == ["hourly"])
        }
    }

    @Test("A day off holds nothing, nor does a clock that the kernel vouches for")
    func noHold() async throws {
        for (away, isSynchronized) in [(86_000.0, false), (10 * Self.day, true)] {
            let scratch = try TemporaryFolder()
            let clock = ManualTriggerClock(date: start)
            try await AppLife.run(in: scratch.path("store"), clock) { life in
                try await life.center.add(NoticeRequest(id: "daily", title: "Daily", trigger: daily(8)))
            }
            clock.isSynchronized = isSynchronized
            try await clock.reboot(taking: .seconds(away))
            try await AppLife.run(in: scratch.path("store"), clock) { life in
                #expect(life.delivered() == ["daily"], "\(away) s")
            }
        }
    }

    // MARK: What opening finds reaches the user

    @Test("A damaged file and a dormant request are told to who listens first, and the request is in the ledger once")
    func findings() async throws {
        let scratch = try TemporaryFolder()
        let folder = scratch.path("store")
        let store = try await SQLiteRequestStore.open(in: folder)
        let tide = TriggerRegistry.UnknownTrigger(storedKind: "tide", payload: .object(["port": "Cuxhaven"]))
        let request = NoticeRequest(id: "tide", title: "Tide", trigger: tide)
        try await store.commit([.putRequest(request, revision: 1, TriggerProgress(anchor: 0))])
        try await store.commit((1...200).map { .line("old", Double($0)) })
        let page = try await store.perform("ask") {
            try $1.first("SELECT rootpage FROM sqlite_master WHERE name = 'ledgerByRequest'") { $0.integer(0) }
        }
        try await store.close()
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: folder + "/store.sqlite"))
        try file.seek(toOffset: UInt64(try #require(page) - 1) * 4_096)
        try file.write(contentsOf: Data(repeating: 0xA5, count: 4_096))
        try file.close()
        let clock = ManualTriggerClock(date: start)
        for isFirst in [true, false] {
            let store = try await SQLiteRequestStore.open(in: folder)
            let app = AppIdentity(id: "org.example.Test")
            let center = NoticeCenter(
                app: app,
                backend: RecorderBackend(),
                store: NoticeStore(store),
                clock: .manual(clock)
            )
            #expect(try await center.pending().map(\.id) == ["tide"])
            // The store is open already: the first who listens hears of it all the same.
            var news = await center.events().makeAsyncIterator()
            var told: [NoticeError.Code] = []
            for _ in 0..<(isFirst ? 2 : 1) {
                if case .error(let error)? = await news.next() { told.append(error.code) }
            }
            #expect(told == (isFirst ? [.storeDamaged, .unknownTriggerKind] : [.unknownTriggerKind]))
            let lines = try await center.history(HistoryQuery(outcomes: [.dormant]))
            #expect(lines.map(\.requestID) == ["tide"])
            #expect(lines.first?.detail?.contains("'tide'") == true)
            try await store.close()
        }
    }

    @Test("The ledger is asked by thread, outcome and date through the center; a series is a thread")
    func history() async throws {
        let scratch = try TemporaryFolder()
        let clock = ManualTriggerClock(date: start)
        try await AppLife.run(in: scratch.path("store"), clock) { life in
            var content = NoticeContent(title: "Work")
            content.thread = "work"
            try await life.center.add(NoticeRequest(id: "a", content: content, trigger: .after(.seconds(60))))
            try await life.center.add(NoticeRequest(id: "b", title: "Other", trigger: .after(.seconds(120))))
            let series = NoticeSeries(
                id: "s",
                content: NoticeContent(title: "Again"),
                spacing: .seconds(60),
                count: 3
            )
            try await life.center.add(series)
            try await life.clock.advance(by: .seconds(90))
            try await life.center.remove("b")
            try await life.center.remove("s", includingDelivered: true)
            func ask(_ query: HistoryQuery) async throws -> [HistoryEntry] { try await life.center.history(query) }
            #expect(try await ask(HistoryQuery(thread: "work")).map(\.requestID) == ["a"])
            let ended = try await ask(HistoryQuery(thread: "s", outcomes: [.removed]))
            #expect(ended.count == 1 && ended.first?.requestID.hasPrefix("s@") == true, "\(ended)")
            #expect(try await ask(HistoryQuery(outcomes: [.removed])).count == 2)
            let minute = start.addingTimeInterval(60)
            let late = try await ask(HistoryQuery(from: minute, until: start.addingTimeInterval(61)))
            #expect(Set(late.map(\.outcome)).isSuperset(of: [.delivered]) && late.allSatisfy { $0.date == minute })
            let newest = try await ask(HistoryQuery(limit: 1, newestFirst: true))
            #expect(newest == Array(try await ask(HistoryQuery()).suffix(1)))
        }
    }
}
