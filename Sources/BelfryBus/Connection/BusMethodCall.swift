import CDBus

/// A call of a method of a peer's object.
///
/// ```swift
/// let call = BusMethodCall(
///     to: "org.freedesktop.Notifications",
///     "/org/freedesktop/Notifications",
///     "org.freedesktop.Notifications",
///     "GetCapabilities",
///     expects: "as"
/// )
/// let features = try await connection.call(call).first?.strings ?? []
/// ```
public struct BusMethodCall: Sendable, Hashable {
    /// A unique or a well-known bus name.
    public var destination: String
    /// The object that is called.
    public var path: BusObjectPath
    /// The interface of the method.
    public var interface: String
    /// The name of the method.
    public var method: String
    /// The values, in order.
    public var arguments: [BusValue]
    /// The expected signature of the reply; another one is ``BusError/Code/unexpectedReply``. Nil accepts any.
    public var expects: BusSignature?
    /// The timeout from the call on, including the time in the queue. The default, 25 seconds, is libdbus's own.
    public var timeout: Duration
    /// Whether the bus may start a service for the name. If false, a call to a name without an owner fails immediately.
    public var startsService: Bool

    /// Creates a call; its names and values are validated when the call is made.
    public init(
        to destination: String,
        _ path: BusObjectPath,
        _ interface: String,
        _ method: String,
        _ arguments: [BusValue] = [],
        expects: BusSignature? = nil,
        timeout: Duration = .seconds(25),
        startsService: Bool = false
    ) {
        self.destination = destination
        self.path = path
        self.interface = interface
        self.method = method
        self.arguments = arguments
        self.expects = expects
        self.timeout = timeout
        self.startsService = startsService
    }

    func message(limit: Int, expectsReply: Bool) throws(BusError) -> WireMessage {
        var header = WireMessage.Header(kind: DBUS_MESSAGE_TYPE_METHOD_CALL)
        header.destination = destination
        header.path = path
        header.interface = interface
        header.member = method
        header.expectsReply = expectsReply
        header.startsService = startsService
        return try WireMessage.make(header, arguments, limit: limit)
    }
}

/// An object of a peer, for calls of one of its interfaces.
package struct BusObject: Sendable {
    private let name: String
    private let path: BusObjectPath
    private let interface: String
    private let timeout: Duration

    /// - Parameters:
    ///   - name: A unique or a well-known bus name.
    ///   - timeout: The timeout of each call.
    package init(_ name: String, _ path: BusObjectPath, _ interface: String, timeout: Duration) {
        (self.name, self.path, self.interface, self.timeout) = (name, path, interface, timeout)
    }

    /// Returns a call of a method; any reply is expected without `expects`.
    package func call(
        _ method: String,
        _ arguments: [BusValue] = [],
        expects: BusSignature? = nil
    ) -> BusMethodCall {
        BusMethodCall(to: name, path, interface, method, arguments, expects: expects, timeout: timeout)
    }
}

/// The bus's own object.
package enum BusDriver {
    static let name = "org.freedesktop.DBus"
    static let path: BusObjectPath = "/org/freedesktop/DBus"

    package static func call(
        _ method: String,
        _ arguments: [BusValue] = [],
        expects: BusSignature? = nil
    ) -> BusMethodCall {
        BusMethodCall(to: name, path, name, method, arguments, expects: expects)
    }
}

extension Duration {
    /// The duration limited to 0 to 6,000,000,000 s (about 190 years), which can be added to any clock's reading.
    var bounded: Duration { min(max(self, .zero), .seconds(6_000_000_000)) }
}
