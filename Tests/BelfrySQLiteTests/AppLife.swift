import Belfry
import BelfryRecorder
import BelfryTesting
import Foundation

@testable import BelfrySQLite

/// An app over the lives of its process: each opens the store, runs a center on it, and closes the store.
struct AppLife: Sendable {
    static let start = Date(timeIntervalSince1970: 1_767_225_600)

    let center: NoticeCenter
    let recorder: RecorderBackend
    let clock: ManualTriggerClock
    /// Asked for before the store was opened.
    let events: NoticeCenter.Events

    static func run(
        in folder: String,
        _ clock: ManualTriggerClock,
        _ recorder: RecorderBackend = RecorderBackend(),
        location: (any LocationProvider)? = nil,
        _ body: @escaping @Sendable (AppLife) async throws -> Void
    ) async throws {
        let store = try await SQLiteRequestStore.open(in: folder)
        let app = AppIdentity(id: "org.example.Test")
        let center = NoticeCenter(
            app: app,
            backend: recorder,
            store: NoticeStore(store),
            clock: .manual(clock),
            location: location
        )
        let life = AppLife(center: center, recorder: recorder, clock: clock, events: await center.events())
        try await center.run { _ in
            try await clock.settle()
            try await body(life)
        }
        try await store.close()
    }

    func delivered() -> [String] { recorder.deliveries.map(\.requestID) }

    func late(_ id: String) -> Duration? { recorder.deliveries.last { $0.requestID == id }?.late }

    func lines(of id: String) async throws -> [HistoryEntry] { try await center.history(HistoryQuery(requestID: id)) }
}
