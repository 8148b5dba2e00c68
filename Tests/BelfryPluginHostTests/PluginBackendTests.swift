import Belfry
import BelfryPluginHost
import BelfryTestSupport
import CBelfryPlugin
import CMisbehavingPlugin
import Foundation
import Testing

@Suite("A C plug-in as a backend", .takesTurns, .timeLimit(.minutes(5)))
struct PluginBackendTests {
    @Test("A delivery comes back with the receipt that the plug-in gave, named for the backend")
    func delivers() async throws {
        let log = try await onStage("delivers") { backend, _ in
            let receipt = try await backend.deliver(delivery("plain"))
            #expect(receipt == DeliveryReceipt(backend: "misbehaving", handle: "5", server: "run-1"))
            try await backend.withdraw(receipt)
        }
        #expect(log.all.isEmpty)
        #expect(misbehaving_stop_count("delivers") == 1)
        #expect(misbehaving_destroy_count("delivers") == 1)
    }

    @Test("A completion from another thread is as good as one within the call")
    func completesElsewhere() async throws {
        try await onStage("completes elsewhere") { backend, _ in
            try await expectHandle("8", of: "thread", on: backend)
        }
    }

    @Test("A hundred deliveries at once are each answered")
    func many() async throws {
        try await onStage("many") { backend, _ in
            let handles = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<100 {
                    group.addTask { try await backend.deliver(delivery("thread")).handle }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(handles == Array(repeating: "8", count: 100))
        }
    }

    @Test("Capabilities: known features are taken over, unknown bits skipped, zero limits are none")
    func capabilities() async throws {
        try await onStage("capabilities") { backend, _ in
            let known = try await backend.capabilities()
            #expect(known.server == "Misbehaving 0")
            #expect(known.features == [.body, .reply, .urgency])
            #expect(known.titleLimit == 7)
            #expect(known.bodyLimit == nil && known.actionLimit == nil)
            #expect(!known.reportsClosing)
        }
        try await onStage("no server") { backend, _ in
            let error = try await failure { _ = try await backend.capabilities() }
            #expect(error.code == .pluginMisbehaved)
        }
    }

    @Test("A call before the run waits for the plug-in to be started")
    func callsBeforeTheRun() async throws {
        let backend = try stageBackend("before the run")
        async let receipt = backend.deliver(delivery("plain"))
        let run = Task { try await backend.run { _ in } }
        #expect(try await receipt.handle == "5")
        run.cancel()
        try await run.value
    }

    @Test("Without a run a call fails and says so; a backend can be run again")
    func runsAgain() async throws {
        let backend = try stageBackend("runs again", timeouts: .init(start: .milliseconds(50)))
        let error = try await failure { _ = try await backend.deliver(delivery("plain")) }
        #expect(error.code == .backendStopped)
        #expect(error.message.contains("is not running"))
        for _ in 0..<3 {
            let run = Task { try await backend.run { _ in } }
            // The wait for the start is short here, on a machine that may be busy.
            var receipt: DeliveryReceipt?
            while receipt == nil, !Task.isCancelled { receipt = try? await backend.deliver(delivery("plain")) }
            run.cancel()
            try await run.value
            #expect(misbehaving_stop_count("runs again") == 1 && misbehaving_destroy_count("runs again") == 1)
        }
    }

    @Test("A second run beside the first fails and says so; the first goes on", .timeLimit(.minutes(5)))
    func runsOnce() async throws {
        let log = try await onStage("runs once") { backend, _ in
            try await expectHandle("5", of: "plain", on: backend)
            let error = try await failure { try await backend.run { _ in } }
            #expect(error.code == .unsupported)
            try await expectHandle("5", of: "plain", on: backend)
        }
        #expect(log.all.isEmpty)
        #expect(misbehaving_stop_count("runs once") == 1)
    }

    @Test("A limit that passes before the call waits for it ends the call all the same", .timeLimit(.minutes(5)))
    func limitBeforeTheWait() async throws {
        let backend = try stageBackend("no time", timeouts: .init(start: .zero))
        for _ in 0..<2_000 {
            let error = try await failure { _ = try await backend.deliver(delivery("plain")) }
            #expect(error.code == .backendStopped)
        }
    }

    @Test(
        "The plug-in is asked for a timeout of 1 ms at least: 0 would be its own default",
        arguments: [
            (nil, 0), (.milliseconds(1_500), 1_500), (.microseconds(500), 1), (.zero, 1), (.seconds(-1), 1),
            (.seconds(Int64.max), 4_000_000_000),
        ] as [(Duration?, UInt32)]
    )
    func pluginTimeout(timeout: Duration?, expected: UInt32) async throws {
        let name = "timeout \(expected) of \(timeout.map { "\($0)" } ?? "none")"
        try await onStage(name, timeouts: .init(pluginCall: timeout)) { backend, _ in
            try await expectHandle("5", of: "plain", on: backend)
            #expect(misbehaving_call_timeout(name) == expected)
        }
    }

    @Test("What can't be started says why")
    func cannotBeStarted() async throws {
        let refused = try await failure { try await stageBackend("refuses").run { _ in } }
        #expect(refused.code == .unsupported)
        #expect(refused.message.contains("The moon is not full."))
        let empty = try await failure { try await stageBackend("no instance").run { _ in } }
        #expect(empty.code == .pluginMisbehaved)
    }

    @Test("A descriptor of another major version, or without a function, is refused")
    func descriptors() async throws {
        let app = AppIdentity(id: "org.example.Stage")
        let newer = try await failure {
            _ = try PluginBackend(descriptor: #require(misbehaving_descriptor_of_another_major()), app: app)
        }
        #expect(newer.code == .unsupported)
        #expect(newer.message.contains("version 2"))
        // A descriptor that says nothing of its size says nothing at all: its major is 0.
        let blank = try await failure {
            _ = try PluginBackend(descriptor: #require(misbehaving_descriptor_without_size()), app: app)
        }
        #expect(blank.code == .unsupported && blank.message.contains("version 0"))
        for descriptor in [misbehaving_descriptor_without_stop(), misbehaving_descriptor_that_is_short()] {
            let error = try await failure {
                _ = try PluginBackend(descriptor: #require(descriptor), app: app)
            }
            #expect(error.code == .pluginMisbehaved)
        }
    }

    @Test("Events are passed on in order; what is unknown or incomplete is skipped or reported, never obeyed")
    func events() async throws {
        let log = try await onStage("events") { backend, _ in _ = try await backend.deliver(delivery("events")) }
        let about = DeliveryReceipt.Reference(handle: "5", server: "run-1")
        let misbehaved = { (what: String) in
            BackendEvent.error(
                NoticeError(.pluginMisbehaved, "The plug-in 'misbehaving' \(what). Tell its author.")
            )
        }
        #expect(
            log.all == [
                .responded(about, action: "yes", text: nil, activationToken: "token"),
                .responded(about, action: "answer", text: "hello", activationToken: nil),
                .closed(about, NoticeResponse.CloseReason(.expired, rawValue: 1)),
                .closed(about, NoticeResponse.CloseReason(.unknown, rawValue: 99)),
                misbehaved("sent a response without a receipt"),
                misbehaved("sent a change of server without the server"),
                .serverCame(server: "run-2"),
                .error(NoticeError(.backendMessage, "bad \u{FFFD} text")),
                .serverGone(server: "run-2"),
                .error(NoticeError(.noServer, "It went.")), misbehaved("sent an event that is NULL"),
            ]
        )
    }
}
