import BirthdayTrackerKit
import Foundation
import Terminal

do {
    guard let invocation = try Invocation(Array(CommandLine.arguments.dropFirst())) else {
        writeError(Invocation.usage)
        exit(64)
    }
    try await invocation.perform(on: .standard())
} catch {
    writeError("birthday-tracker: \(error)")
    exit(1)
}
