import Belfry
import BelfryAgentService
import Glibc

// On the centers' thread like everything below it: the first task on Swift's pool would have libdispatch wake up once a
// second for as long as the agent lives.
let arguments = Array(CommandLine.arguments.dropFirst())
exit(await withTaskExecutorPreference(CenterThread.shared) { await AgentProgramMain.run(arguments) })
