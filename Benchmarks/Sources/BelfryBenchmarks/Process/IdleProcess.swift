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

    func voluntarySwitches() throws -> Int { try ProcessFigures.voluntarySwitches(of: process.processIdentifier) }

    /// It ends when its input does.
    func end() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}
