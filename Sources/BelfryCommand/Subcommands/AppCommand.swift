#if CommandLine
import ArgumentParser
import Belfry
import BelfryAgent
import BelfrySchedules
import FoundationEssentials

/// The command for how desktops identify an app.
struct AppCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "app",
        abstract: "Give an app a name, an icon and an entry in the desktop's settings, or check them.",
        discussion: """
            belfry app install --id org.example.Tea --name Tea --icon tea --exec /opt/tea
            belfry app check org.example.Tea
            """,
        subcommands: [Install.self, Check.self]
    )

    struct Install: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "install",
            abstract: "Write the app's desktop file into your own directories; lists each file."
        )

        @Option(help: .init("The app's identifier, such as org.example.Tea.", valueName: "id"))
        var id: String

        @Option(help: .init("The app's name, as desktops show it.", valueName: "text"))
        var name: String

        @Option(help: "An icon: a name from the icon theme, or a file.", completion: .file())
        var icon: String?

        @Option(help: .init("The command line that starts the app.", valueName: "command"))
        var exec: String

        @Flag(help: "The app implements org.freedesktop.Application: the bus starts it for a click.")
        var activatable = false

        @Flag(help: "Overwrite existing files with other contents.")
        var replace = false

        @OptionGroup
        var output: OutputOptions

        func run() async throws {
            let app = try AppFiles(
                id: id,
                name: name,
                icon: icon.map { $0.hasPrefix("~") || $0.contains("/") ? PathText.path($0) : $0 },
                command: exec,
                isActivatable: activatable
            ).checked()
            guard let program = ExecLine(exec).file(in: ProcessInfo.processInfo.environment) else {
                throw NoticeError(
                    .notFound,
                    "--exec: there is no program for '\(exec.clipped)': write its whole path, or a name that is in "
                        + "PATH."
                )
            }
            let files = app.files(startedBy: program)
            for file in files where !replace && FileManager.default.fileExists(atPath: file.path) {
                // Nil is a file that can't be read.
                guard FileManager.default.contents(atPath: file.path) != Data(file.text.utf8) else { continue }
                throw NoticeError(
                    .unsupported,
                    "The file '\(file.path)' is there and says something else: look at it, and give --replace."
                )
            }
            for file in files {
                try file.write()
                try output.writer.result(
                    ["file": file.path, "state": "written"],
                    "wrote \(file.path), \(file.purpose)"
                )
            }
        }
    }

    struct Check: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check",
            abstract: "Report what a desktop finds of the app; status 1 if something is missing."
        )

        @Argument(help: .init("The app's identifier, such as org.example.Tea.", valueName: "id"), completion: .appIDs)
        var id: String

        @OptionGroup
        var output: OutputOptions

        func run() async throws {
            let diagnostics = AppCheck(id: id).diagnostics()
            for diagnostic in diagnostics { try diagnostic.write(to: output.writer, about: .identity) }
            let bad = diagnostics.filter(\.state.isBad).map(\.check)
            guard !bad.isEmpty else { return }
            throw NoticeError(
                .incomplete,
                "A desktop does not find all of '\(id.clipped)': \(bad.joined(separator: ", ")). Each line above says "
                    + "what to do."
            )
        }
    }
}
#endif
