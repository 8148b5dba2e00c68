import Foundation

/// Runs of a whole program, timed from outside by a small one.
struct ProgramRuns {
    /// Of all runs.
    let seconds: Double
    /// The largest resident size of one run.
    let peakBytes: Double

    init(_ program: String, _ arguments: [String], count: Int) throws {
        let runner = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            .deletingLastPathComponent().appending(path: "RunProgram")
        let process = Process()
        let output = Pipe()
        process.executableURL = runner
        process.arguments = [String(count), program] + arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        try process.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        // The program may print something itself: the last line is the runner's.
        let words = text.split(separator: "\n").last?.split(separator: " ").compactMap { Double($0) } ?? []
        guard process.terminationStatus == 0, words.count == 2 else {
            throw BenchmarkFault(description: "\(program) failed: \(text)")
        }
        (seconds, peakBytes) = (words[0], words[1])
    }
}
