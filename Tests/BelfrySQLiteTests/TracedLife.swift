import CSystemCallTracer
import Foundation

/// A life of StoreWriter's under the tracer.
struct TracedLife {
    var calls: Int
    var wasKilled: Bool
    var lines: [String]

    static func run(_ arguments: [String], killAt call: Int) async throws -> TracedLife {
        try await withCheckedThrowingContinuation { continuation in
            // A thread of its own: whoever traces waits for its children, and for no other thread's.
            let thread = Thread { continuation.resume(with: Result { try trace(arguments, call) }) }
            thread.start()
        }
    }

    private static func trace(_ arguments: [String], _ call: Int) throws -> TracedLife {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw POSIXError(.EMFILE) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let reader = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
        let output = ReadToEnd(reader)
        var status: Int32 = 0
        var words = ([WriterProcess.path] + arguments).map { strdup($0) }
        defer { words.forEach { free($0) } }
        words.append(nil)
        let calls = words.withUnsafeBufferPointer { words in
            words.withMemoryRebound(to: UnsafePointer<CChar>?.self) {
                system_call_tracer_run($0.baseAddress, ends[1], call, 60, &status)
            }
        }
        close(ends[1])
        let lines = String(decoding: output.wait(), as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        return TracedLife(calls: calls, wasKilled: status & 0x7F == SIGKILL, lines: lines.map(String.init))
    }
}

/// Reads a pipe beside whoever writes into it.
private final class ReadToEnd: Sendable {
    private let group = DispatchGroup()
    nonisolated(unsafe) private var data = Data()

    /// `data` is written before the group is left and read after.
    init(_ handle: FileHandle) {
        group.enter()
        DispatchQueue.global().async { [self] in
            data = handle.readDataToEndOfFile()
            group.leave()
        }
    }

    func wait() -> Data {
        group.wait()
        return data
    }
}
