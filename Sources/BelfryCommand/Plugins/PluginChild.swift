import Belfry
import Foundation
import Synchronization

/// This program, run again to load a plug-in: whatever that does ends the child, not who asks.
struct PluginChild: Sendable {
    enum End: Sendable, Hashable {
        case exited
        /// By a signal that did not come from here.
        case crashed(signal: Int32)
        /// It took longer than the limit, and was killed.
        case late
    }

    /// One of the subcommands of ``PluginChildCommand``, with its arguments.
    let arguments: [String]
    let limit: Duration
    /// Whether what the plug-in prints is for whoever reads standard error.
    var isHeard = false

    /// What the child said until it ended. Throws ``NoticeError/Code/systemFailure`` where it can't be run, transient.
    func run() async throws(NoticeError) -> (messages: [PluginMessage], end: End) {
        let answers: FileHandle
        let process = Process()
        let (ends, ended) = AsyncStream<Void>.makeStream()
        do {
            // A file and no pipe: a program that the plug-in leaves behind would hold that open.
            answers = try Self.makeFile()
            process.executableURL = URL(fileURLWithPath: "/proc/self/exe")
            process.arguments = PluginChildCommand.path + arguments
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = answers
            process.standardError = isHeard ? FileHandle.standardError : FileHandle.nullDevice
            process.terminationHandler = { _ in ended.finish() }
            try process.startUnmasked()
        } catch {
            throw NoticeError(
                .systemFailure,
                "No process to load the plug-in in: \(error.localizedDescription). Try again when the machine has room."
            )
        }
        let identifier = process.processIdentifier
        let isLate = Atomic<Bool>(false)
        let limit = limit
        await withTaskCancellationHandler {
            let call = TimeLimits.shared.begin(limit) {
                isLate.store(true, ordering: .relaxed)
                kill(identifier, SIGKILL)
            }
            await Task { for await _ in ends {} }.value
            _ = TimeLimits.shared.end(call)
        } onCancel: {
            kill(identifier, SIGKILL)
        }
        let end: End =
            isLate.load(ordering: .relaxed)
            ? .late
            : process.terminationReason == .uncaughtSignal ? .crashed(signal: process.terminationStatus) : .exited
        return (Self.messages(in: answers), end)
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

extension PluginChild.End {
    /// How it ended, as the end of a sentence; nil where it ended as it should.
    var words: String? {
        switch self {
        case .exited: nil
        case .crashed(let signal): "it ended the process by signal \(signal) (\(String(cString: strsignal(signal))))"
        case .late: "it took too long and was given up"
        }
    }
}
