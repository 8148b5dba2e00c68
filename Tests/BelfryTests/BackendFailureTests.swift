import BelfryRecorder
import BelfryTestSupport
import BelfryTesting
import Dispatch
import Foundation
import Synchronization
import Testing

@testable import Belfry

@Suite("Backends that fail, stall, lie and go away", .takesTurns)
struct BackendFailureTests {
    private static let noServer = NoticeError(.noServer, "Nobody there.")
    /// What comes after a stuck delivery has to be done within it, on a busy machine too.
    private let short = CenterOptions(deliveryTimeout: .milliseconds(500))

    @Test("A passing failure and then success: delivered late by the wait, once") func transient() async throws {
        try await World.run { world in
            world.recorder.failNext(2, with: Self.noServer)
            try await world.center.add(.sample("x"))
            try await world.clock.advance(by: .seconds(3))
            #expect(world.deliveredIDs() == ["x"])
            #expect(try world.recorder.expectDelivery(of: "x").late == .seconds(3))
            #expect(try await world.history() == [.retrying, .delivered])
        }
    }

    @Test("A lasting failure ends the request, with its reason in the ledger") func permanent() async throws {
        try await World.run { world in
            world.recorder.failNext(with: NoticeError(.rejected, "Too long.", cause: "dunst"))
            try await world.center.add(.sample("x"))
            try await world.clock.advance(by: .seconds(3_600))
            #expect(world.recorder.attempts.count == 1)
            #expect(try await world.lastDetail(of: "x", .failed) == "Too long. (dunst)")
            #expect(try await world.center.history().map(\.errorCode) == [.rejected])
        }
    }

    @Test("A repeating request goes on after a failure") func goesOn() async throws {
        try await World.run { world in
            world.recorder.failNext(with: NoticeError(.rejected, "No."))
            try await world.center.add(.sample("beat", .every(.seconds(60))))
            try await world.clock.advance(by: .seconds(180))
            #expect(world.dues() == [120, 180])
        }
    }

    @Test("show tries once and throws what went wrong") func showFails() async throws {
        try await World.run { world in
            world.recorder.failNext(with: Self.noServer)
            let error = await expectError(.noServer) { _ = try await world.center.show(.sample("x")) }
            #expect(error?.message == "Nobody there.")
            try await world.clock.advance(by: .seconds(3_600))
            #expect(world.recorder.attempts.count == 1)
        }
    }

    @Test("Capabilities that can't be had are a passing failure too") func capabilitiesFail() async throws {
        try await World.run { world in
            world.recorder.failNext(with: Self.noServer, on: .capabilities)
            try await world.center.add(.sample("x"))
            try await world.clock.advance(by: .seconds(1))
            #expect(world.deliveredIDs() == ["x"])
        }
    }

    @Test("A stuck backend is given up after the limit; the retry is marked as possibly repeated") func stuck()
        async throws
    {
        try await World.run(options: short) { world in
            world.recorder.stall()
            try await world.center.add(.sample("x"))
            try await world.clock.settle()
            #expect(try await world.history() == [.retrying])
            #expect(
                try await world.lastDetail(of: "x", .retrying)?.contains("did not deliver the notice 'x' within 0.5")
                    == true
            )
            world.recorder.release()
            try await world.clock.advance(by: .seconds(1))
            #expect(world.deliveredIDs() == ["x"])
            #expect(world.recorder.attempts.map(\.isPossiblyRepeated) == [false, true])
        }
    }

    @Test("A delivery that found no thread within the limit is not begun afterwards", .timeLimit(.minutes(5)))
    func neverBegun() async {
        // In a process of its own, where no other center's run allows a thread.
        await #expect(processExitsWith: .success) {
            let backend = ModelBackend()
            let short = CenterOptions(deliveryTimeout: .milliseconds(500))
            try await NoticeCenter.onModel(backend, clock: ManualTriggerClock(), options: short) { center in
                // Not on the threads for apps, which are about to be blocked.
                try await Task.detached {
                    _ = try await center.show(.sample("first"))
                    let threads = BlockedThreads()
                    await threads.block()
                    let events = await center.events()
                    try await center.add(.sample("x"))
                    for await case .history(let entry) in events where entry.outcome == .retrying { break }
                    try await center.remove("x")
                    threads.release()
                    _ = try await center.show(.sample("last"))
                }.value
                await center.quiet()
            }
            #expect(backend.deliveries.map(\.requestID) == ["first", "last"])
            #expect(backend.withdrawn.isEmpty)
        }
    }

    /// Blocks all threads for the code of apps and of backends that may block, while one backend runs.
    private struct BlockedThreads {
        private let count = Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))) + 1
        private let semaphore = DispatchSemaphore(value: 0)
        private let blocked = AwaitedState(0)

        func block() async {
            for _ in 0..<count { Task.detached(executorPreference: AppThreads.shared) { wait() } }
            await blocked.wait { $0 == count }
        }

        private func wait() {
            blocked.withLock { $0 += 1 }
            _ = semaphore.wait(timeout: .now() + 60)
        }

        func release() { for _ in 0..<count { semaphore.signal() } }
    }

    /// A backend whose server changes while its first reply is on the way.
    private final class ChangingBackend: DeliveryBackend {
        let name = "changing"
        let (asked, reply) = (Gate(), Gate())
        private let state = Mutex<(version: Int, report: (@Sendable (BackendEvent) -> Void)?)>((0, nil))

        func capabilities() async -> DeliveryCapabilities {
            let version = state.withLock { state in
                state.version += 1
                return state.version
            }
            asked.open()
            if version == 1 { await reply.wait() }
            return DeliveryCapabilities(server: "server \(version)", features: [])
        }

        func restart() {
            let report = state.withLock(\.report)
            report?(.serverGone(server: nil))
            report?(.serverCame(server: nil))
        }

        func run(reporting report: @escaping @Sendable (BackendEvent) -> Void) async {
            state.withLock { $0.report = report }
            await untilCancelled()
        }

        func deliver(_ delivery: Delivery) -> DeliveryReceipt { DeliveryReceipt(backend: name, handle: delivery.id) }
        func withdraw(_ receipt: DeliveryReceipt) {}
    }

    @Test("What an earlier server can do is not taken for what the next one can", .timeLimit(.minutes(5)))
    func staleCapabilities() async throws {
        let backend = ChangingBackend()
        try await NoticeCenter(app: World.app, backend: backend).run { center in
            async let first = center.capabilities()
            await backend.asked.wait()
            backend.restart()
            await center.quiet()
            backend.reply.open()
            let servers = [
                try await first.server, try await center.capabilities().server, try await center.capabilities().server,
            ]
            #expect(servers == ["server 1", "server 2", "server 2"])
        }
    }

    @Test("A receipt that comes after the limit counts: there is no retry, and the answer arrives") func lateReceipt()
        async throws
    {
        let gate = Gate()
        let backend = ModelBackend { _, number, _ in
            await gate.wait()
            return DeliveryReceipt(backend: "model", handle: "\(number)", server: "s1")
        }
        let (clock, store) = (ManualTriggerClock(), FailingRequestStore())
        try await NoticeCenter.onModel(backend, clock: clock, store: store, options: short) { center in
            var answers = await center.responses().makeAsyncIterator()
            try await center.setCategories([NoticeCategory("c", reportsDismissal: true)])
            var request = NoticeRequest.sample("x")
            request.content.category = "c"
            try await center.add(request)
            await center.quiet()
            #expect(try await center.history().map(\.outcome) == [.retrying])
            // The user closes it before the receipt is in: that is kept until it is known whose it is.
            backend.post(.closed(DeliveryReceipt.Reference(handle: "1", server: "s1"), .dismissed))
            await center.quiet()
            gate.open()
            #expect(await answers.next()?.kind == .dismissed)
            try await clock.advance(by: .seconds(3_600))
            #expect(backend.deliveries.count == 1)
            #expect(backend.withdrawn == [])
        }
    }

    @Test("A receipt that comes after the limit is an event, as any other") func lateReceiptEvent() async throws {
        let gate = Gate()
        let backend = ModelBackend { _, number, _ in
            await gate.wait()
            return DeliveryReceipt(backend: "model", handle: "\(number)", server: "s1")
        }
        try await NoticeCenter.onModel(backend, clock: ManualTriggerClock(), options: short) { center in
            let events = await center.events()
            try await center.add(.sample("x"))
            await center.quiet()
            gate.open()
            for await event in events {
                if case .delivered(let notice) = event {
                    #expect(notice.requestID == "x" && notice.receipt.handle == "1")
                    break
                }
                // The line of the history comes after the event.
                if case .history(let entry) = event, entry.outcome == .delivered {
                    Issue.record("the notice was shown without an event")
                    break
                }
            }
        }
    }

    @Test("A receipt that comes when the retry has shown the notice is withdrawn") func lateSecondReceipt() async throws
    {
        let gate = Gate()
        let backend = ModelBackend { _, number, _ in
            if number == 1 { await gate.wait() }
            return DeliveryReceipt(backend: "model", handle: "\(number)", server: "s1")
        }
        let clock = ManualTriggerClock()
        let store = FailingRequestStore()
        try await NoticeCenter.onModel(backend, clock: clock, store: store, options: short) { center in
            try await center.add(.sample("x"))
            try await clock.advance(by: .seconds(1))
            #expect(try await center.delivered().map(\.receipt.handle) == ["2"])
            let events = await center.events()
            gate.open()
            await backend.waitUntilWithdrawn(1)
            #expect(backend.withdrawn == ["1"])
            #expect(try await center.delivered().map(\.receipt.handle) == ["2"])
            _ = events
        }
    }

    @Test("A click may be reported before the receipt has come back") func earlyClick() async throws {
        let backend = ModelBackend { _, number, backend in
            backend.click("\(number)")
            return DeliveryReceipt(backend: "model", handle: "\(number)", server: "s1")
        }
        let clock = ManualTriggerClock()
        try await NoticeCenter.onModel(backend, clock: clock) { center in
            var answers = await center.responses().makeAsyncIterator()
            try await center.add(.sample("x"))
            await center.quiet()
            #expect(await answers.next()?.requestID == "x")
            #expect(try await center.delivered() == [])
        }
    }

    @Test("A click that is reported twice is one answer") func doubleClick() async throws {
        let backend = ModelBackend()
        let clock = ManualTriggerClock()
        try await NoticeCenter.onModel(backend, clock: clock) { center in
            var answers = await center.responses().makeAsyncIterator()
            try await center.add([.sample("x"), .sample("last")])
            await center.quiet()
            for _ in 0..<3 { backend.click("1") }
            backend.click("2")
            await center.quiet()
            #expect(await answers.next()?.requestID == "x")
            #expect(await answers.next()?.requestID == "last")
            #expect(try await center.history(HistoryQuery(requestID: "x")).map(\.outcome) == [.delivered, .responded])
        }
    }

    @Test("Events of other programs' notices, and of another run of the server, are nobody's") func foreign()
        async throws
    {
        let backend = ModelBackend()
        let clock = ManualTriggerClock()
        try await NoticeCenter.onModel(backend, clock: clock) { center in
            var answers = await center.responses().makeAsyncIterator()
            try await center.add(.sample("x"))
            await center.quiet()
            backend.click("77")
            backend.click("1", server: "s2")
            backend.click("1", server: nil)
            backend.post(.closed(DeliveryReceipt.Reference(handle: "2", server: "s1"), .dismissed))
            await center.quiet()
            #expect(try await center.delivered().map(\.requestID) == ["x"])
            backend.click("1")
            await center.quiet()
            #expect(await answers.next()?.requestID == "x")
        }
    }

    @Test("A server that goes takes all it showed with it; one that comes gets what waited for it")
    func serverGoneAndCame() async throws {
        try await World.run { world in
            try await world.center.add(.sample("old"))
            try await world.clock.settle()
            world.recorder.removeServer()
            try await world.clock.settle()
            #expect(try await world.standingIDs() == [])
            #expect(try await world.lastDetail(of: "old", .closed) == "the notification server went away")
            try await world.center.add(.sample("new"))
            try await world.clock.advance(by: .seconds(600))
            #expect(world.deliveredIDs() == ["old"])
            world.recorder.restoreServer()
            try await world.clock.settle()
            #expect(world.deliveredIDs() == ["old", "new"])
            // The new server counts from one again: this is not the old notice.
            #expect(world.recorder.shown.map(\.receipt.handle) == ["1"])
            try await world.person(.dismiss, on: "new")
            #expect(try await world.history(of: "old") == [.delivered, .closed])
        }
    }

    @Test("A server that was started anew without a word: what the old one showed is gone") func restartedSilently()
        async throws
    {
        let backend = ModelBackend()
        let clock = ManualTriggerClock()
        try await NoticeCenter.onModel(backend, clock: clock) { center in
            try await center.add(.sample("x"))
            await center.quiet()
            backend.post(.serverCame(server: "s1"))
            await center.quiet()
            #expect(try await center.delivered().map(\.requestID) == ["x"])
            backend.post(.serverCame(server: "s2"))
            await center.quiet()
            #expect(try await center.delivered() == [])
        }
    }

    @Test("A server that gives one number to two notices: the later one has it") func numberTwice() async throws {
        let backend = ModelBackend { _, _, _ in DeliveryReceipt(backend: "model", handle: "1", server: "s1") }
        let clock = ManualTriggerClock()
        try await NoticeCenter.onModel(backend, clock: clock) { center in
            var answers = await center.responses().makeAsyncIterator()
            try await center.add([.sample("a"), .sample("b")])
            await center.quiet()
            #expect(try await center.delivered().map(\.requestID) == ["b"])
            try await center.removeDelivered(["a"])
            backend.click("1")
            await center.quiet()
            #expect(await answers.next()?.requestID == "b")
        }
    }

    @Test("Removing while the delivery is in flight withdraws it, and returns when that is done") func removeInFlight()
        async throws
    {
        let (gate, begun) = (Gate(), Gate())
        let backend = ModelBackend { _, number, _ in
            begun.open()
            await gate.wait()
            return DeliveryReceipt(backend: "model", handle: "\(number)", server: "s1")
        }
        let clock = ManualTriggerClock()
        try await NoticeCenter.onModel(backend, clock: clock) { center in
            try await center.add([.sample("x"), .sample("y")])
            await begun.wait()
            // "y" waits in line behind "x": it is never handed over.
            async let removed = center.remove(["x", "y"])
            while await !center.embedded.isRemovalWaiting { await center.embedded.fence() }
            gate.open()
            _ = try await removed
            #expect(backend.withdrawn == ["1"])
            #expect(backend.deliveries.map(\.requestID) == ["x"])
            #expect(try await center.delivered() == [])
            #expect(try await center.history().map(\.outcome) == [.removed, .removed])
        }
    }

    @Test("Adding again while a removed delivery is in flight delivers the new one") func addAfterRemove() async throws
    {
        let (gate, begun) = (Gate(), Gate())
        let backend = ModelBackend { delivery, number, _ async throws(NoticeError) in
            begun.open()
            await gate.wait()
            if delivery.content.title == "Old" { throw NoticeError(.rejected, "No.") }
            return DeliveryReceipt(backend: "model", handle: "\(number)", server: "s1")
        }
        let clock = ManualTriggerClock()
        try await NoticeCenter.onModel(backend, clock: clock) { center in
            try await center.add(NoticeRequest(id: "x", title: "Old"))
            await begun.wait()
            async let removed = center.remove("x")
            while await !center.embedded.isRemovalWaiting { await center.embedded.fence() }
            try await center.add(NoticeRequest(id: "x", title: "New"))
            gate.open()
            _ = try await removed
            await center.quiet()
            #expect(try await center.delivered().map(\.content.title) == ["New"])
            #expect(try await center.history().map(\.outcome) == [.removed, .delivered])
        }
    }

    @Test("A show that waits behind another of its name is told when both are removed") func removedShow() async throws
    {
        let (gate, begun) = (Gate(), Gate())
        let backend = ModelBackend { _, number, _ in
            begun.open()
            await gate.wait()
            return DeliveryReceipt(backend: "model", handle: "\(number)", server: "s1")
        }
        let clock = ManualTriggerClock()
        try await NoticeCenter.onModel(backend, clock: clock) { center in
            async let first = Self.outcome { _ = try await center.show(.sample("x")) }
            await begun.wait()
            async let second = Self.outcome { _ = try await center.show(.sample("x")) }
            while await center.embedded.schedule.notices["x"]?.underWay?.queued == nil { await center.embedded.fence() }
            async let removed = center.remove("x")
            #expect(await first == .rejected)
            #expect(await second == .rejected)
            gate.open()
            _ = try await removed
            #expect(backend.deliveries.count == 1)
            #expect(backend.withdrawn == ["1"])
        }
    }

    private static func outcome(_ body: @Sendable () async throws -> Void) async -> NoticeError.Code? {
        do { try await body() } catch { return (error as? NoticeError)?.code }
        return nil
    }

    @Test("A slow backend delays only itself: adding, removing and asking go on") func slowBackend() async throws {
        let (gate, begun) = (Gate(), Gate())
        let backend = ModelBackend { _, number, _ in
            begun.open()
            await gate.wait()
            return DeliveryReceipt(backend: "model", handle: "\(number)", server: "s1")
        }
        let clock = ManualTriggerClock()
        try await NoticeCenter.onModel(backend, clock: clock) { center in
            try await center.add(.sample("x"))
            await begun.wait()
            try await center.add([.sample("later", .after(.seconds(60))), .sample("gone", .after(.seconds(60)))])
            try await center.remove("gone")
            #expect(try await center.pending().map(\.id) == ["x", "later"])
            #expect(try await center.delivered() == [])
            try await center.setCategories([])
            gate.open()
        }
        #expect(backend.deliveries.count == 1)
    }

    @Test("A backend whose run fails ends the center's run with its error") func runFails() async throws {
        struct Broken: DeliveryBackend {
            let name = "broken"
            func capabilities() async throws(NoticeError) -> DeliveryCapabilities { .init(server: "", features: []) }
            func deliver(_ delivery: Delivery) async throws(NoticeError) -> DeliveryReceipt {
                throw NoticeError(.unsupported, "It can't.")
            }
            func withdraw(_ receipt: DeliveryReceipt) async throws(NoticeError) {}
            func run(reporting report: @escaping @Sendable (BackendEvent) -> Void) async throws(NoticeError) {
                throw NoticeError(.unsupported, "It won't run.")
            }
        }
        let center = NoticeCenter(app: World.app, backend: Broken(), clock: .manual(ManualTriggerClock()))
        await expectError(.unsupported) { try await center.run() }
        await expectError(.centerStopped) { try await center.run() }
    }
}
