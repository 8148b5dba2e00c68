import ArgumentParser
import Belfry
import BelfryPluginHost
import BelfryTesting
import Glibc

/// The commands that ``PluginChild`` runs in a child process; not for users.
struct PluginChildCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "child",
        abstract: "The child process of 'plugin check' and 'doctor'.",
        shouldDisplay: false,
        subcommands: [Look.self, Check.self]
    )

    static let path = ["plugin", "child"]

    /// Loads a file and reports its name.
    struct Look: AsyncParsableCommand {
        static let name = "look"
        static let configuration = CommandConfiguration(commandName: name)

        @Argument
        var file: String

        func run() async throws {
            let answers = PluginAnswers()
            answers.load { () throws(NoticeError) in try PluginBackend(loading: file, for: .command()) }
        }
    }

    /// Checks the rules of every backend.
    struct Check: AsyncParsableCommand {
        static let name = "check"
        static let configuration = CommandConfiguration(commandName: name)

        @Argument
        var file: String

        @OptionGroup
        var settings: PluginSettings

        func run() async throws {
            let settings = try settings.read()
            let answers = PluginAnswers()
            let file = file
            let make = { @Sendable () throws(NoticeError) -> PluginBackend in
                try PluginBackend(loading: file, for: .command(), settings: settings)
            }
            guard answers.load(make) else { return }
            _ = await DeliveryBackendConformance { try make() }.runAll(following: answers.follow)
        }
    }
}

/// The output of the child's messages: its standard output, which the plug-in does not get.
private struct PluginAnswers: Sendable {
    private let output: OpenFile

    /// Creates the output. Call it once per process. From then on, the plug-in's output goes to standard error.
    init() {
        output = OpenFile(descriptor: fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1))
        dup2(STDERR_FILENO, STDOUT_FILENO)
    }

    /// Reports and returns whether the plug-in could be loaded.
    @discardableResult
    func load(_ make: () throws(NoticeError) -> PluginBackend) -> Bool {
        do throws(NoticeError) {
            send(.loaded(name: try make().name))
            return true
        } catch {
            send(.refused(code: error.code.rawValue, message: error.message))
            return false
        }
    }

    @Sendable
    func follow(_ step: ConformanceStep) { send(.checked(step)) }

    /// Sends a message. If the parent has ended, the error is ignored.
    private func send(_ message: PluginMessage) {
        if let line = message.line { try? output.write(line + "\n") }
    }
}
