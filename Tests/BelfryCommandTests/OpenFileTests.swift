import Belfry
import BelfryConsole
import BelfryTestSupport
import Foundation
import Testing

@testable import BelfryCommand

@Suite("A file that a command and its console write to", .takesTurns, .timeLimit(.minutes(1)))
struct OpenFileTests {
    @Test("What the console has begun when its reader pauses is finished before the command's own lines")
    func wholeLines() async throws {
        let pipe = Pipe()
        let file = OpenFile(descriptor: pipe.fileHandleForWriting.fileDescriptor)
        let console = ConsoleBackend(format: .json, output: file.console, input: nil, writeLimit: .milliseconds(50))
        let content = NoticeContent(title: "Long", body: String(repeating: "x", count: 100_000))
        let delivery = Delivery(id: "d", requestID: "long", app: .command(), content: content, dueDate: Date())
        _ = try? await console.deliver(delivery)
        let writer = Task.detached {
            try file.write("{\"id\":\"own\"}\n")
            try pipe.fileHandleForWriting.close()
        }
        let bytes = try await offThePool { try pipe.fileHandleForReading.readToEnd() } ?? Data()
        try await writer.value
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        #expect(lines.map { JSONLine(String($0))?["id"] } == ["long", "own"])
    }
}
