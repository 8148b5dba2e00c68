#if CommandLine
import ArgumentParser
import Belfry
import BelfryCalendars
import BelfryConsole
import BelfrySchedules
import Glibc

/// The whole program, from its arguments to its exit status.
package enum CommandLineProgram {
    /// Runs one command. `arguments` are those after the program's name. Returns 0, 1, 64 or 130, or the status of the
    /// command that `done` has run.
    package static func run(_ arguments: [String]) async -> Int32 {
        // A closed reader causes an error of write(2) and does not end the process.
        signal(SIGPIPE, SIG_IGN)
        OtherCalendars.enable()
        let options = arguments.prefix { $0 != "--" }
        let output = CommandOutput(json: options.contains("--json"), quiet: options.contains("--quiet"))
        do {
            try await perform(arguments)
            return CommandStatus.done.rawValue
        } catch let status as ForeignStatus {
            return status.value
        } catch {
            return status(of: error, output).rawValue
        }
    }

    /// Runs a command. Commands may block their thread, so this does not run on the main actor.
    @concurrent private static func perform(_ arguments: [String]) async throws {
        var command = try await parse(arguments)
        let interrupts = InterruptWatch()
        if var command = command as? any AsyncParsableCommand {
            try await interrupts.running { try await command.run() }
        } else {
            interrupts.begin()
            try command.run()
        }
    }

    /// Parses the arguments with the command that they name, since `RootCommand` would build the options of its own and
    /// of the completion scripts first: a sixth of the instructions of `belfry send`. What the command can't parse, and
    /// `--help`, goes to `RootCommand`, whose errors and help name the whole line.
    private static func parse(_ arguments: [String]) async throws -> any ParsableCommand {
        if let command = try namedCommand(arguments), command.configuration.subcommands.isEmpty,
            let command = command as? any AsyncParsableCommand.Type,
            let parsed = try? await command.asyncParseAsRoot(Array(arguments.dropFirst())), type(of: parsed) == command
        {
            return parsed
        }
        return try await RootCommand.asyncParseAsRoot(arguments)
    }

    /// The parser's own subcommand.
    private static let helpName = "help"

    /// Returns nil if the arguments begin with no name, or ask for the help of a command. The parser would report the
    /// options of a command that it doesn't know, not its name.
    private static func namedCommand(_ arguments: [String]) throws(NoticeError) -> (any ParsableCommand.Type)? {
        let isHelp = arguments.first == helpName
        let words = isHelp ? arguments.filter { !$0.hasPrefix("-") && $0 != helpName } : arguments
        guard let name = words.first, !name.hasPrefix("-") else { return nil }
        let commands = RootCommand.configuration.subcommands
        if let command = commands.first(where: { $0._commandName == name }) { return isHelp ? nil : command }
        let names = commands.map { $0._commandName }.joined(separator: ", ")
        throw .usage("'\(name.clipped)' is no command; there are \(names). See 'belfry --help'.")
    }

    private static func status(of error: any Error, _ output: CommandOutput) -> CommandStatus {
        switch error {
        case is OutputClosed: return .done
        case is CancellationError: return .interrupted
        case let error as NoticeError:
            output.report(error, about: Article.about(error.code))
            return error.status
        case let error as ScheduleError:
            for error in error.errors.dropLast() { output.report(error) }
            if let last = error.errors.last { output.report(last, about: .scheduleFiles) }
            return .failed
        default: return parserStatus(of: error, output)
        }
    }

    /// Handles errors of the argument parser: wrong usage, or a request for help, the version or a completion script.
    private static func parserStatus(of error: any Error, _ output: CommandOutput) -> CommandStatus {
        switch RootCommand.exitCode(for: error) {
        case .success:
            do { try OpenFile.standardOutput.write(RootCommand.fullMessage(for: error) + "\n") } catch {
                return status(of: error, output)
            }
            return .done
        case .validationFailure where output.json: output.report(.usage(RootCommand.message(for: error)))
        case .validationFailure:
            // It repeats what was typed.
            let lines = RootCommand.fullMessage(for: error).safeLines.joined(separator: "\n")
            try? OpenFile.standardError.write(lines + "\n")
        default:
            output.report(NoticeError(.systemFailure, RootCommand.message(for: error)))
            return .failed
        }
        return .usage
    }
}
#endif
