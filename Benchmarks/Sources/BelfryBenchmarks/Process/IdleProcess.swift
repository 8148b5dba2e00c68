import Foundation

/// This program as a process of its own, that does nothing after it has become ready.
struct IdleProcess {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private let kind: IdleBenchmark.Kind

    init(_ kind: IdleBenchmark.Kind) throws {
        self.kind = kind
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = ["--idle", kind.rawValue]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
    }

    func waitUntilReady() throws {
        guard let line = try output.fileHandleForReading.read(upToCount: 5), line == Data("ready".utf8) else {
            throw BenchmarkFault(description: "the process '\(kind.rawValue)' did not become ready")
        }
    }

    /// Of all its threads, since they began.
    func voluntarySwitches() throws -> Int {
        let folder = "/proc/\(process.processIdentifier)/task"
        return try FileManager.default.contentsOfDirectory(atPath: folder).reduce(0) { sum, thread in
            let status = try String(contentsOfFile: "\(folder)/\(thread)/status", encoding: .utf8)
            let line = status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches") }
            return sum + (line?.split(separator: "\t").last.flatMap { Int($0) } ?? 0)
        }
    }

    /// It ends when its input does.
    func end() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}
