import Belfry
import Foundation

/// `belfry next --batch`: one question per line in, one answer per line out, in order, streaming.
enum BatchMode {
    /// Of a line, in bytes.
    static let maximumLength = 16 << 20
    /// Written when so many bytes are ready, and whenever the input pauses.
    private static let flushAt = 1 << 16

    /// Throws ``OutputClosed`` or ``CommandFailure``; a bad line is answered and ends nothing.
    static func run(input: FileInput = .standard, output: FileOutput = .standard) throws {
        var lines = BoundedLines(limit: maximumLength)
        var text = JSONText()
        func flush() throws {
            guard !text.bytes.isEmpty else { return }
            try output.write(text.bytes)
            text.removeAll()
        }
        func answer(_ line: ArraySlice<UInt8>) throws {
            // A blank line asks nothing.
            guard line.contains(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }) else { return }
            BatchAnswer.write(to: &text, for: line, now: { Date() })
            if text.bytes.count >= flushAt { try flush() }
        }
        func refuse() {
            let what = "The line is longer than \(maximumLength >> 20) MiB; split the question."
            BatchAnswer.write(CommandFailure(.invalidJSON, what), to: &text)
        }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            if !input.isReady { try flush() }
            let count = try input.read(into: &buffer)
            guard count > 0 else { break }
            try lines.append(buffer[..<count], overlong: refuse, answer)
        }
        try lines.finish(overlong: refuse, answer)
        try flush()
    }
}
