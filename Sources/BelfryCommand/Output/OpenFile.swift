import Belfry
import BelfryConsole
import Glibc

/// The reader of a pipe has closed it: a reason to stop, but no failure.
struct OutputClosed: Error {}

/// A file descriptor to read from or write to.
struct OpenFile: Sendable {
    let descriptor: Int32
    private let writer: DescriptorWriter

    static let standardInput = OpenFile(descriptor: STDIN_FILENO)
    static let standardOutput = OpenFile(descriptor: STDOUT_FILENO)
    static let standardError = OpenFile(descriptor: STDERR_FILENO)

    /// How long a text waits for its reader before others that are written to the same file get their turn.
    private static let turn = Duration.seconds(1)

    init(descriptor: Int32) {
        self.descriptor = descriptor
        writer = DescriptorWriter(descriptor)
    }

    /// The file as the output of a console, whose texts are written between those of ``write(_:)-([UInt8])``.
    var console: ConsoleOutput { ConsoleOutput(writer) }

    var isTerminal: Bool { isatty(descriptor) == 1 }

    /// Whether reading would not block.
    var isReadable: Bool { poll(within: 0) }

    /// Reads bytes and returns their number; 0 at the end.
    func read(into buffer: inout [UInt8]) throws -> Int {
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            guard count < 0 else { return count }
            switch errno {
            case EINTR: continue
            // Another process may have made the file nonblocking.
            case EAGAIN: _ = poll(within: 1_000)
            case let number:
                throw NoticeError(.inputFailed, "Reading standard input failed: \(String(cString: strerror(number))).")
            }
        }
    }

    /// Writes all bytes. Throws ``OutputClosed`` if the reader has closed the file, and ``NoticeError`` for errors such
    /// as a full disk.
    func write(_ bytes: [UInt8]) throws {
        // The empty text waits for the rest of what was begun.
        for text in [bytes, []] {
            var status = ETIMEDOUT
            while status == ETIMEDOUT { status = writer.write(text, until: .now + Self.turn) }
            guard status != EPIPE else { throw OutputClosed() }
            guard status == 0 else {
                let reason = String(cString: strerror(status))
                throw NoticeError(.outputFailed, "Writing failed: \(reason). Check where the output goes.")
            }
        }
    }

    func write(_ text: String) throws { try write(Array(text.utf8)) }

    private func poll(within milliseconds: Int32) -> Bool {
        var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return Glibc.poll(&state, 1, milliseconds) > 0
    }
}
