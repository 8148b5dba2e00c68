#if CommandLine
import ArgumentParser
import Belfry
import BelfryPluginHost
import BelfryTesting
import Glibc

/// The command that ``PluginChild`` runs in a child process: loads a file and reports its name; not for users.
struct PluginChildCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "child",
        abstract: "The child process of 'plugin check' and 'doctor'.",
        shouldDisplay: false
    )

    /// Whether to check the rules of every backend, too.
    @Flag
    var check = false

    @Argument
    var file: String

    @OptionGroup
    var settings: PluginSettings

    func run() async throws {
        let settings = try settings.read()
        let file = file
        let make = { @Sendable () throws(NoticeError) -> PluginBackend in
            try PluginBackend(loading: file, for: .command(), settings: settings)
        }
        let output = Self.takeStandardOutput()
        /// If the parent has ended, the error is ignored.
        @Sendable func send(_ message: PluginMessage) {
            if let line = message.line { try? output.write(line + "\n") }
        }
        do throws(NoticeError) { send(.loaded(name: try make().name)) } catch {
            return send(.refused(code: error.code.rawValue, message: error.message))
        }
        guard check else { return }
        _ = await DeliveryBackendConformance { try make() }.runAll { send(.checked($0)) }
    }

    /// Returns the standard output for the messages alone. From then on, the plug-in's output goes to standard error.
    private static func takeStandardOutput() -> OpenFile {
        defer { dup2(STDERR_FILENO, STDOUT_FILENO) }
        return OpenFile(descriptor: fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1))
    }
}
#endif
