import Belfry
import Foundation

/// Reads from a file descriptor.
struct FileInput: Sendable {
    let descriptor: Int32

    static let standard = FileInput(descriptor: STDIN_FILENO)

    /// True where reading would not have to wait.
    var isReady: Bool { poll(within: 0) }

    /// How many bytes were there; 0 at the end.
    func read(into buffer: inout [UInt8]) throws(CommandFailure) -> Int {
        while true {
            let count = Foundation.read(descriptor, &buffer, buffer.count)
            guard count < 0 else { return count }
            switch errno {
            case EINTR: continue
            // Somebody else has made it nonblocking.
            case EAGAIN: _ = poll(within: 1_000)
            case let number:
                let reason = String(cString: strerror(number))
                throw CommandFailure(.inputFailed, "Reading standard input failed: \(reason).")
            }
        }
    }

    private func poll(within milliseconds: Int32) -> Bool {
        var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return Foundation.poll(&state, 1, milliseconds) > 0
    }
}
