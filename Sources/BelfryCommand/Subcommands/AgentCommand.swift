#if CommandLine
import ArgumentParser
import Belfry
import BelfryAgent
import BelfrySchedules

/// The command for the background process that keeps requests.
struct AgentCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "agent",
        abstract: "Install the background agent, or report whether it runs.",
        discussion: "The agent stores and shows the notices of programs that no longer run: belfryd(1).",
        subcommands: [Status.self, Install.self, Uninstall.self],
        defaultSubcommand: Status.self
    )

    struct Status: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "status",
            abstract: "Report whether the agent runs, and how it is started."
        )

        @OptionGroup
        var output: OutputOptions

        func run() async throws {
            let output = output.writer
            let presence = try await AgentDirectory().presence()
            let program = AgentProgram.find()
            let words = presence.words
            let advice = presence == .absent ? " See 'belfry agent install'." : ""
            try output.result(
                ["agent": presence.name, "program": program],
                words.prefix(1).uppercased() + words.dropFirst() + "." + advice
            )
            let files = AgentInstallation.current(program: program ?? AgentProgram.packaged).state()
            for (word, found) in [
                ("installed", files.installed), ("other contents", files.differing), ("not installed", files.missing),
            ] {
                for file in found {
                    try output.result(["file": file.path, "state": word], "\(word): \(file.path), \(file.purpose)")
                }
            }
        }
    }

    struct Install: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "install",
            abstract: "Have the bus, systemd and the login start the agent. Writes only your own files, and lists them."
        )

        @Option(help: .init("The agent's program; by default the one beside belfry or in PATH.", valueName: "path"))
        var program: String?

        /// For package builds: the directory that gets the files for all users and contains the program.
        @Option(help: .hidden)
        var packageRoot: String?

        @OptionGroup
        var output: OutputOptions

        func run() async throws {
            let output = output.writer
            if let packageRoot {
                let program = program ?? AgentProgram.packaged
                return try write(AgentInstallation(program: program, forAllUsersBelow: packageRoot), output)
            }
            // What starts the agent has another working directory.
            guard let program = AgentProgram.find(program).map({ PathText.path($0) }) else {
                throw NoticeError(
                    .notFound,
                    "There is no 'belfryd' beside belfry or in PATH: build it with "
                        + "'swift build -c release --product belfryd', copy it, or give --program PATH."
                )
            }
            let installation = AgentInstallation.current(program: program)
            guard !installation.isForAllUsers else {
                return output.note("a package has installed it for all users; nothing is left to do")
            }
            try write(installation, output)
            try await AgentDirectory().reread(to: output)
            try output.line("Done: the next call starts \(program). 'belfry agent uninstall' removes these files.")
        }

        private func write(_ installation: AgentInstallation, _ output: CommandOutput) throws {
            try installation.install { file in
                try? output.result(["file": file.path, "state": "written"], "wrote \(file.path), \(file.purpose)")
            }
        }
    }

    struct Uninstall: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "uninstall",
            abstract: "Remove what 'install' wrote. Pending requests stay."
        )

        @OptionGroup
        var output: OutputOptions

        func run() async throws {
            let output = output.writer
            let installation = AgentInstallation.current(program: AgentProgram.find() ?? AgentProgram.packaged)
            guard !installation.isForAllUsers else {
                return output.note("nothing of yours is installed; a package's files go with the package")
            }
            var count = 0
            try installation.uninstall { file in
                count += 1
                try? output.result(["file": file.path, "state": "removed"], "removed \(file.path)")
            }
            guard count > 0 else { return output.note("nothing was installed") }
            try await AgentDirectory().reread(areRemoved: true, to: output)
            if case .running(let process)? = try? await AgentDirectory().presence() {
                try output.line(
                    "The agent still runs\(process.map { " as process \($0)" } ?? ""). It ends when nothing is "
                        + "pending or on the screen, and no app has responses to receive."
                )
            }
        }
    }
}
#endif
