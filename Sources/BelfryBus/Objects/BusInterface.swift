/// An interface to export: its declaration and its handlers.
///
/// ```swift
/// let ring = BusMethod("Ring", atOnce: { call in
///     print("\(call.sender) rings")
///     return []
/// })
/// let interface = BusInterface("org.example.Tea", methods: [ring], signals: [BusSignalDeclaration("Ready")])
/// let export = try await connection.export([interface], at: "/org/example/Tea")
/// ```
public struct BusInterface: Sendable {
    /// The name of the interface.
    public var name: String
    /// The methods that peers can call.
    public var methods: [BusMethod]
    /// The properties that peers can read and set.
    public var properties: [BusProperty]
    /// The signals that the object may emit.
    public var signals: [BusSignalDeclaration]

    /// Creates an interface; its names are checked when an object is exported.
    public init(
        _ name: String,
        methods: [BusMethod] = [],
        properties: [BusProperty] = [],
        signals: [BusSignalDeclaration] = []
    ) {
        self.name = name
        self.methods = methods
        self.properties = properties
        self.signals = signals
    }
}

/// A named argument of a method or a signal, as introspection reports it.
///
/// ```swift
/// let ready = BusSignalDeclaration("Ready", [BusArgument("kind", "s"), BusArgument("minutes", "u")])
/// ```
public struct BusArgument: Sendable, Hashable {
    /// The name of the argument in the description of the interface.
    public var name: String
    /// Its type, as a signature.
    public var type: BusType

    /// Creates an argument. Traps unless `signature` is one complete type: a wrong literal is a programming error.
    public init(_ name: String, _ signature: BusSignature) {
        precondition(signature.types.count == 1, "'\(signature)' is not the signature of one argument")
        self.name = name
        type = signature.types[0]
    }
}

/// A method of an exported interface.
///
/// ```swift
/// let minutesLeft = BusMethod("MinutesLeft", returns: [BusArgument("minutes", "u")], atOnce: { _ in [.uint32(3)] })
/// let interface = BusInterface("org.example.Tea", methods: [minutesLeft])
/// ```
public struct BusMethod: Sendable {
    /// The name of the method.
    public var name: String
    /// The arguments of a call.
    public var takes: [BusArgument]
    /// The values of a reply.
    public var returns: [BusArgument]
    let handler: Handler

    enum Handler: Sendable {
        case atOnce(@Sendable (BusIncomingCall) throws -> [BusValue])
        case later(@Sendable (BusIncomingCall) async throws -> [BusValue])
        case replying(@Sendable (BusIncomingCall, BusReply) -> Void)
    }

    /// Creates a method with a synchronous handler. It runs on the connection's thread, in the order in which calls
    /// arrive, and must not block. The arguments have the declared types. A thrown error becomes an error reply; a
    /// ``BusError`` with a ``BusError/name`` keeps that name.
    public init(
        _ name: String,
        takes: [BusArgument] = [],
        returns: [BusArgument] = [],
        atOnce handler: @escaping @Sendable (BusIncomingCall) throws -> [BusValue]
    ) {
        self.name = name
        self.takes = takes
        self.returns = returns
        self.handler = .atOnce(handler)
    }

    /// Creates a method with an asynchronous handler. Each call runs in its own task, which is canceled when the
    /// export ends or the bus is lost. Each caller may have 8 calls at once, and up to 128 while the room that all
    /// callers share (1,024) lasts. Further calls are refused with `LimitsExceeded`. A thrown error becomes an error
    /// reply; a ``BusError`` with a ``BusError/name`` keeps that name.
    public init(
        _ name: String,
        takes: [BusArgument] = [],
        returns: [BusArgument] = [],
        later handler: @escaping @Sendable (BusIncomingCall) async throws -> [BusValue]
    ) {
        self.name = name
        self.takes = takes
        self.returns = returns
        self.handler = .later(handler)
    }

    /// Creates a method whose handler starts in the order in which calls arrive and replies at any time through the
    /// ``BusReply``. Use it for replies that depend on later events. The handler runs on the connection's thread and
    /// must not block.
    public init(
        _ name: String,
        takes: [BusArgument] = [],
        returns: [BusArgument] = [],
        replying handler: @escaping @Sendable (BusIncomingCall, BusReply) -> Void
    ) {
        self.name = name
        self.takes = takes
        self.returns = returns
        self.handler = .replying(handler)
    }
}

/// A property of an exported interface.
///
/// ```swift
/// let kind = BusProperty("Kind", "s", changes: .never, read: { .string("Darjeeling") })
/// let interface = BusInterface("org.example.Tea", properties: [kind])
/// ```
public struct BusProperty: Sendable {
    /// How `PropertiesChanged` reports changes of the property, as introspection declares it.
    public enum Changes: String, Sendable, Hashable {
        /// Each change is announced with the new value.
        case announced = "true"
        /// The signal names the property without its value.
        case invalidated = "invalidates"
        /// The value is constant.
        case never = "const"
        /// The value changes without a signal.
        case silent = "false"
    }

    /// The name of the property.
    public var name: String
    /// The type of the value, as a signature.
    public var type: BusType
    /// How changes are announced.
    public var changes: Changes
    let read: @Sendable () throws -> BusValue
    let write: (@Sendable (BusValue) throws -> Void)?

    /// Creates a property. `read` and `write` run on the connection's thread and must not block. `write` receives a
    /// value of the declared type; without it, the property is read-only. An error that they throw becomes an error
    /// reply. Traps unless `signature` is one complete type.
    public init(
        _ name: String,
        _ signature: BusSignature,
        changes: Changes = .silent,
        read: @escaping @Sendable () throws -> BusValue,
        write: (@Sendable (BusValue) throws -> Void)? = nil
    ) {
        precondition(signature.types.count == 1, "'\(signature)' is not the signature of one property")
        self.name = name
        type = signature.types[0]
        self.changes = changes
        self.read = read
        self.write = write
    }
}

/// A signal that an exported interface may emit, as introspection reports it.
///
/// ```swift
/// let ready = BusSignalDeclaration("Ready", [BusArgument("kind", "s")])
/// let interface = BusInterface("org.example.Tea", signals: [ready])
/// let export = try await connection.export([interface], at: "/org/example/Tea")
/// try connection.emit(BusSignal("/org/example/Tea", "org.example.Tea", "Ready", [.string("Darjeeling")]))
/// ```
public struct BusSignalDeclaration: Sendable, Hashable {
    /// The name of the signal.
    public var name: String
    /// The arguments of the signal.
    public var arguments: [BusArgument]

    /// Creates a declaration.
    public init(_ name: String, _ arguments: [BusArgument] = []) {
        self.name = name
        self.arguments = arguments
    }
}

/// A call that arrived for an exported method.
///
/// ```swift
/// let brew = BusMethod("Brew", takes: [BusArgument("minutes", "u")], atOnce: { call in
///     let minutes = call.arguments[0].integer(Int.self) ?? 0
///     print("\(call.sender) brews for \(minutes) minutes")
///     return []
/// })
/// ```
public struct BusIncomingCall: Sendable, Hashable {
    /// The caller's unique name.
    public var sender: String
    /// The object that is called.
    public var path: BusObjectPath
    /// The interface of the method. If the caller named none, the first interface of the object that has the method.
    public var interface: String
    /// The name of the method.
    public var method: String
    /// The values, in order.
    public var arguments: [BusValue]
    /// Whether the caller wants a reply.
    public var expectsReply: Bool
    let serial: UInt32
}
