import Belfry
import Glibc

/// A program that is run after each step of the demo, with the step's name: it may take a picture, or answer.
struct DemoHook: Sendable {
    let program: String
    let output: CommandOutput
    /// A hook that takes longer is ended.
    var timeout = Duration.seconds(10)

    /// What BELFRY_DEMO_HOOK names; nil where it is not set.
    static func named(in environment: [String: String], output: CommandOutput) -> DemoHook? {
        guard let program = environment["BELFRY_DEMO_HOOK"], !program.isEmpty else { return nil }
        return DemoHook(program: program, output: output)
    }

    /// Returns when the program has ended. An error of it is reported, and stops nothing.
    func run(_ step: DemoStep) async {
        do throws(NoticeError) {
            // What the demo prints is for whoever reads the demo.
            let child = try ChildProgram([program, step.rawValue], output: STDERR_FILENO, errors: STDERR_FILENO)
            // Not cut short by an interruption: the timeout does that.
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
        }
    }
}
