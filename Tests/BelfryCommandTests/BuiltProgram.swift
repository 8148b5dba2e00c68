import Foundation

/// The `belfry` that was built with these tests, run as a program.
struct BuiltProgram {
    struct Outcome {
        let status: Int32
        let output: String
        let complaints: String

        var lines: [String] { output.split(separator: "\n").map(String.init) }
    }

    /// It stands beside the test bundle.
    static let path: String = {
        let bundle = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(fileURLWithPath: bundle).deletingLastPathComponent().appendingPathComponent("belfry").path
    }()

    /// No bus, no terminal, no zone of the machine's own.
    static let environment = ["PATH": "/usr/bin:/bin", "TZ": "UTC", "HOME": "/nonexistent", "LC_ALL": "C.UTF-8"]

    /// Runs to the end; a run over `limit` seconds is killed, and its status is then 9.
    static func run(
        _ arguments: [String],
        input: String = "",
        environment: [String: String] = environment,
        limit: Int = 30
    ) throws -> Outcome {
        try run(arguments, input: Array(input.utf8), environment: environment, limit: limit)
    }

    static func run(
        _ arguments: [String],
        input: [UInt8],
        environment: [String: String] = environment,
        limit: Int = 30
    ) throws -> Outcome {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("belfry-tests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let inputFile = folder.appendingPathComponent("in")
        try Data(input).write(to: inputFile)
        let outputFile = folder.appendingPathComponent("out")
        let complaintsFile = folder.appendingPathComponent("err")
        for file in [outputFile, complaintsFile] { try Data().write(to: file) }

        let program = Process()
        program.executableURL = URL(fileURLWithPath: path)
        program.arguments = arguments
        program.environment = environment
        program.standardInput = try FileHandle(forReadingFrom: inputFile)
        program.standardOutput = try FileHandle(forWritingTo: outputFile)
        program.standardError = try FileHandle(forWritingTo: complaintsFile)
        let ended = DispatchSemaphore(value: 0)
        program.terminationHandler = { _ in ended.signal() }
        try program.run()
        if ended.wait(timeout: .now() + .seconds(limit)) == .timedOut {
            kill(program.processIdentifier, SIGKILL)
            ended.wait()
        }
        return Outcome(
            status: program.terminationStatus,
            output: String(decoding: try Data(contentsOf: outputFile), as: UTF8.self),
            complaints: String(decoding: try Data(contentsOf: complaintsFile), as: UTF8.self)
        )
    }
}
