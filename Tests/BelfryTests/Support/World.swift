import Belfry
import BelfryRecorder
import BelfryRecurrence
import BelfryTesting
import Foundation

/// A center on a recorder and a manual clock: a world in which nothing happens by itself.
struct World {
    static let app = AppIdentity(id: "org.example.Test")
    /// 2026-01-01 00:00:00 UTC, a Thursday.
    static let start = Date(timeIntervalSince1970: 1_767_225_600)
    /// Thousands of deliveries on a slow machine take longer than a clock allows otherwise. It is less than the time
    /// limit of a suite, so that the clock names what hangs.
    static let patience = Duration.seconds(180)

    let clock: ManualTriggerClock
    let recorder: RecorderBackend
    let store: any RequestStore
    let center: NoticeCenter

    /// Runs `body` in a new world, whose center runs beside it.
    static func run(
        at start: Date = start,
        zone: ZoneRules = .utc,
        store: any RequestStore = MemoryRequestStore(),
        prompt: (any AuthorizationPrompt)? = nil,
        location: (any LocationProvider)? = nil,
        options: CenterOptions = CenterOptions(),
        recorder: RecorderBackend = RecorderBackend(),
        _ body: @escaping @Sendable (World) async throws -> Void
    ) async throws {
        let clock = ManualTriggerClock(date: start, zone: zone, patience: patience)
        try await run(
            on: clock,
            store: store,
            prompt: prompt,
            location: location,
            options: options,
            recorder: recorder,
            body
        )
    }

    /// A world on the clock of an earlier one: what a restart of the process is.
    static func run(
        on clock: ManualTriggerClock,
        store: any RequestStore,
        prompt: (any AuthorizationPrompt)? = nil,
        location: (any LocationProvider)? = nil,
        options: CenterOptions = CenterOptions(),
        recorder: RecorderBackend = RecorderBackend(),
        _ body: @escaping @Sendable (World) async throws -> Void
    ) async throws {
        let center = NoticeCenter(
            app: app,
            backend: recorder,
            store: NoticeStore(store),
            clock: .manual(clock),
            prompt: prompt,
            location: location,
            options: options
        )
        let world = World(clock: clock, recorder: recorder, store: store, center: center)
        try await center.run { _ in
            await world.center.quiet()
            try await body(world)
        }
    }

    func history(of id: String? = nil) async throws -> [HistoryEntry.Outcome] {
        try await center.history(HistoryQuery(requestID: id)).map(\.outcome)
    }

    func pendingIDs() async throws -> [String] { try await center.pending().map(\.id) }

    func deliveredIDs() -> [String] { recorder.deliveries.map(\.requestID) }
}

extension NoticeRequest {
    static func sample(_ id: String, _ trigger: (any NoticeTrigger)? = nil) -> NoticeRequest {
        NoticeRequest(id: id, title: "Notice \(id)", body: "Body of \(id)", trigger: trigger)
    }
}
