import Belfry
import BelfryRecorder
import BelfryTesting
import Foundation
import Testing

extension World {
    /// Seconds after ``start`` at which each delivery was due.
    func dues(of id: String? = nil) -> [Double] {
        recorder.deliveries.filter { id == nil || $0.requestID == id }.map { $0.dueDate.timeIntervalSince(World.start) }
    }

    /// The same in hours.
    func dueHours(of id: String? = nil) -> [Double] { dues(of: id).map { $0 / 3_600 } }

    func shownIDs() -> [String] { recorder.shown.map(\.id) }

    func standingIDs() async throws -> [String] { try await center.delivered().map(\.requestID) }

    /// Plays the user and waits until it is taken in.
    func person(_ response: SimulatedResponse, on id: String) async throws {
        try recorder.simulate(response, on: id)
        // The center may have begun just now, and not listen to its backend yet.
        await recorder.waitUntilReported()
        await center.quiet()
    }

    func lastDetail(of id: String, _ outcome: HistoryEntry.Outcome) async throws -> String? {
        try await center.history(HistoryQuery(requestID: id)).last { $0.outcome == outcome }?.detail
    }
}

/// Expects a typed error, and gives it for a look at its message.
@discardableResult
func expectError(
    _ code: NoticeError.Code,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Void
) async -> NoticeError? {
    do {
        try await body()
        Issue.record("nothing was thrown, \(code) was expected", sourceLocation: sourceLocation)
    } catch let error as NoticeError {
        #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
        return error
    } catch {
        Issue.record("\(error) instead of \(code)", sourceLocation: sourceLocation)
    }
    return nil
}

/// Something that tests and what they test write to and read from.
actor Box<Value: Sendable> {
    private(set) var value: Value
    init(_ value: Value) { self.value = value }
    func set(_ new: Value) { value = new }
    func update(_ change: @Sendable (inout Value) -> Void) { change(&value) }
}
