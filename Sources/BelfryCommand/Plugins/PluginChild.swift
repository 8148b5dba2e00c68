import Belfry
import FoundationEssentials
import Glibc

/// This program, run again to load a plug-in: whatever that does ends the child, not this process.
struct PluginChild: Sendable {
    /// One of the subcommands of ``PluginChildCommand``, with its arguments.
    let arguments: [String]
    let timeout: Duration
    /// Whether what the plug-in prints is for whoever reads standard error.
    var isHeard = false

    /// The child's messages until it ended. Throws ``NoticeError/Code/systemFailure`` where it can't be run, transient.
    func run() async throws(NoticeError) -> (messages: [PluginMessage], end: ChildProgram.End) {
        // A file and no pipe: a program that the plug-in leaves behind would hold that open.
        let answers = try Self.makeFile()
        defer { close(answers) }
        let child = try ChildProgram(
            ["/proc/self/exe"] + PluginChildCommand.path + arguments,
            output: answers,
            errors: isHeard ? STDERR_FILENO : nil
        )
        let end = await withTaskCancellationHandler {
            await child.end(within: timeout)
        } onCancel: {
            child.kill()
        }
        return (Self.messages(in: answers), end)
    }

    /// The caller closes it.
    private static func makeFile() throws(NoticeError) -> Int32 {
        var path = Array((FileManager.default.temporaryDirectory.path + "/belfry-XXXXXX").utf8CString)
        let descriptor = mkstemp(&path)
        guard descriptor >= 0 else {
            throw NoticeError(
                .systemFailure,
                "No file for the answers of a plug-in can be made: try again when the machine has room.",
                cause: String(cString: strerror(errno))
            )
        }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        unlink(path)
        return descriptor
    }

    private static func messages(in file: Int32) -> [PluginMessage] {
        // It has no other name any more.
        guard let text = try? String(contentsOfFile: "/proc/self/fd/\(file)", encoding: .utf8) else { return [] }
        return text.split(separator: "\n").compactMap { PluginMessage(line: $0) }
    }
}

extension ChildProgram.End {
    /// How it ended, as the end of a sentence; nil where it ended by itself.
    var words: String? {
        switch self {
        case .exited: nil
        case .crashed(let signal): "it ended the process by signal \(signal) (\(String(cString: strsignal(signal))))"
        case .late: "it took too long and was given up"
        }
    }
}
