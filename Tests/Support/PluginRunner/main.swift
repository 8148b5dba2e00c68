import BelfryPluginHost
import ConformanceStage
import Foundation

// Linked with no plug-in: what it runs comes from a file.
let status = await ConformanceProgram.main(Array(CommandLine.arguments.dropFirst())) { path in
    return { try PluginBackend(loading: path, for: ServerTour.app) }
}
exit(status)
