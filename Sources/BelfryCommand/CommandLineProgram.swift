import ArgumentParser
import Belfry
import BelfryCalendars
import BelfrySchedules
import Foundation

/// The whole program: arguments in, exit status out.
package enum CommandLineProgram {
    /// Runs one command. `arguments` are those after the program's name. Returns one of 0, 1, 64 and 130.
    package static func run(_ arguments: [String]) async -> Int32 {
        // A reader that has gone is an error of write(2) here, not the end of the process.
        signal(SIGPIPE, SIG_IGN)
        OtherCalendars.enable()
        let json = arguments.prefix { $0 != "--" }.contains("--json")
        do {
            try checkName(arguments)
            let command = try RootCommand.parseAsRoot(arguments)
            let interrupts = InterruptWatch.install()
            if var command = command as? any AsyncParsableCommand {
                try await interrupts.running { try await command.run() }
            } else {
                var command = command
                try command.run()
            }
            return CommandStatus.done.rawValue
        } catch is OutputClosed {
            return CommandStatus.done.rawValue
        } catch is CancellationError {
            return CommandStatus.interrupted.rawValue
        } catch let failure as CommandFailure {
            CommandOutput.complain(failure, json: json)
            return failure.status.rawValue
        } catch let error as ScheduleError {
            for line in error.lines { CommandOutput.complain(CommandFailure(.invalidSchedule, line), json: json) }
            return CommandStatus.failed.rawValue
        } catch let error as NoticeError {
            let failure = CommandFailure(error)
            CommandOutput.complain(failure, json: json)
            return failure.status.rawValue
        } catch {
            return report(error, json: json)
        }
    }

    /// The parser would complain of the options of a command that it doesn't know, not of its name.
    private static func checkName(_ arguments: [String]) throws(CommandFailure) {
        guard let name = arguments.first, !name.hasPrefix("-"), name != "help" else { return }
        let names = RootCommand.configuration.subcommands.map { $0._commandName }
        guard names.contains(name) else {
            throw .usage(
                "'\(name.clipped)' is no command; there are \(names.joined(separator: ", ")). See belfry --help."
            )
        }
    }

    /// What the argument parser throws: wrong usage, or a wish for help, the version or a completion script.
    private static func report(_ error: any Error, json: Bool) -> Int32 {
        guard RootCommand.exitCode(for: error) != .success else {
            try? FileOutput.standard.write(RootCommand.fullMessage(for: error) + "\n")
            return CommandStatus.done.rawValue
        }
        guard RootCommand.exitCode(for: error) == .validationFailure else {
            CommandOutput.complain(CommandFailure(.systemFailure, RootCommand.message(for: error)), json: json)
            return CommandStatus.failed.rawValue
        }
        if json {
            CommandOutput.complain(.usage(RootCommand.message(for: error)), json: true)
        } else {
            try? FileOutput.complaints.write(RootCommand.fullMessage(for: error) + "\n")
        }
        return CommandStatus.usage.rawValue
    }
}
