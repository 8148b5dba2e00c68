import Glibc

#if CommandLine
import Belfry
import BelfryCommand

openMissingStandardDescriptors()
resetInheritedSignals()
// On threads like those of an app's own tasks: a command may block, and Swift's pool takes longer to start than `send`
// to do its work. This thread waits. An asynchronous main would end it and have libdispatch start another one.
let arguments = Array(CommandLine.arguments.dropFirst())
Task.detached(executorPreference: AppThreads.shared) { exit(await CommandLineProgram.run(arguments)) }
while true { pause() }
#else
// A plain `swift build` needs no other package, so it can't parse arguments.
var message = "This belfry was built without its package trait. Build it with: swift build --traits CommandLine\n"
_ = message.withUTF8 { write(STDERR_FILENO, $0.baseAddress, $0.count) }
exit(1)
#endif
