import Foundation

/// Runs what blocks. Swift's pool has one thread a core, and all tests of a process share it: two that block hold up
/// the rest on a machine of two cores, be it what they wait for.
package func offThePool<Value: Sendable, Failure: Error>(
    _ body: @escaping @Sendable () throws(Failure) -> Value
) async throws(Failure) -> Value {
    let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
        Thread.detachNewThread { continuation.resume(returning: Result(catching: body)) }
    }
    return try result.get()
}

/// What a program prints until it ends.
package func output(of program: String, _ arguments: [String] = []) async throws -> String {
    try await offThePool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let printed = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: printed, as: UTF8.self)
    }
}
