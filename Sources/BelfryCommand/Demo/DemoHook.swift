import Foundation

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
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = [step.rawValue]
        process.standardInput = FileHandle.nullDevice
        // What the demo prints is for whoever reads the demo.
        process.standardOutput = FileHandle.standardError
        // Not cut short by an interruption: the timeout does that.
        do { _ = try await process.run(within: timeout, endsWithTask: false) } catch {
            return output.note("the hook \(program) could not be run: \(error.localizedDescription)")
        }
        guard process.terminationStatus != 0 else { return }
        output.note("the hook \(program) ended with status \(process.terminationStatus) after '\(step.rawValue)'")
    }
}
