import Belfry
import CBelfryConsole
import Glibc
import Synchronization

/// Writes whole texts to a descriptor, which the caller owns and keeps open.
package final class DescriptorWriter: Sendable {
    private let descriptor: Int32
    /// The rest of a text that was written in part before its reader paused. Locked while writing.
    private let unfinished = Mutex<[UInt8]>([])

    package init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// Writes all bytes, and returns 0 or an error number: ETIMEDOUT if the reader doesn't read until the deadline.
    ///
    /// The rest of a text that was begun is written before the next one, so that no reader gets half of a text. The
    /// caller repeats a text that was not begun, so none is begun after the deadline, even if there is room.
    package func write(_ bytes: [UInt8], until deadline: ContinuousClock.Instant) -> Int32 {
        unfinished.withLock { rest in
            let all = rest + bytes
            var written = 0
            let status = -belfry_console_write(descriptor, all, all.count, deadline.millisecondsLeft, &written)
            let end = written > rest.count ? all.count : rest.count
            rest = status == ETIMEDOUT ? Array(all[written..<end]) : []
            return status
        }
    }
}

extension ContinuousClock.Instant {
    /// What is left until then, rounded up, for poll(2).
    package var millisecondsLeft: Int32 { Int32(max(0, min(((self - .now).seconds * 1000).rounded(.up), 1e9))) }
}
