import Foundation

/// `belfry next --batch`: one question per line in, one answer per line out, in order, streaming.
enum BatchMode {
    /// Written when so many bytes are ready, and whenever the input pauses.
    private static let flushAt = 1 << 16

    /// Throws ``OutputClosed`` or ``CommandFailure``; a bad line is answered and ends nothing.
    static func run(input descriptor: Int32 = STDIN_FILENO, output: FileOutput = .standard) throws {
        var input = LineInput(descriptor: descriptor)
        var text = JSONText()
        func flush() throws {
            guard !text.bytes.isEmpty else { return }
            try output.write(text.bytes)
            text.removeAll()
        }
        while try input.next(
            beforeWaiting: flush,
            { line in
                answer(line, &text)
                if text.bytes.count >= flushAt { try flush() }
            }
        ) {}
        try flush()
    }

    private static func answer(_ line: LineInput.Line, _ text: inout JSONText) {
        switch line {
        case .bytes(let bytes) where bytes.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }:
            // A blank line asks nothing.
            return
        case .bytes(let bytes):
            BatchAnswer.write(to: &text, for: bytes, now: { Date() })
        case .tooLong:
            BatchAnswer.write(
                CommandFailure(
                    .invalidJSON,
                    "The line is longer than \(LineInput.maximumLength >> 20) MiB; split the question."
                ),
                to: &text
            )
        }
    }
}
