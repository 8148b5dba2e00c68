import Glibc

/// An open file descriptor that came or goes over the bus; it is closed when the last reference to it is gone.
///
/// Sending passes a duplicate on: the value here stays open.
public final class BusFileDescriptor: Sendable, Hashable {
    /// Open as long as this object lives.
    public let number: Int32

    /// Takes the descriptor over, and closes it in the end.
    public init(owning number: Int32) { self.number = number }

    /// A duplicate of an open descriptor, closed on exec. Throws ``BusError/Code/invalidValue`` where it isn't open, or
    /// descriptors have run out.
    public convenience init(duplicating number: Int32) throws(BusError) {
        let copy = fcntl(number, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else {
            throw BusError(
                .invalidValue,
                "File descriptor \(number) can't be duplicated: give an open one.",
                cause: String(cString: strerror(errno))
            )
        }
        self.init(owning: copy)
    }

    deinit { if number >= 0 { _ = close(number) } }

    /// The same object: two descriptors of one file are two values.
    public static func == (one: BusFileDescriptor, other: BusFileDescriptor) -> Bool { one === other }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
