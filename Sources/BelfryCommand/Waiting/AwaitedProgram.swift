import Belfry
import BelfryAgent
import Glibc

/// The program that `belfry done` waits for.
enum AwaitedProgram: Sendable {
    /// A program with its arguments, to be started.
    case started([String])
    case running(RunningProcess)

    var name: String {
        switch self {
        case .started(let arguments): arguments.joined(separator: " ")
        case .running(let process): process.name
        }
    }

    /// Whether this program started it and returns its status.
    var isOwn: Bool { if case .started = self { true } else { false } }

    /// Waits for the end. If canceled, sends SIGTERM to a started program and throws `CancellationError`.
    func end() async throws -> ProgramEnd {
        switch self {
        case .started(let arguments): try await Self.run(arguments)
        case .running(let process): ProgramEnd(end: .unknown, time: try await process.untilEnded())
        }
    }

    private static func run(_ arguments: [String]) async throws -> ProgramEnd {
        // A shell without job control starts `belfry … &` with both ignored, and so the command ignores them, too.
        let ignored = [SIGINT, SIGQUIT].filter {
            $0 == SIGINT ? EndSignals.hasIgnoredInterrupts : EndSignals.isIgnored($0)
        }
        // As time(1) and sudo(8) do: the command gets these signals from the terminal too, and may handle them.
        let earlier = [SIGINT, SIGQUIT].map { ($0, signal($0, SIG_IGN)) }
        defer { for (number, handler) in earlier { signal(number, handler) } }
        let begin = ContinuousClock.now
        let child = try ChildProgram(inForeground: received(arguments), ignoring: ignored)
        let end = await withTaskCancellationHandler {
            await child.end()
        } onCancel: {
            child.kill(by: SIGTERM)
        }
        try Task.checkCancellation()
        return ProgramEnd(end: end, time: begin.duration(to: .now))
    }

    /// Returns the arguments as this process received them. The parser's strings have U+FFFD in place of bytes that are
    /// not UTF-8, and would name other files.
    private static func received(_ arguments: [String]) -> [[CChar]] {
        // The command is all that follows the first "--", and so the last arguments.
        let all = UnsafeMutableBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
        let last = all.compactMap { $0 }.suffix(arguments.count)
        guard last.map({ String(cString: $0) }) == arguments else { return arguments.map { Array($0.utf8CString) } }
        return last.map { Array(UnsafeMutableBufferPointer(start: $0, count: Int(strlen($0)) + 1)) }
    }
}

/// The end of a program, and its run time.
struct ProgramEnd: Sendable {
    /// Unknown for a program that another one has started: the kernel reports it only to its parent.
    let end: ChildProgram.End
    let time: Duration

    /// The sentence for the notice.
    var sentence: String {
        let text =
            switch end {
            case .exited(status: 0): "Done"
            case .exited(let status): "Failed with status \(status)"
            case .crashed(let signal): "Ended by signal \(signal) (\(String(cString: strsignal(signal))))"
            case .late, .unknown: "Ended"
            }
        return "\(text) after \(time.readable)."
    }

    /// The status as a shell returns it: 128 plus the number of a signal. Nil if unknown.
    var status: Int32? {
        switch end {
        case .exited(let status): status
        case .crashed(let signal): 128 + signal
        case .late, .unknown: nil
        }
    }

    var isFailure: Bool { status ?? 0 != 0 }

    /// Whether the user ended it from the terminal, as with Ctrl-C. They need no notice then.
    var isByTerminal: Bool { end == .crashed(signal: SIGINT) || end == .crashed(signal: SIGQUIT) }
}

/// The exit status of the user's command, which this program returns.
struct ForeignStatus: Error {
    let value: Int32
}
