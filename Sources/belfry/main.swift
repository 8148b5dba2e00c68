import BelfryCommand
import Glibc

exit(await CommandLineProgram.run(Array(CommandLine.arguments.dropFirst())))
