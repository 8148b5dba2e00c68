import BelfryBus
import CBenchmarkBus
import Foundation

/// A bus of its own with the counting server on it. Ends with ``end()``.
final class PrivateBus {
    let address: String
    private let daemon: Process
    private let server: Process

    init() throws {
        (daemon, address) = try Self.start("/usr/bin/env", ["dbus-daemon", "--session", "--nofork", "--print-address"])
        do {
            let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path
            let (server, line) = try Self.start(program, ["--stub", address])
            guard line == "ready" else { throw BenchmarkFault(description: "the counting server said '\(line)'") }
            self.server = server
        } catch {
            daemon.terminate()
            throw error
        }
        // For libnotify and for programs that are started.
        setenv("DBUS_SESSION_BUS_ADDRESS", address, 1)
    }

    func end() {
        for process in [server, daemon] {
            process.terminate()
            process.waitUntilExit()
        }
    }

    /// What the server has counted since the last time.
    func count() throws -> (count: Int, isInOrder: Bool) {
        var (count, isInOrder) = (UInt32(0), false)
        let status = benchmark_stub_report(address, &count, &isInOrder)
        guard status == 0 else { throw BenchmarkFault(description: "the counting server does not answer (\(-status))") }
        return (Int(count), isInOrder)
    }

    /// Throws where the server has not counted exactly so many.
    func check(_ expected: Int, from name: String, inOrder: Bool = true) throws {
        let (count, isInOrder) = try count()
        guard count == expected, isInOrder || !inOrder else {
            throw BenchmarkFault(
                description: "\(name): \(count) of \(expected) came\(isInOrder ? "" : ", not in the order of adding")."
            )
        }
    }

    /// With the first line that it prints.
    static func start(
        _ program: String,
        _ arguments: [String],
        environment: [String: String]? = nil
    ) throws -> (Process, String) {
        let process = Process()
        if let environment { process.environment = environment }
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        try process.run()
        var line = Data()
        while let byte = try output.fileHandleForReading.read(upToCount: 1), byte != Data("\n".utf8), !byte.isEmpty {
            line += byte
        }
        return (process, String(decoding: line, as: UTF8.self))
    }
}
