import Belfry
import BelfryPluginHost
import BelfryTestSupport
import CBelfryPlugin
import CMisbehavingPlugin
import Foundation
import Synchronization
import Testing

func delivery(
    _ title: String,
    _ change: (inout NoticeContent) -> Void = { _ in },
    replaces: DeliveryReceipt? = nil
) -> Delivery {
    var content = NoticeContent(title: title)
    change(&content)
    return Delivery(
        id: "\(title)#1",
        requestID: title,
        app: AppIdentity(id: "org.example.Stage", name: "Stage"),
        content: content,
        dueDate: Date(timeIntervalSince1970: 1_800_000_000),
        replaces: replaces
    )
}

func stageBackend(_ appName: String, timeouts: PluginBackend.Timeouts = .init()) throws -> PluginBackend {
    try PluginBackend(
        descriptor: #require(misbehaving_descriptor()),
        app: AppIdentity(id: "org.example.Stage", name: appName),
        timeouts: timeouts
    )
}

/// Runs the misbehaving plug-in, under an app name of this test's own, while `body` does. Returns all that was reported
/// until the run had ended.
@discardableResult
func onStage(
    _ appName: String,
    timeouts: PluginBackend.Timeouts = .init(),
    _ body: (PluginBackend, EventLog) async throws -> Void
) async throws -> EventLog {
    let backend = try stageBackend(appName, timeouts: timeouts)
    let log = EventLog()
    let run = Task { try await backend.run { log.add($0) } }
    do {
        try await body(backend, log)
    } catch {
        run.cancel()
        _ = await run.result
        throw error
    }
    run.cancel()
    try await run.value
    return log
}

/// The error that `body` throws.
func failure(_ body: () async throws -> Void) async throws -> NoticeError {
    do {
        try await body()
    } catch let error as NoticeError {
        return error
    }
    throw NothingThrown()
}

struct NothingThrown: Error, CustomStringConvertible {
    let description = "nothing was thrown"
}

/// Delivers a notice with this title and expects this handle.
func expectHandle(
    _ expected: String,
    of title: String,
    on backend: PluginBackend,
    at location: SourceLocation = #_sourceLocation
) async throws {
    let receipt = try await backend.deliver(delivery(title))
    #expect(receipt.handle == expected, sourceLocation: location)
}
