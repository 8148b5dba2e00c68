import CDBus

/// An error of a bus operation.
///
/// Compare the ``code`` and show the ``message``: full sentences that name the offending value and what to do. If a
/// peer or the bus replied with an error, ``name`` is the D-Bus error name that it sent, whatever the code is.
///
/// ```swift
/// do throws(BusError) {
///     try await connection.call(BusMethodCall(to: "org.example.Tea", "/org/example/Tea", "org.example.Tea", "Brew"))
/// } catch {
///     print(error.isTransient ? "Try again later: \(error)" : "\(error)")
/// }
/// ```
public struct BusError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A stable name for the kind of error; new ones may be added.
    public struct Code: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public var description: String { rawValue }
    }

    /// The kind of error.
    public let code: Code
    /// What happened, with the offending value, and what to do.
    public let message: String
    /// The underlying error text, if there is one.
    public let cause: String?
    /// The D-Bus error name, such as `org.freedesktop.DBus.Error.ServiceUnknown`; nil unless it was received.
    public let name: String?

    /// Creates an error.
    public init(_ code: Code, _ message: String, cause: String? = nil, name: String? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
        self.name = name
    }

    /// Creates an error for an exported method to throw: the caller receives `name` and `message` unchanged.
    ///
    /// A `name` that isn't a valid D-Bus error name is sent as `org.freedesktop.DBus.Error.Failed`.
    public static func reply(_ name: String, _ message: String) -> BusError {
        BusError(.remoteError, message, name: name)
    }

    /// Whether the same call may succeed later without any change.
    public var isTransient: Bool { Self.transientCodes.contains(code) }

    public var description: String {
        let details = [cause, name].compactMap { $0 }.filter { !$0.isEmpty }
        return details.isEmpty ? message : "\(message) (\(details.joined(separator: "; ")))"
    }

    private static let transientCodes: [Code] = [
        .noBus, .disconnected, .timedOut, .cancelled, .noOwner, .noReply, .limitsExceeded, .peerOverdue, .outgoingFull,
        .outOfMemory,
    ]
}

extension BusError.Code {
    /// There is no bus: no address, no listener there, or no reply to the greeting. Transient.
    public static let noBus = Self(rawValue: "noBus")
    /// The bus address can't be parsed. Permanent until the environment is fixed.
    public static let invalidAddress = Self(rawValue: "invalidAddress")
    /// The bus rejected this user. Permanent.
    public static let authenticationFailed = Self(rawValue: "authenticationFailed")
    /// The connection to the bus was lost or not established yet. Transient. A call in flight may or may not have been
    /// carried out.
    public static let disconnected = Self(rawValue: "disconnected")
    /// This connection was closed by its owner. Permanent for this connection.
    public static let closed = Self(rawValue: "closed")
    /// No reply arrived within the call's timeout. Transient. The call may have been carried out, or may be later.
    public static let timedOut = Self(rawValue: "timedOut")
    /// The task that awaited the reply was canceled. Transient. The call may or may not have been carried out.
    public static let cancelled = Self(rawValue: "cancelled")
    /// A value that D-Bus can't carry: text with a NUL, an array element of another type, too deep nesting. Permanent.
    public static let invalidValue = Self(rawValue: "invalidValue")
    /// An invalid bus name, path, interface, member or error name. Permanent.
    public static let invalidName = Self(rawValue: "invalidName")
    /// An invalid signature. Permanent.
    public static let invalidSignature = Self(rawValue: "invalidSignature")
    /// A message or an array is longer than D-Bus, or this bus, allows. Permanent.
    public static let tooLarge = Self(rawValue: "tooLarge")
    /// The called name has no owner, and no service could be started for it. Transient.
    public static let noOwner = Self(rawValue: "noOwner")
    /// The peer disconnected before it replied. Transient. The call may or may not have been carried out.
    public static let noReply = Self(rawValue: "noReply")
    /// The peer has no such object, interface, member or property, or rejects the arguments. Permanent.
    public static let unknownMember = Self(rawValue: "unknownMember")
    /// The bus or the peer does not allow it. Permanent.
    public static let accessDenied = Self(rawValue: "accessDenied")
    /// A limit of the bus, of the peer or of this process is reached. Transient.
    public static let limitsExceeded = Self(rawValue: "limitsExceeded")
    /// The peer owes so many replies that it is sent no further calls until it sends one. Transient.
    public static let peerOverdue = Self(rawValue: "peerOverdue")
    /// A signal, or a call without reply, was refused because too many bytes wait for the bus. Transient.
    public static let outgoingFull = Self(rawValue: "outgoingFull")
    /// The peer's error has no code of its own; see ``BusError/name``. Permanent unless the caller knows better.
    public static let remoteError = Self(rawValue: "remoteError")
    /// The reply has another signature than expected. Permanent: the peer implements another version of the interface.
    public static let unexpectedReply = Self(rawValue: "unexpectedReply")
    /// This bus or this system doesn't support the operation, such as passing file descriptors. Permanent.
    public static let unsupported = Self(rawValue: "unsupported")
    /// An object at that path already exports that interface. Permanent until that export is canceled.
    public static let alreadyExported = Self(rawValue: "alreadyExported")
    /// libdbus could not allocate memory. Transient.
    public static let outOfMemory = Self(rawValue: "outOfMemory")
}

extension BusError {
    /// Returns the error for an error reply from a peer or from the bus.
    static func received(name: String, text: String, for call: String) -> BusError {
        let code = standardCodes[name] ?? .remoteError
        let said = text.isEmpty ? nil : text
        let message: String =
            switch code {
            case .noOwner:
                "The name that \(call) was sent to has no owner: start that program, or try again later."
            case .noReply: "The program that \(call) was sent to went away before it replied."
            case .unknownMember: "The program on the other side does not know \(call), or not with these arguments."
            case .accessDenied: "The bus does not allow \(call)."
            case .limitsExceeded: "\(call) met a limit of the bus or of the program on the other side: try again later."
            default: "\(call) failed with the error \(name)."
            }
        return BusError(code, message, cause: said, name: name)
    }

    /// The codes of libdbus's own errors.
    private static let standardCodes: [String: Code] = [
        DBUS_ERROR_SERVICE_UNKNOWN: .noOwner, DBUS_ERROR_NAME_HAS_NO_OWNER: .noOwner,
        DBUS_ERROR_SPAWN_SERVICE_NOT_FOUND: .noOwner, DBUS_ERROR_SPAWN_EXEC_FAILED: .noOwner,
        DBUS_ERROR_SPAWN_FORK_FAILED: .noOwner, DBUS_ERROR_SPAWN_CHILD_EXITED: .noOwner,
        DBUS_ERROR_SPAWN_CHILD_SIGNALED: .noOwner, DBUS_ERROR_SPAWN_FAILED: .noOwner, DBUS_ERROR_NO_REPLY: .noReply,
        DBUS_ERROR_DISCONNECTED: .noReply, DBUS_ERROR_TIMEOUT: .timedOut, DBUS_ERROR_TIMED_OUT: .timedOut,
        DBUS_ERROR_UNKNOWN_METHOD: .unknownMember, DBUS_ERROR_UNKNOWN_OBJECT: .unknownMember,
        DBUS_ERROR_UNKNOWN_INTERFACE: .unknownMember, DBUS_ERROR_UNKNOWN_PROPERTY: .unknownMember,
        DBUS_ERROR_INVALID_ARGS: .unknownMember, DBUS_ERROR_INVALID_SIGNATURE: .unknownMember,
        DBUS_ERROR_ACCESS_DENIED: .accessDenied, DBUS_ERROR_AUTH_FAILED: .accessDenied,
        DBUS_ERROR_INTERACTIVE_AUTHORIZATION_REQUIRED: .accessDenied, DBUS_ERROR_LIMITS_EXCEEDED: .limitsExceeded,
        DBUS_ERROR_NO_MEMORY: .limitsExceeded,
    ]
}
