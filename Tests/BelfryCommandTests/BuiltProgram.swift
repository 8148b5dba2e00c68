import BelfryTestSupport
import Foundation

/// The `belfry` that was built with these tests, run as a program.
struct BuiltProgram {
    struct Outcome {
        let status: Int32
        let output: String
        let errors: String

        var lines: [String] { output.split(separator: "\n").map(String.init) }
    }

    static let path = BuildFolder.path + "/belfry"

    /// No bus, no terminal, no zone of the machine's own. A toolchain's backtrace of a crash takes seconds, and
    /// `doctor` gives a plug-in five.
    static let environment = [
        "PATH": "/usr/bin:/bin", "TZ": "UTC", "HOME": "/nonexistent", "LC_ALL": "C.UTF-8",
        "SWIFT_BACKTRACE": "enable=no",
    ]

    /// Runs to the end; a run over `limit` seconds is killed, and its status is then 9.
    static func run(
        _ arguments: [String],
        input: String = "",
        environment: [String: String] = environment,
        limit: Int = 120
    ) async throws -> Outcome {
        try await run(arguments, input: Array(input.utf8), environment: environment, limit: limit)
    }

    static func run(
        _ arguments: [String],
        input: [UInt8],
        environment: [String: String] = environment,
        limit: Int = 120
    ) async throws -> Outcome {
        try await run(path, arguments, input, environment, limit)
    }

    /// Any program.
    static func run(
        _ path: String,
        _ arguments: [String],
        _ input: [UInt8],
        _ environment: [String: String],
        _ limit: Int
    ) async throws -> Outcome {
        try await offThePool { try wait(path, arguments, input, environment, limit) }
    }

    private static func wait(
        _ path: String,
        _ arguments: [String],
        _ input: [UInt8],
        _ environment: [String: String],
        _ limit: Int
    ) throws -> Outcome {
        let folder = try TemporaryFolder()
        let files = ["in", "out", "err"].map { URL(fileURLWithPath: "\(folder.path)/\($0)") }
        for (file, content) in zip(files, [input, [], []]) { try Data(content).write(to: file) }
        let program = Process()
        program.executableURL = URL(fileURLWithPath: path)
        program.arguments = arguments
        program.environment = environment
        let (input, output) = (try FileHandle(forReadingFrom: files[0]), try FileHandle(forWritingTo: files[1]))
        let errors = try FileHandle(forWritingTo: files[2])
        // A `Process` that has ended keeps its handles. With some 1,360 descriptors Foundation reads past the end of
        // the list of /proc/self/fd (swift-corelibs-foundation, Process.run).
        defer { for handle in [input, output, errors] { try? handle.close() } }
        (program.standardInput, program.standardOutput, program.standardError) = (input, output, errors)
        let ended = DispatchSemaphore(value: 0)
        program.terminationHandler = { _ in ended.signal() }
        try program.run()
        if ended.wait(timeout: .now() + .seconds(limit)) == .timedOut {
            kill(program.processIdentifier, SIGKILL)
            ended.wait()
        }
        return Outcome(
            status: program.terminationStatus,
            output: String(decoding: try Data(contentsOf: files[1]), as: UTF8.self),
            errors: String(decoding: try Data(contentsOf: files[2]), as: UTF8.self)
        )
    }
}
