import Foundation

/// Lines from a file descriptor, as they come: of any length up to a bound, in memory no longer than needed.
struct LineInput: ~Copyable {
    enum Line {
        case bytes(UnsafeBufferPointer<UInt8>)
        /// Longer than ``LineInput/maximumLength``; it was skipped.
        case tooLong
    }

    static let maximumLength = 16 << 20
    private static let chunk = 1 << 16

    private let descriptor: Int32
    private var buffer: [UInt8] = []
    /// The bytes before this one were handed out.
    private var start = 0
    /// The bytes before this one hold no line feed.
    private var searched = 0
    private var isEnded = false
    private var isSkipping = false

    init(descriptor: Int32) { self.descriptor = descriptor }

    /// Hands the next line, without its line feed, to `body`; false at the end of the input. Calls `beforeWaiting` when
    /// nothing more is there yet. Throws ``CommandFailure`` where the input can't be read.
    mutating func next(beforeWaiting: () throws -> Void, _ body: (Line) throws -> Void) throws -> Bool {
        while true {
            if let end = lineEnd() {
                defer {
                    start = end + 1
                    searched = start
                    isSkipping = false
                }
                try hand(start..<end, to: body)
                return true
            }
            if isEnded {
                guard start < buffer.count || isSkipping else { return false }
                defer {
                    start = buffer.count
                    searched = start
                    isSkipping = false
                }
                try hand(start..<buffer.count, to: body)
                return true
            }
            if buffer.count - start > Self.maximumLength {
                isSkipping = true
                start = buffer.count
                searched = start
            }
            if !isReady() { try beforeWaiting() }
            try fill()
        }
    }

    private func hand(_ range: Range<Int>, to body: (Line) throws -> Void) throws {
        guard !isSkipping else { return try body(.tooLong) }
        try buffer.withUnsafeBufferPointer { try body(.bytes(UnsafeBufferPointer(rebasing: $0[range]))) }
    }

    private mutating func lineEnd() -> Int? {
        let count = buffer.count
        let offset = buffer.withUnsafeBytes { bytes -> Int? in
            guard let base = bytes.baseAddress, searched < count,
                let found = memchr(base + searched, 0x0A, count - searched)
            else { return nil }
            return found - UnsafeMutableRawPointer(mutating: base)
        }
        if offset == nil { searched = count }
        return offset
    }

    /// True where reading would not have to wait.
    private func isReady() -> Bool {
        var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&state, 1, 0) > 0
    }

    private mutating func fill() throws {
        if start > 0 {
            buffer.removeFirst(start)
            searched -= start
            start = 0
        }
        let held = buffer.count
        buffer.append(contentsOf: repeatElement(0, count: Self.chunk))
        var count = -1
        repeat {
            count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress! + held, Self.chunk) }
            if count < 0, errno == EAGAIN { waitUntilReadable() }
        } while count < 0 && (errno == EINTR || errno == EAGAIN)
        let number = errno
        buffer.removeLast(Self.chunk - max(0, count))
        guard count >= 0 else {
            throw CommandFailure(
                .inputFailed,
                "Reading standard input failed: \(String(cString: strerror(number)))."
            )
        }
        if count == 0 { isEnded = true }
    }

    private func waitUntilReadable() {
        var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        _ = poll(&state, 1, 1000)
    }
}
