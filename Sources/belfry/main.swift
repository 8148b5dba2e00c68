import BelfryCommand
import Foundation

exit(await CommandLineProgram.run(Array(CommandLine.arguments.dropFirst())))
