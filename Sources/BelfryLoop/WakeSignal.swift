import CLinux
import Glibc

/// A descriptor that another thread or a signal handler makes readable (eventfd(2)). The owner calls ``close()``
/// exactly once.
package struct WakeSignal: Sendable {
    package let descriptor: Int32

    /// Returns nil, with the reason in `errno`, if the process has no descriptors left.
    package init?() {
        descriptor = eventfd(0, Int32(EFD_NONBLOCK) | Int32(EFD_CLOEXEC))
        if descriptor < 0 { return nil }
    }

    /// The signal of a descriptor that was opened before.
    package init(descriptor: Int32) { self.descriptor = descriptor }

    package func close() { _ = Glibc.close(descriptor) }

    /// Makes the descriptor readable. Several calls before a ``clear()`` count as one. Safe in a signal handler.
    package func raise() {
        var one: UInt64 = 1
        // Another error means that the counter is full, and the descriptor readable already.
        while write(descriptor, &one, MemoryLayout<UInt64>.size) < 0, errno == EINTR {}
    }

    /// Makes the descriptor unreadable. Returns true if it had been raised.
    @discardableResult
    package func clear() -> Bool {
        var count: UInt64 = 0
        while read(descriptor, &count, MemoryLayout<UInt64>.size) < 0 { if errno != EINTR { return false } }
        return true
    }
}
