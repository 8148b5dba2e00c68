import BelfryTestSupport
import Foundation
import Testing

/// Runs a tool of the system to its end, and answers its status; 127 where there is no such tool.
func runTool(_ name: String, _ arguments: [String]) throws -> Int32 {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [name] + arguments
    process.standardError = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus
}

/// The built StoreWriter, run as a program.
struct WriterProcess {
    let status: Int32
    let lines: [String]

    var output: String { lines.suffix(5).joined(separator: " | ") }

    /// The number of the last acknowledged batch.
    var acknowledged: Int? {
        lines.last { $0.hasPrefix("ack ") }.flatMap { Int($0.dropFirst(4)) }
    }

    static let path = BuildFolder.path + "/StoreWriter"

    /// Runs to the end, or until so many lines and microseconds have passed: then it is killed. Not on Swift's pool.
    ///
    /// - Parameter tool: what starts it, with its own arguments; nil starts it as it is.
    static func run(
        _ arguments: [String],
        by tool: [String]? = nil,
        killAfter count: Int? = nil,
        microseconds: Int = 0,
        limit: Int = 300
    ) async throws -> WriterProcess {
        let words = tool.map { $0 + [path] + arguments } ?? arguments
        return try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(
                    with: Result { try wait(words, tool == nil ? path : "/usr/bin/env", count, microseconds, limit) }
                )
            }
        }
    }

    /// Runs beside `body`, which begins when the first line has come; then its input ends, and it with that.
    static func during(_ arguments: [String], _ body: (Int32) async throws -> Void) async throws {
        let (program, input, output) = try start(arguments)
        let first = await withCheckedContinuation { (continuation: CheckedContinuation<Data, Never>) in
            DispatchQueue.global().async { continuation.resume(returning: output.fileHandleForReading.availableData) }
        }
        #expect(String(decoding: first, as: UTF8.self).hasPrefix("held"))
        do { try await body(program.processIdentifier) } catch {
            kill(program.processIdentifier, SIGKILL)
            throw error
        }
        try input.fileHandleForWriting.close()
    }

    private static func start(
        _ arguments: [String],
        _ path: String = path
    ) throws -> (Process, input: Pipe, output: Pipe) {
        let program = Process()
        program.executableURL = URL(fileURLWithPath: path)
        program.arguments = arguments
        let input = Pipe()
        let output = Pipe()
        program.standardInput = input
        program.standardOutput = output
        try program.run()
        try output.fileHandleForWriting.close()
        return (program, input, output)
    }

    private static func wait(
        _ arguments: [String],
        _ path: String,
        _ count: Int?,
        _ microseconds: Int,
        _ limit: Int
    ) throws -> WriterProcess {
        let (program, _, output) = try start(arguments, path)
        // A guard, for a writer that hangs.
        let guardian = DispatchWorkItem { kill(program.processIdentifier, SIGKILL) }
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(limit), execute: guardian)
        var text = Data()
        var isKilled = false
        while true {
            if let count, !isKilled, text.count(where: { $0 == 0x0A }) >= count {
                let end = ContinuousClock.now + .microseconds(microseconds)
                while ContinuousClock.now < end {}
                kill(program.processIdentifier, SIGKILL)
                isKilled = true
            }
            let piece = output.fileHandleForReading.availableData
            if piece.isEmpty { break }
            text.append(piece)
        }
        program.waitUntilExit()
        guardian.cancel()
        // What was killed in the middle of a line has not said it.
        let lines = String(decoding: text, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
            .dropLast()
        return WriterProcess(status: program.terminationStatus, lines: lines.map(String.init))
    }
}
