import Belfry
import BelfryRecorder
import BelfryTestSupport
import BelfryTesting
import FoundationEssentials
import Testing

@Suite("The doubles do as told", .takesTurns)
struct DoublesTests {
    private let change = StoreChange.putAuthorization(.authorized)

    @Test("A failing store stores nothing while it fails, and all again afterwards")
    func failsCommits() async throws {
        let memory = MemoryRequestStore()
        let store = FailingRequestStore(memory)
        store.failNextTransactions(2)
        for _ in 0..<2 {
            await #expect(throws: FailingRequestStore.diskIsFull) { try await store.commit([change]) }
        }
        #expect(try await memory.load().authorization == nil)
        try await store.commit([change])
        #expect(try await memory.load().authorization == .authorized)
        #expect(store.transactions == [[change]])
        #expect(store.failedTransactions == 2)
        store.failTransactions(with: NoticeError(.storeFailed, "broken"))
        store.failLoading()
        store.failReading()
        await #expect(throws: NoticeError.self) { try await store.commit([]) }
        await #expect(throws: NoticeError.self) { try await store.load() }
        await #expect(throws: NoticeError.self) { try await store.history(HistoryQuery()) }
        await #expect(throws: NoticeError.self) { try await store.request(revision: 1) }
        store.succeed()
        try await store.commit([])
        #expect(try await store.load().authorization == .authorized)
    }

    @Test("A location provider dates fixes by its clock, wherever that is", arguments: [2001, 2026, 2100])
    func datesFixes(year: Int) async throws {
        let clock = ManualTriggerClock(date: Date(timeIntervalSince1970: Double(year - 1970) * 31_556_952))
        let (position, recorder) = (ManualLocationProvider(clock: clock), RecorderBackend())
        let center = NoticeCenter(
            app: AppIdentity(id: "org.example.Errands"),
            backend: recorder,
            clock: .manual(clock),
            location: position
        )
        let here = CircularRegion(latitude: 48, longitude: 11, radius: 100)
        try await center.run { center in
            await recorder.waitUntilReported()
            try await center.add(NoticeRequest(id: "milk", title: "Milk", trigger: LocationTrigger(region: here)))
            position.report(latitude: 49, longitude: 11)
            position.report(latitude: 48, longitude: 11)
            try await clock.settle()
            #expect(try recorder.expectDelivery(of: "milk").late == .zero)
        }
    }

    @Test("A failing store reports the requests that its store has lost")
    func reportsLostRequests() async throws {
        let store = FailingRequestStore(DamagedStore())
        #expect(try await store.unreadableRequests() == [DamagedStore.lost])
        store.failReading()
        await #expect(throws: FailingRequestStore.diskIsFull) { try await store.unreadableRequests() }
    }

    @Test("A stalled commit waits until released, and ends with its task")
    func stallsCommits() async throws {
        let store = FailingRequestStore()
        store.stallTransactions()
        let kept = Task { try await store.commit([change]) }
        let given = Task { try await store.commit([.putAuthorization(.denied)]) }
        await store.waitUntilStalled(count: 2)
        #expect(store.transactions.isEmpty)
        given.cancel()
        await #expect(throws: NoticeError.self) { try await given.value }
        store.release()
        try await kept.value
        #expect(store.transactions == [[change]])
    }

    @Test("A scripted prompt gives its answers in order, the last one for ever")
    func answersInOrder() async {
        let app = AppIdentity(id: "org.example.App")
        let prompt = ScriptedPrompt(.undecided, .denied)
        var answers: [AuthorizationStatus.Decision] = []
        for _ in 0..<3 { answers.append(await prompt.ask(for: app)) }
        #expect(answers == [.undecided, .denied, .denied])
        prompt.replaceDecisions(with: .allowed)
        #expect(await prompt.ask(for: app) == .allowed)
        #expect(prompt.asked == [app, app, app, app])
        #expect(await ScriptedPrompt().ask(for: app) == .cannotAsk)
    }

    @Test("A person who takes their time is waited for")
    func stallsQuestions() async {
        let prompt = ScriptedPrompt(.allowed)
        prompt.stall()
        async let answer = prompt.ask(for: AppIdentity(id: "org.example.App"))
        await prompt.waitUntilAsked()
        prompt.release()
        #expect(await answer == .allowed)
    }
}

/// A store that has lost a request.
private struct DamagedStore: RequestStore {
    static let lost = NoticeStore.UnreadableRequest(id: "tea", revision: 1, reason: "a flipped bit")
    private let memory = MemoryRequestStore()

    func load() async throws(NoticeError) -> StoredState { try await memory.load() }
    func commit(_ batch: [StoreChange]) async throws(NoticeError) { try await memory.commit(batch) }
    func request(revision: Int64) async throws(NoticeError) -> NoticeRequest? {
        try await memory.request(revision: revision)
    }
    func history(_ query: HistoryQuery) async throws(NoticeError) -> [HistoryEntry] {
        try await memory.history(query)
    }
    func unreadableRequests() async throws(NoticeError) -> [NoticeStore.UnreadableRequest] { [Self.lost] }
}
