import BelfryTestSupport
import Foundation
import Synchronization

/// A `belfry` that runs beside the test, which talks with it and interrupts it. One call at a time.
final class RunningProgram: Sendable {
    fileprivate struct State {
        let program = Process()
        let input = Pipe()
        let output = Pipe()
        let errors = Pipe()
        var unread = ""
    }

    private let state = Mutex(State())

    init(
        _ arguments: [String],
        of path: String = BuiltProgram.path,
        environment: [String: String] = BuiltProgram.environment
    ) throws {
        try state.withLock { state in
            state.program.executableURL = URL(fileURLWithPath: path)
            state.program.arguments = arguments
            state.program.environment = environment
            state.program.standardInput = state.input
            state.program.standardOutput = state.output
            state.program.standardError = state.errors
            try state.program.run()
        }
    }

    deinit {
        state.withLock { state in
            if state.program.isRunning { kill(state.program.processIdentifier, SIGKILL) }
        }
    }

    func write(_ text: String) throws {
        try state.withLock { try $0.input.fileHandleForWriting.write(contentsOf: Data(text.utf8)) }
    }

    /// Nothing more to read for the program.
    func closeInput() throws { try state.withLock { try $0.input.fileHandleForWriting.close() } }

    /// Nobody reads any more what the program writes.
    func closeOutput() throws { try state.withLock { try $0.output.fileHandleForReading.close() } }

    /// The next line of standard output; nil at its end.
    func line() async -> String? { await patiently { $0.line() } }

    var number: Int32 { state.withLock { $0.program.processIdentifier } }

    func signal(_ number: Int32) { state.withLock { _ = kill($0.program.processIdentifier, number) } }

    /// Waits for the end; answers the exit status, or the negative number of the signal that ended it, and what was
    /// written to standard error.
    func end() async -> (status: Int32, errors: String) {
        await patiently { state in
            state.program.waitUntilExit()
            let errors = state.errors.fileHandleForReading.readDataToEndOfFile()
            let status = state.program.terminationStatus
            return (
                state.program.terminationReason == .exit ? status : -status, String(decoding: errors, as: UTF8.self)
            )
        }
    }

    private func patiently<Value: Sendable>(_ body: @escaping @Sendable (inout State) -> Value) async -> Value {
        await offThePool { self.state.withLock { body(&$0) } }
    }
}

extension RunningProgram.State {
    fileprivate mutating func line() -> String? {
        while true {
            if let end = unread.firstIndex(of: "\n") {
                defer { unread = String(unread[unread.index(after: end)...]) }
                return String(unread[..<end])
            }
            let more = output.fileHandleForReading.availableData
            guard !more.isEmpty else { return nil }
            unread += String(decoding: more, as: UTF8.self)
        }
    }
}
