import Belfry
import BelfryPluginHost
import BelfryTestSupport
import CBelfryPlugin
import CMisbehavingPlugin
import Testing

@Suite("A plug-in that breaks its contract", .takesTurns, .timeLimit(.minutes(5)))
struct PluginMisbehaviorTests {
    @Test("One that never completes costs one call, and is named")
    func neverCompletes() async throws {
        let log = try await onStage("never completes", timeouts: .init(call: .seconds(1))) { backend, _ in
            // On a busy machine the limit may pass before the plug-in is asked.
            repeat {
                let error = try await failure { _ = try await backend.deliver(delivery("hold")) }
                #expect(error.code == .serverTimedOut)
                #expect(error.message.contains("'misbehaving'"))
            } while misbehaving_held_count("never completes") == 0
            try await expectHandle("5", of: "plain", on: backend)
            // Late, and twice at that: nobody is waiting any more.
            misbehaving_complete_held("never completes", 2)
        }
        let problems = log.problems(.pluginMisbehaved)
        #expect(problems.count == 2)
        #expect(problems.allSatisfy { $0.contains("which is not open") })
    }

    @Test("A second completion, and one for a call that was never made, change nothing and are reported")
    func completesTooOften() async throws {
        let log = try await onStage("too often") { backend, _ in
            try await expectHandle("5", of: "twice", on: backend)
            try await expectHandle("5", of: "never made", on: backend)
        }
        #expect(log.problems(.pluginMisbehaved).count == 2)
        #expect(log.problems(.pluginMisbehaved).last?.contains("4711") == true)
    }

    @Test("An unknown status keeps its meaning: below 100 transient, above permanent, and its number is named")
    func unknownStatus() async throws {
        try await onStage("unknown status") { backend, _ in
            let passing = try await failure { _ = try await backend.deliver(delivery("unknown transient")) }
            #expect(passing.isTransient)
            #expect(passing.message == "Status 42.")
            #expect(passing.description.contains("42"))
            let lasting = try await failure { _ = try await backend.deliver(delivery("unknown permanent")) }
            #expect(!lasting.isTransient)
            #expect(lasting.message.contains("4242"))
        }
    }

    @Test("Text that is not UTF-8 is repaired, NUL and all")
    func badText() async throws {
        try await onStage("bad text") { backend, _ in
            let error = try await failure { _ = try await backend.deliver(delivery("bad text")) }
            #expect(error.message == "no \u{FFFD}( utf8\0end")
        }
    }

    @Test("A delivery that is done without a receipt has failed")
    func noReceipt() async throws {
        try await onStage("no receipt") { backend, _ in
            let error = try await failure { _ = try await backend.deliver(delivery("no receipt")) }
            #expect(error.code == .pluginMisbehaved)
        }
    }

    @Test("A receipt of number 0 is none: such a delivery has failed, and such events are skipped and reported")
    func receiptZero() async throws {
        let log = try await onStage("receipt zero") { backend, _ in
            let error = try await failure { _ = try await backend.deliver(delivery("receipt 0")) }
            #expect(error.code == .pluginMisbehaved && error.message.contains("server_id is 0"))
            try await expectHandle("5", of: "events of receipt 0", on: backend)
        }
        #expect(log.problems(.pluginMisbehaved).count == 3 && log.all.count == 3)
    }

    @Test("A completion that can't be read ends its call at once, and is named", arguments: ["null", "no size"])
    func unreadableResult(_ title: String) async throws {
        let log = try await onStage("unreadable \(title)") { backend, _ in
            let error = try await failure { _ = try await backend.deliver(delivery(title)) }
            #expect(error.code == .pluginMisbehaved && !error.isTransient)
            #expect(error.message.contains("'misbehaving'"))
            try await expectHandle("5", of: "plain", on: backend)
        }
        #expect(log.problems(.pluginMisbehaved).count == 1)
    }

    @Test("Lengths that can only be mistakes aren't read to their end")
    func endless() async throws {
        let log = try await onStage("endless") { backend, _ in
            let error = try await failure { _ = try await backend.deliver(delivery("endless text")) }
            #expect(error.message.contains("did not say why"))
            #expect(try await backend.deliver(delivery("endless list")).lost == [])
            try await expectHandle("5", of: "event without size", on: backend)
        }
        #expect(log.problems(.pluginMisbehaved).count == 1)
        #expect(log.problems(.pluginMisbehaved).first?.contains("no room for its kind") == true)
    }

    @Test("Structs of a later version are read as far as they are known, older ones as far as they go")
    func otherVersions() async throws {
        try await onStage("other versions") { backend, _ in
            let newer = try await backend.deliver(delivery("longer"))
            #expect(newer.handle == "9" && newer.server == "run-1")
            #expect(
                newer.lost == [
                    DeliveryReceipt.LostFeature(.image, "no picture"), DeliveryReceipt.LostFeature(.hint, "no smell"),
                ]
            )
            let older = try await backend.deliver(delivery("shorter"))
            #expect(older.handle == "10" && older.server == "" && older.lost.isEmpty)
        }
    }

    @Test("A failed withdrawal is an error; a receipt that isn't a plug-in's is withdrawn already")
    func withdrawal() async throws {
        try await onStage("withdrawal") { backend, _ in
            let error = try await failure {
                try await backend.withdraw(DeliveryReceipt(backend: "misbehaving", handle: "6", server: "run-1"))
            }
            #expect(error.code == .noBus)
            #expect(error.message == "The bus left.")
            for handle in ["", "0", "-1", "not a number", "99999999999999999999999"] {
                try await backend.withdraw(DeliveryReceipt(backend: "misbehaving", handle: handle, server: "run-1"))
            }
        }
    }

    @Test("One that blocks in a call holds up its own calls, each for its limit, and nobody else's")
    func blocks() async throws {
        try await onStage("blocks", timeouts: .init(call: .seconds(1))) { backend, _ in
            let stuck = try await failure { _ = try await backend.deliver(delivery("block")) }
            #expect(stuck.code == .serverTimedOut)
            let behind = try await failure { _ = try await backend.deliver(delivery("plain")) }
            #expect(behind.code == .serverTimedOut)
            try await onStage("beside it") { other, _ in
                try await expectHandle("5", of: "plain", on: other)
            }
            misbehaving_release("blocks")
            var receipt: DeliveryReceipt?
            while receipt == nil, !Task.isCancelled { receipt = try? await backend.deliver(delivery("plain")) }
        }
    }

    /// The first call blocks and fails by its limit, the second fails behind it; then the plug-in comes loose.
    private func blocking(
        _ appName: String,
        replaces: DeliveryReceipt? = nil,
        _ check: () -> Void
    ) async throws -> EventLog {
        try await onStage(appName, timeouts: .init(call: .seconds(1))) { backend, _ in
            for title in ["block", "plain"] {
                let error = try await failure {
                    _ = try await backend.deliver(delivery(title, replaces: replaces))
                }
                #expect(error.code == .serverTimedOut)
            }
            misbehaving_release(appName)
            var receipt: DeliveryReceipt?
            while receipt == nil, !Task.isCancelled { receipt = try? await backend.deliver(delivery("plain")) }
            // Behind everything that the plug-in was asked when it came loose.
            let before = misbehaving_delivery_count(appName)
            _ = try await backend.deliver(delivery("plain"))
            #expect(misbehaving_delivery_count(appName) == before + 1)
            check()
        }
    }

    @Test("What one that blocked shows too late is withdrawn, and a call that was given up is not made")
    func showsTooLate() async throws {
        let log = try await blocking("too late") {
            #expect(misbehaving_delivery_count("too late") == 3, "the blocked one and two plain ones")
            #expect(misbehaving_withdrawal_count("too late") == 1)
        }
        #expect(log.problems(.pluginMisbehaved).count == 1)
    }

    @Test("A replacement that comes too late stays: its caller knows it by the receipt of the one before")
    func replacesTooLate() async throws {
        let standing = DeliveryReceipt(backend: "misbehaving", handle: "5", server: "run-1")
        _ = try await blocking("late replacement", replaces: standing) {
            #expect(misbehaving_withdrawal_count("late replacement") == 0)
        }
    }

    @Test("One that doesn't start is left behind and named; when it comes loose it is stopped")
    func neverStarts() async throws {
        let backend = try stageBackend("slow start", timeouts: .init(start: .milliseconds(500)))
        let run = Task { try await backend.run { _ in } }
        await offThePool { misbehaving_wait_for_start("slow start") }
        let error = try await failure { try await run.value }
        #expect(error.code == .pluginMisbehaved)
        #expect(error.message.contains("has not started within 0.5 s"))
        misbehaving_release("slow start")
        // Returns when it was stopped; nobody hears what it says.
        await offThePool { misbehaving_call_after_stop("slow start") }
    }

    @Test("A run that is canceled while the plug-in starts ends within the limit for stopping")
    func cancelledWhileStarting() async throws {
        let backend = try stageBackend(
            "slow start, cancelled",
            timeouts: .init(start: .seconds(3_600), stop: .milliseconds(150))
        )
        let run = Task { try await backend.run { _ in } }
        await offThePool { misbehaving_wait_for_start("slow start, cancelled") }
        run.cancel()
        try await run.value
        misbehaving_release("slow start, cancelled")
        await offThePool { misbehaving_call_after_stop("slow start, cancelled") }
    }

    @Test("Calls that are open when the run ends have been stopped, which is transient")
    func openAtTheEnd() async throws {
        let backend = try stageBackend("open at the end")
        let run = Task { try await backend.run { _ in } }
        try await expectHandle("5", of: "plain", on: backend)
        let open = Task { try await backend.deliver(delivery("hold")) }
        // Behind it in the same queue: when this one is answered, the other has been made.
        while misbehaving_held_count("open at the end") == 0 {
            _ = try await backend.deliver(delivery("plain"))
        }
        run.cancel()
        try await run.value
        let error = try await failure { _ = try await open.value }
        #expect(error.code == .backendStopped && error.isTransient)
    }

    @Test("One that doesn't stop is left behind, and reported")
    func neverStops() async throws {
        let log = try await onStage("stuck for ever", timeouts: .init(stop: .milliseconds(150))) { backend, _ in
            _ = try await backend.deliver(delivery("plain"))
        }
        #expect(log.problems(.pluginMisbehaved).count == 1)
        #expect(log.problems(.pluginMisbehaved).first?.contains("has not stopped") == true)
        misbehaving_release("stuck for ever")
        // It comes loose afterwards and talks on: nobody hears it.
        await offThePool { misbehaving_call_after_stop("stuck for ever") }
        #expect(log.problems(.pluginMisbehaved).count == 1)
    }

    @Test("Callbacks after stop reach nobody")
    func callsBackAfterStop() async throws {
        let log = try await onStage("after stop") { backend, _ in _ = try await backend.deliver(delivery("plain")) }
        await offThePool { misbehaving_call_after_stop("after stop") }
        #expect(log.all.isEmpty)
    }
}
