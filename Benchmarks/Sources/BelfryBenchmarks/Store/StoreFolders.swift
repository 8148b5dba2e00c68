import Belfry
import Foundation

/// Where the store's figures are measured: on the disk that the project lies on, since a disk in memory has no fsync.
struct StoreFolders {
    let path: String

    init() throws {
        var template = Array((FileManager.default.currentDirectoryPath + "/.build/store-bench-XXXXXX").utf8CString)
        guard let made = mkdtemp(&template) else { throw BenchmarkFault(description: "no folder below .build") }
        path = String(cString: made)
    }

    func remove() { try? FileManager.default.removeItem(atPath: path) }
}

/// Runs asynchronous work to its end, on a thread that has nothing else to do.
func waited<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) throws -> Value {
    let done = DispatchSemaphore(value: 0)
    nonisolated(unsafe) var result: Result<Value, any Error>?
    Task.detached {
        do { result = .success(try await work()) } catch { result = .failure(error) }
        done.signal()
    }
    done.wait()
    guard let result else { throw BenchmarkFault(description: "work without a result") }
    return try result.get()
}

/// A backend that nothing is delivered to.
struct IdleBackend: DeliveryBackend {
    let name = "idle"

    func capabilities() async throws(NoticeError) -> DeliveryCapabilities {
        DeliveryCapabilities(server: "idle", features: [])
    }

    func deliver(_ delivery: Delivery) async throws(NoticeError) -> DeliveryReceipt {
        throw NoticeError(.rejected, "Nothing is due in this measurement.")
    }

    func withdraw(_ receipt: DeliveryReceipt) async throws(NoticeError) {}
    func run(reporting report: @escaping @Sendable (BackendEvent) -> Void) async throws(NoticeError) {}
}
