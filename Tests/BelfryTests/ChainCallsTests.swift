import Belfry
import BelfryRecorder
import BelfryTestSupport
import BelfryTesting
import Foundation
import Synchronization
import Testing

/// A recorder on a desktop with numbers on icons and do-not-disturb.
private final class Dock: DeliveryBackend {
    let recorder: RecorderBackend
    private let shownBadges = Mutex<[Int]>([])

    init(_ name: String, offering: DeliveryCapabilities = .everything) {
        recorder = RecorderBackend(name: name, offering: offering)
    }

    var name: String { recorder.name }
    var badges: [Int] { shownBadges.withLock { $0 } }

    func capabilities() async throws(NoticeError) -> DeliveryCapabilities { try await recorder.capabilities() }
    func withdraw(_ receipt: DeliveryReceipt) async throws(NoticeError) { try await recorder.withdraw(receipt) }
    func deliver(_ delivery: Delivery) async throws(NoticeError) -> DeliveryReceipt {
        try await recorder.deliver(delivery)
    }
    func run(reporting report: @escaping @Sendable (BackendEvent) -> Void) async throws(NoticeError) {
        try await recorder.run(reporting: report)
    }
    func doNotDisturb() async -> DeliveryCapabilities.DoNotDisturb { .on }
    func setBadge(_ count: Int, of app: AppIdentity) async throws(NoticeError) {
        shownBadges.withLock { $0.append(count) }
    }
}

@Suite("What a center asks of a chain goes to the backend that would deliver", .takesTurns, .timeLimit(.minutes(5)))
struct ChainCallsTests {
    private let clock = ManualTriggerClock(date: World.start)
    private let absent = Dock("absent")
    private let working = Dock("working", offering: .everything.without(.actions))

    private func run(_ body: @escaping @Sendable (NoticeCenter) async throws -> Void) async throws {
        absent.recorder.failAll(with: NoticeError(.noBus, "There is no bus."), on: .capabilities)
        let chain = BackendChain([absent, working], clock: .manual(clock))
        try await NoticeCenter(app: World.app, backend: chain, clock: .manual(clock)).run(body)
    }

    @Test("The badge, and whether to disturb") func badge() async throws {
        try await run { center in
            try await center.setBadge(3)
            try await center.setBadge(0)
            #expect(working.badges == [3, 0])
            #expect(absent.badges == [])
            #expect(await center.doNotDisturb() == .on)
        }
    }

    @Test("A preview, with what that backend can't show") func preview() async throws {
        try await run { center in
            let content = NoticeContent(title: "Tea", actions: [NoticeAction("drink", title: "Drink")])
            let preview = try await center.previewDelivery(of: content)
            #expect(preview.backend == "working")
            #expect(preview.content.actions == [])
            #expect(preview.lost.map(\.feature) == [.actions])
            #expect(working.recorder.deliveries == [])
        }
    }

    @Test("A chain runs for one center: the second that runs it is told") func twice() async throws {
        let chain = BackendChain([working], clock: .manual(clock))
        try await NoticeCenter(app: World.app, backend: chain, clock: .manual(clock)).run { _ in
            let other = NoticeCenter(app: World.app, backend: chain, clock: .manual(clock))
            let error = await expectError(.unsupported) { try await other.run() }
            #expect(error?.message.contains("make one for each center") == true)
        }
    }
}
