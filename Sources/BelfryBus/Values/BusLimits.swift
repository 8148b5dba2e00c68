import CDBus

/// The protocol's limits (D-Bus specification, "Message Protocol"). A bus disconnects whoever exceeds one.
enum BusLimits {
    /// Bytes of one array, without its length and the padding before the first element.
    static let arrayLength = 64 << 20
    /// Bytes of one message, including its header.
    static let messageLength = 128 << 20
    /// Nested containers of all kinds.
    static let nesting = 64
    /// Descriptors in one outgoing message: a bus accepts 16 by default.
    static let fileDescriptors = Int(BELFRY_DBUS_DESCRIPTORS)
    /// Descriptors in one incoming message: what the kernel passes at once (SCM_MAX_FD, unix(7)). A bus may be
    /// configured to accept more than 16, and libdbus disconnects if it receives more than its limit.
    static let receivedFileDescriptors = 253
}
