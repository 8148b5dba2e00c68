import Foundation
import Terminal

guard let invocation = Invocation(Array(CommandLine.arguments.dropFirst())) else {
    writeError(Invocation.usage)
    exit(64)
}
do { try await invocation.tell() } catch {
    writeError("local-news: \(error)")
    exit(1)
}
