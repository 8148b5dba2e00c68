import Belfry
import BelfryTesting
import FoundationEssentials
import Glibc

/// A child process of this program that loads a plug-in, so that a crash of the plug-in ends only the child.
struct PluginChild: Sendable {
    /// The arguments that name ``PluginChildCommand``.
    static let command = ["plugin", "child"]

    /// Those of the command.
    let arguments: [String]
    let timeout: Duration
    /// Whether the plug-in's output is forwarded to standard error.
    var isHeard = false

    /// Returns the child's messages after its end. Throws ``NoticeError/Code/systemFailure`` (transient).
    func run() async throws(NoticeError) -> (messages: [PluginMessage], end: ChildProgram.End) {
        // A file, not a pipe: a program that the plug-in leaves running would keep a pipe open.
        let output = try Self.makeFile()
        defer { close(output) }
        let child = try ChildProgram(
            ["/proc/self/exe"] + Self.command + arguments,
            output: output,
            errors: isHeard ? STDERR_FILENO : nil
        )
        let end = await withTaskCancellationHandler {
            await child.end(within: timeout)
        } onCancel: {
            child.kill()
        }
        return (Self.messages(in: output), end)
    }

    /// Returns the descriptor of an unnamed file; the caller closes it.
    private static func makeFile() throws(NoticeError) -> Int32 {
        var path = Array((FileManager.default.temporaryDirectory.path + "/belfry-XXXXXX").utf8CString)
        let descriptor = mkstemp(&path)
        guard descriptor >= 0 else {
            throw NoticeError(
                .systemFailure,
                "No file for the output of a plug-in can be created: try again when the machine has room.",
                cause: String(cString: strerror(errno))
            )
        }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        unlink(path)
        return descriptor
    }

    private static func messages(in file: Int32) -> [PluginMessage] {
        // The file is unlinked and has no other name.
        guard let text = try? String(contentsOfFile: "/proc/self/fd/\(file)", encoding: .utf8) else { return [] }
        return text.split(separator: "\n").compactMap { PluginMessage(line: $0) }
    }
}

/// A message from the process that loads a plug-in to its parent: one line of JSON.
enum PluginMessage: Codable, Hashable, Sendable {
    /// The file was loaded, but not started.
    case loaded(name: String)
    /// The file could not be loaded; the code and the message are the error's.
    case refused(code: String, message: String)
    case checked(ConformanceStep)

    var line: String? { (try? JSONEncoder().encode(self)).map { String(decoding: $0, as: UTF8.self) } }

    /// Decodes a message; nil for other lines, such as the plug-in's own output.
    init?(line: some StringProtocol) {
        guard let message = try? JSONDecoder().decode(Self.self, from: Data(line.utf8)) else { return nil }
        self = message
    }
}

extension ChildProgram.End {
    /// The end of the child as the end of a sentence; nil if it ended by itself.
    var words: String? {
        switch self {
        case .exited: nil
        case .crashed(let signal): "it ended the process by signal \(signal) (\(String(cString: strsignal(signal))))"
        case .late: "it took too long and was given up"
        case .unknown: "it ended in an unknown way"
        }
    }
}
