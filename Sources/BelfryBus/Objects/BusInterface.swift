/// An interface that is exported: what it can do and who does it.
public struct BusInterface: Sendable {
    /// The name of the interface.
    public var name: String
    /// What can be called.
    public var methods: [BusMethod]
    /// What can be read and set.
    public var properties: [BusProperty]
    /// What the object may emit.
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

/// A named argument of a method or a signal, for whoever introspects.
public struct BusArgument: Sendable, Hashable {
    /// What the argument is called in the description of the interface.
    public var name: String
    /// Its type, as a signature.
    public var type: BusType

    /// Traps unless `signature` is one complete type: it is the programmer's own text.
    public init(_ name: String, _ signature: BusSignature) {
        precondition(signature.types.count == 1, "'\(signature)' is not the signature of one argument")
        self.name = name
        type = signature.types[0]
    }
}

/// A method of an exported interface.
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

    /// A method that is answered at once: it runs on the connection's thread, calls in the order of their arrival, and
    /// must not block. The arguments have the declared types; what is thrown becomes an error for the caller, a
    /// ``BusError`` with a ``BusError/name`` under that name.
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

    /// A method that takes its time: each call runs in a task of its own, which is cancelled when the object is taken
    /// back or the bus is lost. Each caller may have 8 at once, and up to 128 as far as room that all callers share
    /// (1,024) is left; further ones are refused with `LimitsExceeded`.
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

    /// A method that begins at once, calls in the order of their arrival, and answers when it likes through the reply:
    /// the form for answers that depend on what comes later. The handler runs on the connection's thread and must not
    /// block.
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
public struct BusProperty: Sendable {
    /// What `PropertiesChanged` says of it, for whoever introspects.
    public enum Changes: String, Sendable, Hashable {
        /// Each change is announced with the new value.
        case announced = "true"
        /// The signal names it without its value.
        case invalidated = "invalidates"
        /// It stays as it is.
        case never = "const"
        /// It changes, and nothing announces it.
        case silent = "false"
    }

    /// The name of the property.
    public var name: String
    /// The type of the value, as a signature.
    public var type: BusType
    /// What is announced when it changes.
    public var changes: Changes
    let read: @Sendable () throws -> BusValue
    let write: (@Sendable (BusValue) throws -> Void)?

    /// `read` and `write` run on the connection's thread and must not block. `write` gets a value of the declared type;
    /// without it the property is read-only. Traps unless `signature` is one complete type.
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

/// A signal that an exported interface may emit, for whoever introspects.
public struct BusSignalDeclaration: Sendable, Hashable {
    /// The name of the signal.
    public var name: String
    /// What it carries.
    public var arguments: [BusArgument]

    /// Creates a declaration.
    public init(_ name: String, _ arguments: [BusArgument] = []) {
        self.name = name
        self.arguments = arguments
    }
}

/// A call that has arrived for an exported method.
public struct BusIncomingCall: Sendable, Hashable {
    /// The caller's unique name.
    public var sender: String
    /// The object that is called.
    public var path: BusObjectPath
    /// The interface of the method; nil where the caller names none.
    public var interface: String
    /// The name of the method.
    public var method: String
    /// The values, in order.
    public var arguments: [BusValue]
    /// False where the caller wants to hear nothing.
    public var expectsReply: Bool
    let serial: UInt32
}
