import Belfry
import Glibc

/// What `belfry done` waits for.
enum AwaitedProgram: Sendable {
    /// The program and its arguments, to be started.
    case started([String])
    case running(RunningProcess)

    var name: String {
        switch self {
        case .started(let arguments): arguments.joined(separator: " ")
        case .running(let process): process.name
        }
    }

    /// Whether its status is the one of this program.
    var isOwn: Bool { if case .started = self { true } else { false } }

    /// Throws `CancellationError` where this program is to end, and then sends SIGTERM to the one it has started.
    func end() async throws -> ProgramEnd {
        switch self {
        case .started(let arguments): try await Self.run(arguments)
        case .running(let process): ProgramEnd(kind: .unknown, time: try await process.untilEnded())
        }
    }

    private static func run(_ arguments: [String]) async throws -> ProgramEnd {
        // As time(1) and sudo(8) do: the terminal sends them to the command too, which may make something else of them.
        let earlier = [SIGINT, SIGQUIT].map { ($0, signal($0, SIG_IGN)) }
        defer { for (number, handler) in earlier { signal(number, handler) } }
        let begin = ContinuousClock.now
        let child = try ChildProgram(inForeground: arguments)
        let end = await withTaskCancellationHandler {
            await child.end()
        } onCancel: {
            child.kill(by: SIGTERM)
        }
        try Task.checkCancellation()
        return ProgramEnd(kind: .init(end), time: begin.duration(to: .now))
    }
}

/// How a program has ended, and how long it ran.
struct ProgramEnd: Sendable {
    enum Kind: Sendable, Hashable {
        case status(Int32)
        case signal(Int32)
        /// The kernel tells it to the program's parent alone, which is another one.
        case unknown
    }

    let kind: Kind
    let time: Duration

    /// As the notice says it.
    var sentence: String {
        let text =
            switch kind {
            case .status(0): "Done"
            case .status(let status): "Failed with status \(status)"
            case .signal(let signal): "Ended by signal \(signal) (\(String(cString: strsignal(signal))))"
            case .unknown: "Ended"
            }
        return "\(text) after \(time.readable)."
    }

    /// As a shell has it: 128 and the number of the signal. Nil where it is not known.
    var status: Int32? {
        switch kind {
        case .status(let status): status
        case .signal(let signal): 128 + signal
        case .unknown: nil
        }
    }

    var isFailure: Bool { kind != .status(0) && kind != .unknown }

    /// Whoever presses Ctrl-C knows that it has ended.
    var isByTerminal: Bool { kind == .signal(SIGINT) || kind == .signal(SIGQUIT) }
}

extension ProgramEnd.Kind {
    init(_ end: ChildProgram.End) {
        self =
            switch end {
            case .exited(let status): .status(status)
            case .crashed(let signal): .signal(signal)
            case .late: .signal(SIGKILL)
            }
    }
}

/// The status that a command of the user's has ended with, for this program to end with.
struct ForeignStatus: Error {
    let value: Int32
}
