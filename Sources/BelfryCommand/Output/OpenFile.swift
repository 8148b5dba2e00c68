import Belfry
import Glibc

/// The reader of a pipe has closed it: a reason to stop, but no failure.
struct OutputClosed: Error {}

/// A file descriptor to read from or write to.
struct OpenFile: Sendable {
    let descriptor: Int32

    static let standardInput = OpenFile(descriptor: STDIN_FILENO)
    static let standardOutput = OpenFile(descriptor: STDOUT_FILENO)
    static let standardError = OpenFile(descriptor: STDERR_FILENO)

    var isTerminal: Bool { isatty(descriptor) == 1 }

    /// Whether reading would not block.
    var isReadable: Bool { poll(POLLIN, within: 0) }

    /// Reads bytes and returns their number; 0 at the end.
    func read(into buffer: inout [UInt8]) throws -> Int {
        try retrying(POLLIN, { Glibc.read(descriptor, &buffer, buffer.count) }) { reason in
            NoticeError(.inputFailed, "Reading standard input failed: \(reason). Check where the input comes from.")
        }
    }

    /// Writes all bytes. Throws ``OutputClosed`` if the reader has closed the file, and ``NoticeError`` for errors such
    /// as a full disk.
    func write(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            rest = rest.dropFirst(
                try retrying(POLLOUT, { rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) } }) {
                    NoticeError(.outputFailed, "Writing failed: \($0). Check where the output goes.")
                }
            )
        }
    }

    func write(_ text: String) throws { try write(Array(text.utf8)) }

    /// Repeats a call that was interrupted or would block: another process may have made the file nonblocking.
    private func retrying(_ events: Int32, _ call: () -> Int, error: (String) -> NoticeError) throws -> Int {
        while true {
            let count = call()
            guard count < 0 else { return count }
            switch errno {
            case EINTR: continue
            case EAGAIN: _ = poll(events, within: 1_000)
            case EPIPE: throw OutputClosed()
            case let number: throw error(String(cString: strerror(number)))
            }
        }
    }

    private func poll(_ events: Int32, within milliseconds: Int32) -> Bool {
        var state = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        return Glibc.poll(&state, 1, milliseconds) > 0
    }
}
