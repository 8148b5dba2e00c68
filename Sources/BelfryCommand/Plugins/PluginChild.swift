import Belfry
import Foundation

/// This program, run again to load a plug-in: whatever that does ends the child, not this process.
struct PluginChild: Sendable {
    /// One of the subcommands of ``PluginChildCommand``, with its arguments.
    let arguments: [String]
    let timeout: Duration
    /// Whether what the plug-in prints is for whoever reads standard error.
    var isHeard = false

    /// The child's messages until it ended. Throws ``NoticeError/Code/systemFailure`` where it can't be run, transient.
    func run() async throws(NoticeError) -> (messages: [PluginMessage], end: Process.End) {
        do {
            let process = Process()
            // A file and no pipe: a program that the plug-in leaves behind would hold that open.
            let answers = try Self.makeFile()
            process.executableURL = URL(fileURLWithPath: "/proc/self/exe")
            process.arguments = PluginChildCommand.path + arguments
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = answers
            process.standardError = isHeard ? FileHandle.standardError : FileHandle.nullDevice
            let end = try await process.run(within: timeout, endsWithTask: true)
            return (Self.messages(in: answers), end)
        } catch {
            throw NoticeError(
                .systemFailure,
                "No process to load the plug-in in: \(error.localizedDescription). Try again when the machine has room."
            )
        }
    }

    private static func makeFile() throws -> FileHandle {
        var path = Array((FileManager.default.temporaryDirectory.path + "/belfry-XXXXXX").utf8CString)
        let descriptor = mkstemp(&path)
        guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        unlink(path)
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    private static func messages(in file: FileHandle) -> [PluginMessage] {
        guard (try? file.seek(toOffset: 0)) != nil, let data = try? file.readToEnd() else { return [] }
        return String(decoding: data, as: UTF8.self).split(separator: "\n").compactMap { PluginMessage(line: $0) }
    }
}
