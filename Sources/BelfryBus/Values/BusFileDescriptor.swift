import Glibc

/// An open file descriptor to send or that was received. It is closed with the last reference.
///
/// Sending duplicates it: the descriptor here stays open.
///
/// ```swift
/// let log = try BusFileDescriptor(duplicating: 2)
/// try connection.send(
///     BusMethodCall(to: "org.example.Tea", "/org/example/Tea", "org.example.Tea", "LogTo", [.fileDescriptor(log)])
/// )
/// ```
public final class BusFileDescriptor: Sendable, Hashable {
    /// The descriptor's number, open as long as this object exists.
    public let number: Int32

    /// Takes ownership of the descriptor, and closes it in the end.
    public init(owning number: Int32) { self.number = number }

    /// Duplicates a descriptor (close-on-exec).
    ///
    /// - Throws: ``BusError/Code/invalidValue`` (permanent) if it isn't open, and ``BusError/Code/limitsExceeded``
    ///   (transient) if the process may open no more files.
    public convenience init(duplicating number: Int32) throws(BusError) {
        let copy = fcntl(number, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else {
            let isFull = errno == EMFILE
            let advice = isFull ? "close others, or raise ulimit -n" : "give an open one"
            throw BusError(
                isFull ? .limitsExceeded : .invalidValue,
                "File descriptor \(number) can't be duplicated: \(advice).",
                cause: String(cString: strerror(errno))
            )
        }
        self.init(owning: copy)
    }

    deinit { if number >= 0 { _ = close(number) } }

    /// Compares identity: two descriptors of one file are two values.
    public static func == (one: BusFileDescriptor, other: BusFileDescriptor) -> Bool { one === other }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
