import Belfry
import BelfryRecorder
import BelfryTestSupport
import BelfryTesting
import Foundation
import Synchronization
import Testing

/// A recorder on a desktop that has a switch for each app.
private final class SwitchedBackend: DeliveryBackend {
    let recorder = RecorderBackend()
    private let state = Mutex((word: DesktopPermission.on, asked: 0))
    /// Closed, it keeps the desktop from answering.
    let gate = Gate(isOpen: true)

    var name: String { recorder.name }
    var asked: Int { state.withLock { $0.asked } }
    func turn(_ word: DesktopPermission) { state.withLock { $0.word = word } }

    func desktopPermission(for app: AppIdentity) async -> DesktopPermission {
        state.withLock { $0.asked += 1 }
        await gate.wait()
        return state.withLock { app == World.app ? $0.word : .unknown }
    }

    func capabilities() async throws(NoticeError) -> DeliveryCapabilities { try await recorder.capabilities() }
    func deliver(_ delivery: Delivery) async throws(NoticeError) -> DeliveryReceipt {
        try await recorder.deliver(delivery)
    }
    func withdraw(_ receipt: DeliveryReceipt) async throws(NoticeError) { try await recorder.withdraw(receipt) }
    func run(reporting report: @escaping @Sendable (BackendEvent) -> Void) async throws(NoticeError) {
        try await recorder.run(reporting: report)
    }
}

@Suite("The desktop's own switch for an app", .takesTurns)
struct DesktopPermissionTests {
    private func run(
        inChain: Bool = false,
        prompt: (any AuthorizationPrompt)? = nil,
        _ body: @escaping @Sendable (SwitchedBackend, NoticeCenter, ManualTriggerClock) async throws -> Void
    ) async throws {
        let (backend, clock) = (SwitchedBackend(), ManualTriggerClock(date: World.start))
        let center = NoticeCenter(
            app: World.app,
            backend: inChain ? BackendChain([backend], clock: .manual(clock)) : backend,
            clock: .manual(clock),
            prompt: prompt
        )
        try await center.run { center in
            await center.quiet()
            try await body(backend, center, clock)
        }
    }

    private func refusal(_ center: NoticeCenter) async -> NoticeError? {
        do throws(NoticeError) {
            try await center.add(.sample("refused"))
            return nil
        } catch { return error }
    }

    @Test(
        "off is denied: add is refused, what is due is suppressed, and both name the desktop",
        arguments: [false, true]
    )
    func off(inChain: Bool) async throws {
        try await run(inChain: inChain) { backend, center, clock in
            try await center.add([.sample("a", .after(.seconds(10))), .sample("b", .after(.seconds(20)))])
            #expect(try await center.authorizationStatus() == .authorized)
            backend.turn(.off)
            try await clock.advance(by: .seconds(10))
            #expect(backend.recorder.attempts == [])
            let line = try await center.history(HistoryQuery(requestID: "a")).first
            #expect(line?.outcome == .suppressed && line?.detail?.contains("desktop's own settings") == true)
            #expect(try await center.authorizationStatus() == .denied)
            #expect(await center.desktopPermission() == .off)
            let error = await refusal(center)
            #expect(error?.code == .notAuthorized && error?.message.contains("desktop's own settings") == true)
            backend.turn(.on)
            try await clock.advance(by: .seconds(10))
            #expect(backend.recorder.deliveries.map(\.requestID) == ["b"])
            #expect(await refusal(center) == nil)
        }
    }

    @Test("quiet is provisional: delivered quietly") func quiet() async throws {
        try await run { backend, center, clock in
            backend.turn(.quiet)
            #expect(try await center.authorizationStatus() == .provisional)
            try await center.add(.sample("a"))
            try await clock.settle()
            #expect(try backend.recorder.expectDelivery(of: "a").content.level == .passive)
        }
    }

    @Test("a desktop that doesn't say changes nothing; what the user denied stays denied where it says on")
    func unknown() async throws {
        try await run { backend, center, clock in
            backend.turn(.unknown)
            #expect(try await center.authorizationStatus() == .authorized)
            try await center.setAuthorization(.denied)
            backend.turn(.on)
            #expect(try await center.authorizationStatus() == .denied)
            try await clock.advance(by: .seconds(5))
            #expect(await refusal(center)?.message.contains("user denied") == true)
        }
    }

    @Test("nobody is asked for an app that is switched off; switched on again, the question comes")
    func notAsked() async throws {
        let prompt = ScriptedPrompt(.allowed)
        try await run(prompt: prompt) { backend, center, clock in
            backend.turn(.off)
            let status = try await center.requestAuthorization()
            #expect(status == .denied && prompt.asked.isEmpty)
            backend.turn(.on)
            #expect(try await center.requestAuthorization() == .authorized)
            #expect(prompt.asked.count == 1)
        }
    }

    @Test("a burst asks the desktop once") func burst() async throws {
        try await run { backend, center, clock in
            let before = backend.asked
            try await center.add((0..<500).map { .sample("n\($0)", .after(.seconds(10))) })
            try await clock.advance(by: .seconds(10))
            #expect(backend.recorder.deliveries.count == 500)
            #expect(backend.asked - before == 2)
        }
    }

    @Test("a desktop that hangs is waited for once, not in every add; its late word counts") func hangs() async throws {
        try await run { backend, center, clock in
            backend.turn(.off)
            backend.gate.close()
            let before = backend.asked
            for number in 0..<10 {
                try await center.add(.sample("n\(number)", .after(.seconds(3_600))))
                try await clock.advance(by: .seconds(6))
            }
            #expect(backend.asked - before == 1)
            backend.gate.open()
            // Asked anew and answered: by then the late answer has come as well.
            #expect(await center.desktopPermission() == .off)
            #expect(await refusal(center)?.code == .notAuthorized)
        }
    }

    @Test("a center that does not run does not ask") func notRunning() async throws {
        let backend = SwitchedBackend()
        backend.turn(.off)
        let center = NoticeCenter(app: World.app, backend: backend)
        #expect(await center.desktopPermission() == .unknown)
        #expect(try await center.authorizationStatus() == .authorized)
        #expect(backend.asked == 0)
    }
}
