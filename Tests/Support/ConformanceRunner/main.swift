import BelfryConsole
import BelfryDBus
import BelfryLibnotify
import BelfryRecorder
import ConformanceStage
import Foundation

// One backend to a process: libnotify can't be in one twice, linked or loaded.
let status = await ConformanceProgram.main(Array(CommandLine.arguments.dropFirst())) { name in
    switch name {
    case "console": return { ConsoleBackend(output: .writer { _ in }, input: nil) }
    case "recorder": return { RecorderBackend() }
    case "dbus": return { DBusBackend() }
    case "libnotify": return { .libnotify(for: ServerTour.app) }
    default: throw ConformanceProgram.Usage("unknown backend '\(name)': console, recorder, dbus or libnotify")
    }
}
exit(status)
