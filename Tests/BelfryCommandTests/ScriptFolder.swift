import Foundation

/// A folder for shell scripts that goes with the test.
final class ScriptFolder: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("belfry-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Answers the script's path.
    func write(_ name: String, _ commands: String) throws -> String {
        let file = "\(path)/\(name)"
        try Data("#!/bin/sh\n\(commands)\n".utf8).write(to: URL(fileURLWithPath: file))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file)
        return file
    }
}
