import Foundation
package import Glibc

/// A folder that goes with the test, and that nobody else can read.
package final class TemporaryFolder: Sendable {
    package let path: String

    package init() throws {
        var template = Array((FileManager.default.temporaryDirectory.path + "/belfry-XXXXXX").utf8CString)
        guard let made = mkdtemp(&template) else { throw CocoaError(.fileWriteUnknown) }
        path = String(cString: made)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    package func path(_ name: String) -> String { path + "/" + name }

    /// Makes a folder in it, with those above. Returns its path.
    package func folder(_ name: String) throws -> String {
        try FileManager.default.createDirectory(atPath: path(name), withIntermediateDirectories: true)
        return path(name)
    }

    /// Returns the file's path.
    @discardableResult
    package func write(_ name: String, _ text: some StringProtocol) throws -> String {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path(name)))
        return path(name)
    }

    /// A shell script. Returns its path.
    package func writeScript(_ name: String, _ commands: String) throws -> String {
        let file = try write(name, "#!/bin/sh\n\(commands)\n")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file)
        return file
    }

    /// Returns the names in it, or in a folder below it, sorted.
    package func names(in folder: String = "") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path(folder)).sorted()
    }

    /// Returns the permission bits of a file; 0 if there is none.
    package func mode(_ name: String) -> mode_t {
        var info = stat()
        return stat(path(name), &info) == 0 ? info.st_mode & 0o777 : 0
    }
}
