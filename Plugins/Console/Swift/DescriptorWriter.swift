import Belfry
import CBelfryConsole
import Dispatch
import Glibc
import Synchronization

/// Writes whole texts to a descriptor, which the caller owns and keeps open.
///
/// All that a program writes to a file goes through one writer, so that nothing gets into the middle of a text.
package final class DescriptorWriter: Sendable {
    let descriptor: Int32
    /// The rest of a text that was begun before its reader paused. Locked while writing.
    private let unfinished = Mutex<[UInt8]>([])

    /// The errors after which the rest of a text can be written later.
    private static let passingErrors = [ETIMEDOUT, ENOSPC, EDQUOT]
    /// The pause before another attempt to finish a text. It needs no thread meanwhile.
    private static let pause = DispatchTimeInterval.milliseconds(250)

    package init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// Writes a text, and returns 0 or an error number: ETIMEDOUT if the reader doesn't read until the deadline.
    ///
    /// A text that was begun counts as written, because a caller that repeats it would write it twice. Its rest follows
    /// as soon as there is room, and before any other text. An empty text only waits for that rest.
    package func write(_ bytes: [UInt8], until deadline: ContinuousClock.Instant) -> Int32 {
        unfinished.withLock { rest in
            let all = rest + bytes
            guard !all.isEmpty else { return 0 }
            var written = 0
            let status = -belfry_console_write(descriptor, all, all.count, deadline.millisecondsLeft, &written)
            let hasBegun = written > rest.count
            let wasFinished = rest.isEmpty
            rest = Self.passingErrors.contains(status) ? Array(all[written..<(hasBegun ? all.count : rest.count)]) : []
            if wasFinished, !rest.isEmpty { finishLater() }
            return hasBegun && !rest.isEmpty ? 0 : status
        }
    }

    private func finishLater() {
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.pause) { [weak self] in
            guard let self, Self.passingErrors.contains(write([], until: .now)) else { return }
            finishLater()
        }
    }
}

extension ContinuousClock.Instant {
    /// What is left until then, rounded up, for poll(2).
    package var millisecondsLeft: Int32 { Int32(max(0, min(((self - .now).seconds * 1000).rounded(.up), 1e9))) }
}
