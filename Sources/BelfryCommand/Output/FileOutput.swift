import Foundation

/// The other end of a pipe has gone: nobody reads any more, which is a reason to stop and no reason to complain.
struct OutputClosed: Error {}

/// Writes to a file descriptor, whole or not at all.
struct FileOutput: Sendable {
    let descriptor: Int32

    static let standard = FileOutput(descriptor: STDOUT_FILENO)
    static let complaints = FileOutput(descriptor: STDERR_FILENO)

    var isTerminal: Bool { isatty(descriptor) == 1 }

    /// Throws ``OutputClosed`` where nobody reads, ``CommandFailure`` where the disk is full or the like.
    func write(_ bytes: UnsafeRawBufferPointer) throws {
        var rest = bytes[...]
        while let start = UnsafeRawBufferPointer(rebasing: rest).baseAddress, !rest.isEmpty {
            let written = Foundation.write(descriptor, start, rest.count)
            if written >= 0 {
                rest = rest.dropFirst(written)
                continue
            }
            switch errno {
            case EINTR: continue
            case EAGAIN: waitUntilWritable()
            case EPIPE: throw OutputClosed()
            case let number:
                throw CommandFailure(
                    .outputFailed,
                    "Writing failed: \(String(cString: strerror(number))). Check where the output goes."
                )
            }
        }
    }

    func write(_ text: String) throws {
        var text = text
        try text.withUTF8 { try write(UnsafeRawBufferPointer($0)) }
    }

    func write(_ bytes: [UInt8]) throws {
        try bytes.withUnsafeBytes { try write($0) }
    }

    /// A terminal or pipe that somebody else has made non-blocking.
    private func waitUntilWritable() {
        var state = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&state, 1, 1000)
    }
}
