import BelfryAgentService
import Foundation

exit(await AgentProgramMain.run())
