import Foundation

@testable import BelfryCommand

/// Takes what a command would print, in a file of its own.
final class CapturedOutput: Sendable {
    private let results: URL
    private let notes: URL
    private let descriptors: [Int32]
    let output: CommandOutput

    init(json: Bool = false, quiet: Bool = false) throws {
        let folder = FileManager.default.temporaryDirectory
        results = folder.appendingPathComponent("belfry-\(UUID().uuidString).out")
        notes = folder.appendingPathComponent("belfry-\(UUID().uuidString).err")
        descriptors = [results, notes].map { open($0.path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600) }
        output = CommandOutput(
            json: json,
            quiet: quiet,
            results: OpenFile(descriptor: descriptors[0]),
            notes: OpenFile(descriptor: descriptors[1])
        )
    }

    deinit {
        for descriptor in descriptors { close(descriptor) }
        for file in [results, notes] { try? FileManager.default.removeItem(at: file) }
    }

    var lines: [String] { get throws { try Self.lines(results) } }
    var noteLines: [String] { get throws { try Self.lines(notes) } }

    /// Returns when there is a note. A command writes it in a task of its own, before its time goes on.
    func untilNoted() async throws {
        let limit = ContinuousClock.now + .seconds(60)
        while try noteLines.isEmpty, ContinuousClock.now < limit { await Task.yield() }
    }

    private static func lines(_ file: URL) throws -> [String] {
        try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
    }
}
