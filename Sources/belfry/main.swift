import Belfry
import BelfryCommand
import Glibc

// On threads like those of an app's own tasks: a command may block, and Swift's pool takes longer to start than `send` to
// do its work.
let arguments = Array(CommandLine.arguments.dropFirst())
exit(await withTaskExecutorPreference(AppThreads.shared) { await CommandLineProgram.run(arguments) })
