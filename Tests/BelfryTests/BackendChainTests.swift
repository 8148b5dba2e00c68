import BelfryRecorder
import BelfryTestSupport
import BelfryTesting
import Dispatch
import Foundation
import Synchronization
import Testing

@testable import Belfry

@Suite("A chain of backends", .takesTurns, .timeLimit(.minutes(5)))
struct BackendChainTests {
    private let clock = ManualTriggerClock()
    private let first = RecorderBackend(name: "first")
    private let second = RecorderBackend(name: "second")
    private let gone = NoticeError(.noServer, "Nobody is there.")

    private func withCenter(
        _ chain: BackendChain,
        _ body: @escaping @Sendable (NoticeCenter) async throws -> Void
    ) async throws {
        let app = AppIdentity(id: "org.example.Chain", name: "Chain")
        try await NoticeCenter(app: app, backend: chain, clock: .manual(clock)).run(body)
    }

    private func chain(_ timeouts: BackendChain.Timeouts = .init()) -> BackendChain {
        BackendChain([first, second], timeouts: timeouts, clock: .manual(clock))
    }

    private func shownBy(_ id: String, _ center: NoticeCenter) async throws -> String {
        try await center.show(NoticeRequest(id: id, title: id)).receipt.backend
    }

    private func content(_ title: String) -> NoticeContent {
        NoticeContent(title: title, actions: [NoticeAction("yes", title: "Yes")])
    }

    @Test("the first that works delivers, and the receipt and the ledger name it; the others are never run")
    func firstChoice() async throws {
        try await withCenter(chain()) { center in
            let events = await center.events()
            let shown = try await center.show(NoticeRequest(id: "tea", title: "Tea"))
            #expect(shown.receipt.backend == "first")
            #expect(first.deliveries.count == 1 && second.deliveries.isEmpty)
            for await case .history(let entry) in events where entry.outcome == .delivered {
                #expect(entry.backend == "first")
                break
            }
        }
    }

    @Test("one that has never worked is passed over at once; content is fitted to the one that delivers")
    func passedOver() async throws {
        first.failAll(with: gone, on: .capabilities)
        second.offered = DeliveryCapabilities(server: "small", features: [.body])
        try await withCenter(chain()) { center in
            let shown = try await center.show(NoticeRequest(id: "tea", content: content("Tea")))
            #expect(shown.receipt.backend == "second")
            #expect(shown.receipt.lost.map(\.feature) == [.actions])
            #expect(first.attempts.isEmpty)
        }
    }

    @Test("a server that comes back with less is asked anew, and gets what it can show")
    func askedAnew() async throws {
        try await withCenter(chain()) { center in
            let before = try await center.show(NoticeRequest(id: "tea", content: content("Tea")))
            #expect(before.receipt.lost.isEmpty)
            first.removeServer()
            first.offered = DeliveryCapabilities(server: "small", features: [.body])
            first.restoreServer()
            let after = try await center.show(NoticeRequest(id: "coffee", content: content("Coffee")))
            #expect(after.receipt.backend == "first")
            #expect(after.receipt.lost.map(\.feature) == [.actions])
            #expect(second.attempts.isEmpty)
        }
    }

    @Test("answers, closings and withdrawals go to and come from the one that delivered")
    func events() async throws {
        first.failAll(with: gone, on: .capabilities)
        try await withCenter(chain()) { center in
            let responses = await center.responses()
            try await center.add(NoticeRequest(id: "ask", content: content("Ask")))
            try await clock.settle()
            try second.simulate(.action("yes"), on: "ask")
            #expect(await responses.first { _ in true }?.kind == .action("yes"))
            await center.quiet()
            #expect(second.shown.isEmpty)
            _ = try await center.show(NoticeRequest(id: "stays", title: "Stays"))
            try second.simulate(.dismiss, on: "stays")
            await second.waitUntilReported()
            await center.quiet()
            #expect(try await center.delivered().isEmpty)
        }
    }

    @Test(
        "a lost server is waited for; when it stays away the next one shows, and when it returns it is the choice again"
    )
    func lostAndFound() async throws {
        try await withCenter(chain(.init(failover: .seconds(5)))) { center in
            _ = try await center.show(NoticeRequest(id: "one", title: "One"))
            first.removeServer()
            await first.waitUntilReported()
            try await center.add(NoticeRequest(id: "two", title: "Two"))
            try await clock.settle()
            // Within the patience nobody else shows it.
            try await clock.advance(by: .seconds(4))
            #expect(second.deliveries.isEmpty)
            // Attempts are after 1, 3 and 7 seconds.
            try await clock.advance(by: .seconds(4))
            #expect(second.shown.map(\.id) == ["two"])
            first.restoreServer()
            await first.waitUntilReported()
            try await center.add(NoticeRequest(id: "three", title: "Three"))
            try await clock.settle()
            #expect(first.shown.map(\.id) == ["three"])
            // What stands at the second is taken down there.
            try await center.removeDelivered(["two"])
            #expect(second.shown.isEmpty)
        }
    }

    @Test("a server that still reports its features, and shows nothing, is waited for as long as one that is gone")
    func frozen() async throws {
        try await withCenter(chain(.init(failover: .seconds(5)))) { center in
            _ = try await center.show(NoticeRequest(id: "one", title: "One"))
            first.failAll(with: gone, on: .deliver)
            try await center.add(NoticeRequest(id: "two", title: "Two"))
            try await clock.settle()
            try await clock.advance(by: .seconds(4))
            #expect(second.deliveries.isEmpty)
            // Attempts are after 1, 3 and 7 seconds.
            try await clock.advance(by: .seconds(4))
            #expect(second.shown.map(\.id) == ["two"])
        }
    }

    @Test("a server that is back within the patience shows what waited, and nobody else does")
    func shortAbsence() async throws {
        try await withCenter(chain()) { center in
            _ = try await center.show(NoticeRequest(id: "one", title: "One"))
            first.removeServer()
            await first.waitUntilReported()
            try await center.add(NoticeRequest(id: "two", title: "Two"))
            try await clock.settle()
            first.restoreServer()
            await first.waitUntilReported()
            try await clock.settle()
            try await clock.advance(by: .seconds(1))
            #expect(first.shown.map(\.id) == ["two"])
            #expect(second.attempts.isEmpty)
        }
    }

    @Test("a better one that does not tell of itself is looked at again after a minute")
    func lookedAtAgain() async throws {
        first.failAll(with: gone, on: .capabilities)
        try await withCenter(chain()) { center in
            let atFirst = try await shownBy("a", center)
            first.succeed()
            try await clock.advance(by: .seconds(59))
            let before = try await shownBy("a", center)
            #expect(atFirst == "second" && before == "second")
            try await clock.advance(by: .seconds(1))
            let third = try await center.show(NoticeRequest(id: "a", title: "A"))
            #expect(third.receipt.backend == "first")
            // Shown in the other's place: that one's is down.
            await center.quiet()
            #expect(second.shown.isEmpty && first.shown.map(\.id) == ["a"])
        }
    }

    @Test(
        "busy and refusing servers keep their place; one that can't is passed over, with the same notice",
        arguments: [
            (NoticeError.Code.serverBusy, nil as String?), (.failedForNow, nil), (.rejected, nil),
            (.invalidContent, nil), (.unsupported, "second"), (.pluginMisbehaved, "second"),
            (.systemFailure, "second"),
        ]
    )
    func errors(code: NoticeError.Code, other: String?) async throws {
        first.failNext(with: NoticeError(code, "No."))
        try await withCenter(chain()) { center in
            if let other {
                let name = try await shownBy("a", center)
                #expect(name == other)
            } else {
                let error = await #expect(throws: NoticeError.self) { try await shownBy("a", center) }
                #expect(error?.code == code)
                #expect(second.attempts.isEmpty)
                let name = try await shownBy("a", center)
                #expect(name == "first")
            }
        }
    }

    @Test("a stuck backend costs the limit, and what it shows too late is taken down")
    func stuck() async throws {
        let stubborn = StubbornBackend()
        let timeouts = BackendChain.Timeouts(failover: .zero, call: .milliseconds(500))
        try await withCenter(BackendChain([stubborn, second], timeouts: timeouts, clock: .manual(clock))) { center in
            let name = try await shownBy("a", center)
            #expect(name == "second")
            #expect(second.deliveries.map(\.isPossiblyRepeated) == [true])
            stubborn.letGo()
            var withdrawn = stubborn.withdrawn.makeAsyncIterator()
            #expect(await withdrawn.next()?.handle == "late")
        }
    }

    @Test("what a stuck backend may have shown is marked in a later call, too, if the next backend is busy in this one")
    func stuckBeforeBusy() async throws {
        let stubborn = StubbornBackend()
        let timeouts = BackendChain.Timeouts(failover: .zero, call: .milliseconds(500))
        let chain = BackendChain([stubborn, second], timeouts: timeouts, clock: .manual(clock))
        let app = AppIdentity(id: "org.example.Chain", name: "Chain")
        let delivery = Delivery(id: "d", requestID: "a", app: app, content: content("A"), dueDate: .distantPast)
        second.failNext(with: NoticeError(.serverBusy, "No."))
        await expectError(.serverBusy) { _ = try await chain.deliver(delivery) }
        _ = try await chain.deliver(delivery)
        #expect(second.deliveries.last?.isPossiblyRepeated == true)
        // Another delivery is not.
        var other = delivery
        other.id = "e"
        _ = try await chain.deliver(other)
        #expect(second.deliveries.last?.isPossiblyRepeated == false)
        stubborn.letGo()
    }

    @Test("what replaces a delivered notice too late stays: its handle is the delivered one's")
    func stuckReplacement() async throws {
        let stubborn = StubbornBackend()
        let chain = BackendChain([stubborn], timeouts: .init(call: .milliseconds(500)), clock: .manual(clock))
        let app = AppIdentity(id: "org.example.Chain", name: "Chain")
        var delivery = Delivery(id: "1", requestID: "a", app: app, content: content("A"), dueDate: .distantPast)
        delivery.replaces = DeliveryReceipt(backend: "stubborn", handle: "late")
        await expectError(.serverTimedOut) { _ = try await chain.deliver(delivery) }
        stubborn.letGo()
        _ = try await chain.deliver(delivery)
        try await chain.withdraw(DeliveryReceipt(backend: "stubborn", handle: "other"))
        var withdrawn = stubborn.withdrawn.makeAsyncIterator()
        #expect(await withdrawn.next()?.handle == "other")
    }

    @Test(
        "an attempt that comes back after its retry is taken down, unless the retry stands there under the same handle",
        arguments: [true, false]
    )
    func stuckBeforeRetry(isSameHandle: Bool) async throws {
        let backend = SlowStarter(isSameHandle: isSameHandle)
        let chain = BackendChain([backend], timeouts: .init(call: .milliseconds(500)), clock: .manual(clock))
        let app = AppIdentity(id: "org.example.Chain", name: "Chain")
        let delivery = Delivery(id: "d", requestID: "a", app: app, content: content("A"), dueDate: .distantPast)
        await expectError(.serverTimedOut) { _ = try await chain.deliver(delivery) }
        _ = try await chain.deliver(delivery)
        backend.gate.open()
        await backend.returned.wait()
        var withdrawn = backend.withdrawn.makeAsyncIterator()
        if !isSameHandle { #expect(await withdrawn.next()?.handle == "1") }
        // Its calls share one thread: what follows the late receipt is ahead of these.
        _ = try await chain.capabilities()
        try await chain.withdraw(DeliveryReceipt(backend: backend.name, handle: "other"))
        #expect(await withdrawn.next()?.handle == "other")
    }

    @Test("what comes back during a retry waits for the retry's handle")
    func lateDuringRetry() {
        let attempts = ChainAttempts()
        let (same, other) = (
            DeliveryReceipt(backend: "first", handle: "same"), DeliveryReceipt(backend: "first", handle: "other")
        )
        let stuck = [attempts.begin("d", at: 0), attempts.begin("d", at: 0)]
        let retry = attempts.begin("d", at: 0)
        #expect(attempts.returnedLate(same, of: stuck[0]).isEmpty)
        #expect(attempts.returnedLate(other, of: stuck[1]).isEmpty)
        #expect(attempts.end(retry, with: same.key) == [other])
        // A retry that fails has shown nothing.
        let first = attempts.begin("e", at: 0)
        let failing = attempts.begin("e", at: 0)
        #expect(attempts.returnedLate(same, of: first).isEmpty)
        #expect(attempts.end(failing, with: nil) == [same])
        // What was withdrawn in the meantime must not come back.
        attempts.forget(same.key)
        #expect(attempts.returnedLate(same, of: stuck[0]) == [same])
        // Attempts of another backend, or at another delivery, are no retries of it.
        _ = attempts.begin("e", at: 1)
        _ = attempts.begin("f", at: 0)
        #expect(attempts.returnedLate(other, of: failing) == [other])
    }

    @Test("files are looked at off the thread of all centers where a notice is prepared for another backend")
    func filesOffThread() async throws {
        let folder = try TemporaryFolder()
        var content = content("Tea")
        content.image = try .file(folder.write("tea.png", "a picture"))
        let app = AppIdentity(id: "org.example.Chain", name: "Chain")
        let delivery = Delivery(id: "1", requestID: "tea", app: app, content: content, dueDate: .distantPast)
        second.offered = DeliveryCapabilities(server: "small", features: [.body])
        let chain = chain()
        _ = try await chain.capabilities()
        first.failNext(with: NoticeError(.unsupported, "No."))
        chain.files.suspend()
        let shown = Task(executorPreference: CenterThread.shared) { try await chain.deliver(delivery) }
        for _ in 0..<1_000 { await CenterThread.shared.letOthersWork() }
        #expect(second.attempts == [])
        chain.files.resume()
        #expect(try await shown.value.lost.map(\.feature) == [.actions, .image])
        #expect(second.deliveries.map(\.content.image) == [nil])
    }

    @Test("where none works the error has every reason, and is transient when one of them is")
    func noneWorks() async throws {
        first.failAll(with: NoticeError(.unsupported, "There is no portal."), on: .capabilities)
        second.failAll(with: gone, on: .capabilities)
        let chain = chain()
        let error = await #expect(throws: NoticeError.self) { try await chain.capabilities() }
        #expect(error?.isTransient == true)
        #expect(error?.message.contains("first: There is no portal.") == true)
        #expect(error?.message.contains("second: Nobody is there.") == true)
    }

    @Test("a backend whose run fails is told of and passed over")
    func runFails() async throws {
        let other = Task { try await first.run { _ in } }
        // The recorder is run by another: the chain's own run of it is refused.
        await first.waitUntilReported()
        try await withCenter(chain()) { center in
            let events = await center.events()
            _ = try? await center.show(NoticeRequest(id: "a", title: "A"))
            for await case .error(let error) in events {
                #expect(error.code == .unsupported)
                break
            }
            let name = try await shownBy("b", center)
            #expect(name == "second")
        }
        other.cancel()
        try await other.value
    }

    @Test("a chain in a chain is one chain; what nobody of it has shown can't be withdrawn, and that is said")
    func nested() async throws {
        let chain = BackendChain([BackendChain([first]), second], clock: .manual(clock))
        #expect(chain.backends.map(\.name) == ["first", "second"])
        let error = await #expect(throws: NoticeError.self) {
            try await chain.withdraw(DeliveryReceipt(backend: "third", handle: "1"))
        }
        #expect(error?.code == .notFound && error?.message.contains("'third'") == true)
    }
}

/// Takes a notice and goes on showing it, however long that takes and whoever has given it up.
private final class StubbornBackend: DeliveryBackend {
    let name = "stubborn"
    let withdrawn: AsyncStream<DeliveryReceipt>
    private let withdrawals: AsyncStream<DeliveryReceipt>.Continuation
    private let gate: AsyncStream<Void>
    private let opening: AsyncStream<Void>.Continuation

    init() {
        (withdrawn, withdrawals) = AsyncStream.makeStream()
        (gate, opening) = AsyncStream.makeStream()
    }

    func letGo() { opening.finish() }

    func capabilities() async throws(NoticeError) -> DeliveryCapabilities {
        DeliveryCapabilities(server: "stubborn", features: [.body])
    }

    func deliver(_ delivery: Delivery) async throws(NoticeError) -> DeliveryReceipt {
        // A task of its own: the caller's cancellation does not reach it.
        await Task { for await _ in gate {} }.value
        return DeliveryReceipt(backend: name, handle: "late")
    }

    func withdraw(_ receipt: DeliveryReceipt) async throws(NoticeError) { withdrawals.yield(receipt) }

    func run(reporting report: @escaping @Sendable (BackendEvent) -> Void) async throws(NoticeError) {
        for await _ in AsyncStream<Void>.makeStream().stream {}
    }
}

/// Returns from its first delivery when it is let go, and shows later ones at once.
private final class SlowStarter: DeliveryBackend {
    let name = "slow starter"
    var mayBlock: Bool { false }
    let gate = Gate()
    /// Opened when the first delivery returns.
    let returned = Gate()
    let withdrawn: AsyncStream<DeliveryReceipt>
    private let withdrawals: AsyncStream<DeliveryReceipt>.Continuation
    private let isSameHandle: Bool
    private let count = Mutex(0)

    init(isSameHandle: Bool) {
        self.isSameHandle = isSameHandle
        (withdrawn, withdrawals) = AsyncStream.makeStream()
    }

    func capabilities() async throws(NoticeError) -> DeliveryCapabilities {
        DeliveryCapabilities(server: "slow starter", features: [.body])
    }

    func deliver(_ delivery: Delivery) async throws(NoticeError) -> DeliveryReceipt {
        let number = count.withLock { count in
            count += 1
            return count
        }
        if number == 1 {
            await gate.wait()
            returned.open()
        }
        return DeliveryReceipt(backend: name, handle: isSameHandle ? delivery.id : "\(number)")
    }

    func withdraw(_ receipt: DeliveryReceipt) async throws(NoticeError) { withdrawals.yield(receipt) }

    func run(reporting report: @escaping @Sendable (BackendEvent) -> Void) async throws(NoticeError) {}
}
