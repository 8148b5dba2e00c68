import Belfry
import BelfryAgent
import BelfryBus
import BelfryBusTestSupport
import BelfryRecorder
import BelfrySQLite
import BelfryTestSupport
import Foundation
import Synchronization
import Testing

@testable import BelfryAgentService

@Suite("How long the agent stays", .takesTurns, .timeLimit(.minutes(5)))
struct AgentLifetimeTests {
    private static let lost = BusState.disconnected(BusError(.disconnected, "Gone."), retry: .seconds(1))

    @Test("A wait that follows another one hears nothing of the timers of that") func noStaleTurns() async {
        let busLoss = Duration.milliseconds(200)
        let lifetime = AgentLifetime(.init(idle: .milliseconds(50), busLoss: busLoss))
        let (first, firstStates) = AsyncStream.makeStream(of: BusState.self)
        firstStates.yield(Self.lost)
        firstStates.yield(.connected(":1.1"))
        #expect(await lifetime.wait(for: first) { true } == .nothingToDo)
        let (second, secondStates) = AsyncStream.makeStream(of: BusState.self)
        let since = ContinuousClock.now
        secondStates.yield(Self.lost)
        #expect(await lifetime.wait(for: second) { false } == .busLost)
        #expect(ContinuousClock.now - since >= busLoss, "the loss before this one counts no more")
    }

    @Test("A stop ends the wait and those to come") func stops() async {
        let lifetime = AgentLifetime(.init())
        let waiting = Task { await lifetime.wait(for: AsyncStream { _ in }) { false } }
        lifetime.stop()
        #expect(await waiting.value == .cancelled)
        #expect(await lifetime.wait(for: AsyncStream { _ in }) { false } == .cancelled)
    }
}

@Suite("Lists that are read page by page", .takesTurns, .timeLimit(.minutes(5)))
struct OpenListsTests {
    private func reader(
        _ method: String = "History",
        question: String = "",
        app: String = "org.example.Tea"
    ) -> OpenLists.Reader {
        OpenLists.Reader(sender: ":1.1", app: app, method: method, question: [question])
    }

    @Test("The list is made once, however many pages it has") func madeOnce() async throws {
        let lists = OpenLists(most: 2)
        let made = Atomic(0)
        var texts: [String] = []
        var hasMore = true
        while hasMore {
            let page = try await lists.page(of: reader(), from: texts.count) {
                made.add(1, ordering: .relaxed)
                return ["1", "2", "3", "4", "5", "6", "7"]
            }
            texts += page.texts
            hasMore = page.hasMore
        }
        #expect(texts == ["1", "2", "3", "4", "5", "6", "7"])
        #expect(made.load(ordering: .relaxed) == 1)
    }

    @Test("Of a list of identifiers the order is kept, and what is gone is left out") func identifiers() async throws {
        let lists = OpenLists(most: 2)
        let read: (ArraySlice<String>) -> [String?] = { $0.map { $0 == "b" ? nil : $0.uppercased() } }
        let page = try await lists.page(of: reader(), from: 0) {
            ["a", "b", "c", "d", "b"]
        } reading: {
            read($0)
        }
        #expect(page.texts == ["A", "C"] && page.hasMore)
        let rest = try await lists.page(of: reader(), from: 2) {
            []
        } reading: {
            read($0)
        }
        #expect(rest.texts == ["D"] && !rest.hasMore)
    }

    @Test("A page is bounded in bytes, and holds one element at least") func bytes() async throws {
        let lists = OpenLists(most: 10, length: 3)
        let page = try await lists.page(of: reader(), from: 0) { ["aaaa", "b", "c"] }
        #expect(page.texts == ["aaaa"] && page.hasMore)
        let rest = try await lists.page(of: reader(), from: 1) { [] }
        #expect(rest.texts == ["b", "c"] && !rest.hasMore)
    }

    @Test("Another reader, another question and another place in the list get a list of their own")
    func apart() async throws {
        let lists = OpenLists(most: 1)
        _ = try await lists.page(of: reader(), from: 0) { ["a", "b", "c"] }
        #expect(try await lists.page(of: reader("Delivered"), from: 1) { ["x", "y"] }.texts == ["y"])
        #expect(try await lists.page(of: reader(question: "q"), from: 1) { ["x", "z"] }.texts == ["z"])
        #expect(try await lists.page(of: reader(), from: 2) { ["a", "b", "new"] }.texts == ["new"])
    }

    @Test("An app has 16 lists at most, and drops none of another app")
    func bounded() async throws {
        let lists = OpenLists(most: 1)
        _ = try await lists.page(of: reader(app: "org.example.Cake"), from: 0) { ["a", "kept"] }
        for number in 0...16 {
            _ = try await lists.page(of: reader(question: "\(number)"), from: 0) { ["a", "kept"] }
        }
        #expect(try await lists.page(of: reader(app: "org.example.Cake"), from: 1) { ["a", "new"] }.texts == ["kept"])
        #expect(try await lists.page(of: reader(question: "0"), from: 1) { ["a", "new"] }.texts == ["new"])
        #expect(try await lists.page(of: reader(question: "1"), from: 1) { ["a", "new"] }.texts == ["kept"])
    }
}

@Suite("The connections of an app", .takesTurns)
struct AppSessionsTests {
    @Test("The newest is the one that came last, whatever the bus calls it") func newest() {
        var sessions = AppSessions()
        let session = AppSession(.options(["receives": .boolean(true)]))
        // A bus counts on after its largest number: this one's name is the shorter.
        sessions.connect(session, at: ":1.2147483647")
        sessions.connect(session, at: ":2.0")
        #expect(sessions.newest(where: \.receives) == ":2.0")
        sessions.connect(session, at: ":1.2147483647")
        #expect(sessions.newest(where: \.receives) == ":2.0", "other wishes make it no newer")
        sessions.refused(":2.0", since: sessions.connections - 1)
        #expect(sessions.newest(where: \.receives) == ":2.0", "it has said since that it takes them")
        sessions.refused(":2.0", since: sessions.connections)
        #expect(sessions.newest(where: \.receives) == ":1.2147483647")
        sessions.disconnect(":1.2147483647")
        #expect(sessions.newest(where: \.receives) == nil)
    }
}

@Suite("What an app sends is read off the centers' thread", .takesTurns, .timeLimit(.minutes(5)))
struct AppQueueTests {
    /// Decoding it waits until the centers' thread has done something else.
    private struct Heavy: Decodable {
        init(from decoder: any Decoder) throws {
            let done = DispatchSemaphore(value: 0)
            CenterThread.shared.perform { done.signal() }
            done.wait()
        }
    }

    @Test("The centers' thread works on while a value of one app is decoded, and so does another app's queue")
    func elsewhere() async throws {
        // From the centers' thread, as a call comes: if it were decoded there this would never end.
        try await withTaskExecutorPreference(CenterThread.shared) {
            _ = try await AppQueue().perform { coding throws(NoticeError) in try coding.value(Heavy.self, "{}") }
        }
        let (busy, other) = (AppQueue(), AppQueue())
        let (held, letGo) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        async let slow: Void = busy.perform { _ throws(NoticeError) in
            held.signal()
            letGo.wait()
        }
        try await other.perform { _ throws(NoticeError) in held.wait() }
        letGo.signal()
        try await slow
    }
}

@Suite(
    "Who calls",
    .takesTurns,
    .timeLimit(.minutes(5)),
    .enabled(if: TestBus.program != nil, "dbus-daemon is not installed: apt-get install dbus-daemon")
)
struct CallerIdentityTests {
    @Test("An error of the bus that passes is no refusal for good") func passingError() async throws {
        let connection = try await TestBus().connection()
        let error = await #expect(throws: NoticeError.self) {
            try await CallerIdentity.of(":1.4711", on: connection, processes: "/proc")
        }
        #expect(error?.code == .agentUnavailable && error?.isTransient == true, "\(String(describing: error))")
    }

    @Test("Only what an app replies is its refusal, not what keeps a call from reaching it") func refusals() {
        let replies = [
            BusError(.remoteError, "No.", name: "org.belfry.Error.notFound"),
            BusError(.noReply, "Gone.", name: "org.freedesktop.DBus.Error.NoReply"),
            BusError(.unexpectedReply, "What?"),
        ]
        #expect(replies.allSatisfy { $0.isRefusal })
        let codes = [BusError.Code.peerOverdue, .limitsExceeded, .outOfMemory, .disconnected, .timedOut, .closed]
        let others =
            codes.map { BusError($0, "Later.") }
            + [BusError(.limitsExceeded, "Too many.", name: "org.freedesktop.DBus.Error.LimitsExceeded")]
        #expect(others.allSatisfy { !$0.isRefusal })
    }
}

@Suite("What an app says about itself", .takesTurns, .timeLimit(.minutes(5)))
struct AppRecordTests {
    @Test("Of two registrations at once, one with a command and one with an icon, both are kept") func atOnce()
        async throws
    {
        let scratch = try TemporaryFolder()
        let storage = AgentStorage(path: scratch.path("agent"))
        let options = AgentServiceOptions(storage: storage, backend: { _ in RecorderBackend() }, report: { _ in })
        let app = AppIdentity(id: "org.example.Tea")
        let host = AppHost(app, options, bus: BusConnection(), gate: OpeningGate(), makeRoom: {}, look: {})
        try await host.remember(name: "Tea", icon: nil, command: nil, isActivatable: nil)
        let letGo = DispatchSemaphore(value: 0)
        let busy = Task.immediate { try await host.queue.perform { _ throws(NoticeError) in letGo.wait() } }
        // Each has gone as far as it gets without the queue.
        let registrations = [
            Task.immediate {
                try await host.remember(name: "Tea", icon: nil, command: ["/usr/bin/tea"], isActivatable: nil)
            },
            Task.immediate {
                try await host.remember(name: "Tea", icon: .named("tea"), command: nil, isActivatable: nil)
            },
        ]
        letGo.signal()
        try await busy.value
        for registration in registrations { try await registration.value }
        let record = AppRecord(name: "Tea", icon: .named("tea"), command: ["/usr/bin/tea"])
        #expect(host.state.withLock { $0.record } == record)
        // Stored with the app's first request, and changed from then on.
        let folder = try storage.folder(of: app.id)
        #expect(AppRecord.read(in: folder) == nil)
        try await host.open()
        #expect(AppRecord.read(in: folder) == record)
        try await host.remember(name: "Tea 2", icon: nil, command: nil, isActivatable: nil)
        #expect(AppRecord.read(in: folder)?.name == "Tea 2")
        await host.close()
    }
}

@Suite("What an agent says about itself", .takesTurns)
struct AgentStatusTests {
    @Test("The status of an agent of another version is read: fields may be missing, and others unknown")
    func otherVersion() throws {
        let read = try AgentCoding().value(AgentStatus.self, #"{"version":"0.1","folder":"/agent","later":[1]}"#)
        #expect(read == AgentStatus(version: "0.1", folder: "/agent"))
        var status = AgentStatus(version: "1.0", folder: "/agent")
        status.pending = ["org.example.Tea": 2]
        status.quarantined = ["org.example.Bad"]
        status.failing = ["org.example.Full": NoticeError(.storeFailed, "There is no room.")]
        status.damage = ["org.example.Tea": 1]
        status.errors = [AgentStatus.ReportedError(date: Date(timeIntervalSince1970: 0), message: "No.")]
        #expect(try AgentCoding().value(AgentStatus.self, AgentCoding().text(status)) == status)
    }
}

@Suite("The center of an app in the agent", .takesTurns, .timeLimit(.minutes(5)))
struct AppCenterTests {
    @Test("One that nobody needs closes its store, whoever still holds that") func closesItsStore() async throws {
        let scratch = try TemporaryFolder()
        let storage = AgentStorage(path: scratch.path("agent"))
        var options = AgentServiceOptions(storage: storage, backend: { _ in RecorderBackend() }, report: { _ in })
        let stores = AwaitedState<[SQLiteRequestStore]>([])
        options.openStore = { folder async throws(NoticeError) in
            let store = try await SQLiteRequestStore.open(in: folder)
            stores.withLock { $0.append(store) }
            return store
        }
        let app = AppIdentity(id: "org.example.Tea")
        let host = AppHost(app, options, bus: BusConnection(), gate: OpeningGate(), makeRoom: {}, look: {})
        try await host.open()
        await host.closeIfIdle()
        // The next owner has it at once.
        let next = try await SQLiteRequestStore.open(in: try storage.folder(of: app.id))
        try await next.close()
        #expect(stores.current.count == 1)
        await host.close()
    }

    @Test("After its end a call fails as if the agent had gone, so that its client asks the next one")
    func endsForGood() async throws {
        let scratch = try TemporaryFolder()
        let storage = AgentStorage(path: scratch.path("agent"))
        let options = AgentServiceOptions(storage: storage, backend: { _ in RecorderBackend() }, report: { _ in })
        let app = AppIdentity(id: "org.example.Tea")
        let host = AppHost(app, options, bus: BusConnection(), gate: OpeningGate(), makeRoom: {}, look: {})
        await host.close()
        let error = await #expect(throws: BusError.self) { try await host.open() }
        #expect(error?.name == "org.freedesktop.DBus.Error.NoReply")
    }
}

@Suite("A question that can be ended", .takesTurns, .timeLimit(.minutes(5)))
struct EndablePromptTests {
    /// Asks until its task is canceled, and says when it has begun and when it is withdrawn.
    private final class Waiting: AuthorizationPrompt {
        let states = AwaitedState((asked: 0, withdrawn: 0))

        func ask(for app: AppIdentity) async -> AuthorizationStatus.Decision {
            states.withLock { $0.asked += 1 }
            _ = await states.waitUnlessCancelled { _ in false }
            states.withLock { $0.withdrawn += 1 }
            return .denied
        }
    }

    private struct Allowing: AuthorizationPrompt {
        func ask(for app: AppIdentity) async -> AuthorizationStatus.Decision { .allowed }
    }

    private let app = AppIdentity(id: "org.example.Tea")

    @Test("The end withdraws what is asked, decides nothing, and lets nobody ask again") func ends() async {
        let waiting = Waiting()
        let prompt = EndablePrompt(waiting)
        async let first = prompt.ask(for: app)
        async let second = prompt.ask(for: app)
        await waiting.states.wait { $0.asked == 2 }
        await prompt.end()
        #expect(waiting.states.withLock { $0.withdrawn } == 2, "the end returns when both are withdrawn")
        #expect(await (first, second) == (.undecided, .undecided))
        #expect(await prompt.ask(for: app) == .undecided)
        #expect(waiting.states.withLock { $0.asked } == 2)
    }

    @Test("A canceled asker withdraws its question") func cancelled() async {
        let waiting = Waiting()
        let prompt = EndablePrompt(waiting)
        let asking = Task { [app] in await prompt.ask(for: app) }
        await waiting.states.wait { $0.asked == 1 }
        asking.cancel()
        _ = await asking.value
        #expect(waiting.states.withLock { $0.withdrawn } == 1)
    }

    @Test("What the user decides is the answer") func answers() async {
        #expect(await EndablePrompt(Allowing()).ask(for: app) == .allowed)
    }
}
