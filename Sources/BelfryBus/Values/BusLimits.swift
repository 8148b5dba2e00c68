/// The limits of the protocol (D-Bus specification, "Message Protocol"). libdbus ends the process where they are
/// broken.
enum BusLimits {
    /// Bytes of one array, without its length and the padding before the first element.
    static let arrayLength = 64 << 20
    /// Bytes of one message with its header.
    static let messageLength = 128 << 20
    /// Containers of all kinds inside each other.
    static let nesting = 64
    /// Descriptors in one message to send: a bus takes 16 by default.
    static let fileDescriptors = 16
    /// Descriptors in one message that is received: what the kernel passes at once (SCM_MAX_FD, unix(7)). A bus may be
    /// configured to take more than 16, and libdbus drops the connection that gets more than it was told to expect.
    static let receivedFileDescriptors = 253
}
