import Belfry
import Glibc

/// A program that runs after each step of the demo with the step's name, to take a screenshot or respond.
struct DemoHook: Sendable {
    let program: String
    let output: CommandOutput
    /// The timeout after which the hook is killed.
    var timeout = Duration.seconds(10)

    /// Returns the hook that BELFRY_DEMO_HOOK names; nil if the variable is not set.
    static func named(in environment: [String: String], output: CommandOutput) -> DemoHook? {
        guard let program = environment["BELFRY_DEMO_HOOK"], !program.isEmpty else { return nil }
        return DemoHook(program: program, output: output)
    }

    /// Returns when the program has ended. Its errors are reported and do not stop the demo.
    func run(_ step: DemoStep) async {
        do throws(NoticeError) {
            // The hook's output goes to standard error, so that it does not mix with the demo's.
            let child = try ChildProgram([program, step.rawValue], output: STDERR_FILENO, errors: STDERR_FILENO)
            // An interruption does not end the hook; the timeout does.
            let end = await child.end(within: timeout)
            guard end != .exited(status: 0) else { return }
            output.note("the hook \(program) \(end.account) after '\(step.rawValue)'")
        } catch {
            output.note("the hook \(program) could not be run: \(error.message)")
        }
    }
}

extension ChildProgram.End {
    fileprivate var account: String {
        switch self {
        case .exited(let status): "ended with status \(status)"
        case .crashed(let signal): "was ended by signal \(signal)"
        case .late: "took too long and was ended"
        case .unknown: "ended with an unknown status"
        }
    }
}
