import Belfry
import BelfryCommand
import Glibc

// On threads like those of an app's own tasks: a command may block, and Swift's pool takes longer to start than `send` to
// do its work. This thread waits. An asynchronous main would end it and have libdispatch start another one.
let arguments = Array(CommandLine.arguments.dropFirst())
Task.detached(executorPreference: AppThreads.shared) { exit(await CommandLineProgram.run(arguments)) }
while true { pause() }
