import CDBus

/// A signal to emit, or one that was received.
///
/// ```swift
/// try connection.emit(BusSignal("/org/example/Tea", "org.example.Tea", "Ready", [.string("Darjeeling")]))
/// ```
public struct BusSignal: Sendable, Hashable {
    /// The unique name of the sender, set by the bus; ignored when emitting.
    public var sender: String?
    /// The object that emits the signal.
    public var path: BusObjectPath
    /// The interface of the signal.
    public var interface: String
    /// The name of the signal.
    public var member: String
    /// The values, in order.
    public var arguments: [BusValue]
    /// The unique or well-known name of the only recipient; nil to broadcast.
    public var destination: String?

    /// Creates a signal; its names and values are checked when it is emitted.
    public init(
        _ path: BusObjectPath,
        _ interface: String,
        _ member: String,
        _ arguments: [BusValue] = [],
        to destination: String? = nil
    ) {
        self.path = path
        self.interface = interface
        self.member = member
        self.arguments = arguments
        self.destination = destination
    }

    func message(limit: Int) throws(BusError) -> WireMessage {
        var header = WireMessage.Header(kind: DBUS_MESSAGE_TYPE_SIGNAL)
        header.path = path
        header.interface = interface
        header.member = member
        header.destination = destination
        return try WireMessage.make(header, arguments, limit: limit)
    }
}
