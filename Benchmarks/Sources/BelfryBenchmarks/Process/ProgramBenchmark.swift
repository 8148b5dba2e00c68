import Foundation

/// What programs with Belfry inside weigh, and how long they take to show one notice: `belfry`, `belfryd`, and the two of
/// `Benchmarks/Programs`, stripped.
enum ProgramBenchmark {
    /// The folder with the programs, named with `--programs`.
    nonisolated(unsafe) static var folder: String?

    private struct Program {
        let name: String
        let work: String
        var megabytes: Double
        /// What one run may take; nil if the program is only weighed.
        var run: (milliseconds: Double, megabytes: Double)?
        var libraries: Int?
    }

    private static let programs = [
        Program(name: "belfry", work: "belfry", megabytes: 25),
        Program(name: "belfryd", work: "belfryd", megabytes: 25),
        Program(name: "CoreProgram", work: "program of core and recorder", megabytes: 16, run: (4, 11)),
        Program(name: "DesktopProgram", work: "program with BelfryDesktop", megabytes: 18, run: (6, 13), libraries: 9),
    ]

    static func run(_ report: inout BenchmarkReport) throws {
        guard let folder else {
            return report.note("The programs were not weighed: name their folder with --programs.")
        }
        let bus = try PrivateBus()
        defer { bus.end() }
        for program in programs {
            let path = folder + "/" + program.name
            guard FileManager.default.fileExists(atPath: path) else {
                report.note("\(program.name) was not weighed: it is not in \(folder).")
                continue
            }
            let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
            add(&report, "\(program.work): size", Double(size) / 1e6, "MB", atMost: program.megabytes)
            if let run = program.run {
                // The first runs read the program from the disk.
                let runs = try (0..<9).map { _ in try ProgramRuns(path, [], count: 5) }.dropFirst()
                let time = Alternation.median(runs.map { $0.seconds / 5 * 1e3 })
                add(&report, "\(program.work): start to end", time, "ms", atMost: run.milliseconds)
                let memory = Alternation.median(runs.map { $0.peakBytes / 1e6 })
                add(&report, "\(program.work): peak memory", memory, "MB", atMost: run.megabytes)
            }
            if let count = program.libraries {
                // Those that the loader maps, with what libraries need themselves. The vDSO is the kernel's.
                let libraries = try output(of: ["ldd", path]).split(separator: "\n").count { !$0.contains("vdso") }
                add(&report, "\(program.work): libraries", Double(libraries), "", atMost: Double(count))
            }
        }
        report.note(
            "The programs are built by .ci/static, with Swift's libraries inside, and stripped. "
                + "Each run shows one notice; with BelfryDesktop on a private bus. "
                + "Libraries are all that the loader maps: what the program names, and what those need."
        )
    }

    /// Somebody's first debug build of an app with the core alone.
    static func firstBuild(_ report: inout BenchmarkReport) throws {
        guard !Effort.isTiny else { return report.note("No first build: it takes half a minute.") }
        let scratch = try StoreFolders().path
        defer { try? FileManager.default.removeItem(atPath: scratch) }
        let begun = ContinuousClock.now
        _ = try output(of: [
            "swift", "build", "--jobs", "2", "--package-path", "Benchmarks/Programs", "--scratch-path", scratch,
            "--product", "CoreProgram",
        ])
        let seconds = (ContinuousClock.now - begun) / .seconds(1)
        add(&report, "first debug build of a program with the core", seconds, "s", atMost: 30)
    }

    private static func add(
        _ report: inout BenchmarkReport,
        _ work: String,
        _ figure: Double,
        _ unit: String,
        atMost bound: Double
    ) {
        let target = "at most \(Figure.text(bound)) \(unit)".trimmingCharacters(in: .whitespaces)
        report.add(.bound(work, figure, unit, target: target, reached: figure <= bound))
    }

    private static func output(of command: [String]) throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        try process.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw BenchmarkFault(description: "\(command.joined(separator: " ")) failed: \(text)")
        }
        return text
    }
}
