import Belfry
import BelfryAgentService
import Glibc

// On the centers' thread like everything below it: the first task on Swift's pool would have libdispatch wake up once a
// second for as long as the agent lives. This thread waits. An asynchronous main would end it and have libdispatch
// start another one.
openMissingStandardDescriptors()
resetInheritedSignals()
let arguments = Array(CommandLine.arguments.dropFirst())
Task.detached(executorPreference: CenterThread.shared) { exit(await AgentProgramMain.run(arguments)) }
while true { pause() }
