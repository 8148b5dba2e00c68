/// Why something could not be done on the bus.
///
/// Compare the ``code``, show the ``message``: a full sentence that names the value at fault and what to do. Where a
/// peer (or the bus itself) answered with an error, ``name`` is the D-Bus error name it gave, whatever the code is.
public struct BusError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A stable name for the kind of failure; new ones may be added.
    public struct Code: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public var description: String { rawValue }
    }

    /// What kind of error it is.
    public let code: Code
    /// What happened, with the bad value, and what to do.
    public let message: String
    /// What the failing part itself said, if it said anything.
    public let cause: String?
    /// The D-Bus error name, such as `org.freedesktop.DBus.Error.ServiceUnknown`; nil where no peer gave one.
    public let name: String?

    /// Creates an error.
    public init(_ code: Code, _ message: String, cause: String? = nil, name: String? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
        self.name = name
    }

    /// An error for an exported method to throw: the caller gets `name` and `message` as they are.
    ///
    /// A `name` that isn't a valid D-Bus error name is sent as `org.freedesktop.DBus.Error.Failed`.
    public static func answer(_ name: String, _ message: String) -> BusError {
        BusError(.remoteError, message, name: name)
    }

    /// True where the same call may succeed later without any change.
    public var isTransient: Bool { Self.transientCodes.contains(code) }

    public var description: String {
        let details = [cause, name].compactMap { $0 }.filter { !$0.isEmpty }
        return details.isEmpty ? message : "\(message) (\(details.joined(separator: "; ")))"
    }

    private static let transientCodes: Set<Code> = [
        .noBus, .disconnected, .timedOut, .cancelled, .noOwner, .noReply, .limitsExceeded, .peerOverdue, .outgoingFull,
        .outOfMemory,
    ]
}

extension BusError.Code {
    /// There is no bus: no address, nothing listens there, or it doesn't answer the greeting. Transient.
    public static let noBus = Self(rawValue: "noBus")
    /// The bus address can't be read. Permanent until the environment is mended.
    public static let invalidAddress = Self(rawValue: "invalidAddress")
    /// The bus does not let this user in. Permanent.
    public static let authenticationFailed = Self(rawValue: "authenticationFailed")
    /// The bus is gone, or was not reached yet. Transient. Whether a call that was on its way was carried out isn't
    /// known.
    public static let disconnected = Self(rawValue: "disconnected")
    /// This connection was closed by its owner. Permanent for this connection.
    public static let closed = Self(rawValue: "closed")
    /// No answer within the call's time limit. Transient. Whether the call was or will be carried out isn't known.
    public static let timedOut = Self(rawValue: "timedOut")
    /// The task that awaited the answer was cancelled. Transient. Whether the call was carried out isn't known.
    public static let cancelled = Self(rawValue: "cancelled")
    /// A value that D-Bus can't carry: text with a NUL, an element of another type, nested too deep. Permanent.
    public static let invalidValue = Self(rawValue: "invalidValue")
    /// A bus name, path, interface, member or error name that breaks the rules for it. Permanent.
    public static let invalidName = Self(rawValue: "invalidName")
    /// A signature that breaks the rules for it. Permanent.
    public static let invalidSignature = Self(rawValue: "invalidSignature")
    /// A message or an array longer than D-Bus, or this bus, allows. Permanent.
    public static let tooLarge = Self(rawValue: "tooLarge")
    /// Nobody has the name that was called, and nobody could be started for it. Transient.
    public static let noOwner = Self(rawValue: "noOwner")
    /// The peer went away before it answered. Transient. Whether the call was carried out isn't known.
    public static let noReply = Self(rawValue: "noReply")
    /// The peer has no such object, interface, member or property, or not with such arguments. Permanent.
    public static let unknownMember = Self(rawValue: "unknownMember")
    /// The bus or the peer does not allow it. Permanent.
    public static let accessDenied = Self(rawValue: "accessDenied")
    /// A limit of the bus or of the peer is reached. Transient.
    public static let limitsExceeded = Self(rawValue: "limitsExceeded")
    /// The peer owes so many answers that it is asked nothing more until it gives one. Transient.
    public static let peerOverdue = Self(rawValue: "peerOverdue")
    /// So much waits to be taken by the bus that a signal was refused. Transient.
    public static let outgoingFull = Self(rawValue: "outgoingFull")
    /// The peer answered with an error that has no code of its own; see ``BusError/name``. Permanent unless you know it
    /// better.
    public static let remoteError = Self(rawValue: "remoteError")
    /// The peer's answer has another signature than was expected. Permanent: it speaks another version of the
    /// interface.
    public static let unexpectedReply = Self(rawValue: "unexpectedReply")
    /// This bus or this system can't do it, such as passing file descriptors. Permanent.
    public static let unsupported = Self(rawValue: "unsupported")
    /// There is an object with that interface at that path already. Permanent until that is taken back.
    public static let alreadyExported = Self(rawValue: "alreadyExported")
    /// libdbus could not get memory. Transient.
    public static let outOfMemory = Self(rawValue: "outOfMemory")
}

extension BusError {
    /// The errors of the specification that objects answer with.
    enum Standard: String {
        case failed = "Failed"
        case fileNotFound = "FileNotFound"
        case invalidArgs = "InvalidArgs"
        case limitsExceeded = "LimitsExceeded"
        case propertyReadOnly = "PropertyReadOnly"
        case unknownInterface = "UnknownInterface"
        case unknownMethod = "UnknownMethod"
        case unknownObject = "UnknownObject"
        case unknownProperty = "UnknownProperty"

        static let prefix = "org.freedesktop.DBus.Error."
        var name: String { Self.prefix + rawValue }
    }

    static func answer(_ error: Standard, _ message: String) -> BusError { answer(error.name, message) }

    /// What an error message from a peer or from the bus means to the caller.
    static func received(name: String, text: String, for call: String) -> BusError {
        let kind = name.hasPrefix(Standard.prefix) ? String(name.dropFirst(Standard.prefix.count)) : ""
        let code = standardCodes[kind] ?? .remoteError
        let said = text.isEmpty ? nil : text
        let message: String =
            switch code {
            case .noOwner:
                "Nobody answers to the name that \(call) was sent to: start that program, or try again later."
            case .noReply: "The program that \(call) was sent to went away before it answered."
            case .unknownMember: "The program on the other side does not know \(call), or not with these arguments."
            case .accessDenied: "The bus does not allow \(call)."
            case .limitsExceeded: "\(call) met a limit of the bus or of the program on the other side: try again later."
            default: "\(call) was answered with the error \(name)."
            }
        return BusError(code, message, cause: said, name: name)
    }

    private static let standardCodes: [String: Code] = [
        "ServiceUnknown": .noOwner, "NameHasNoOwner": .noOwner, "Spawn.ServiceNotFound": .noOwner,
        "Spawn.ExecFailed": .noOwner, "Spawn.ForkFailed": .noOwner, "Spawn.ChildExited": .noOwner,
        "Spawn.ChildSignaled": .noOwner, "Spawn.Failed": .noOwner,
        "NoReply": .noReply, "Disconnected": .noReply, "Timeout": .timedOut, "TimedOut": .timedOut,
        "UnknownMethod": .unknownMember, "UnknownObject": .unknownMember, "UnknownInterface": .unknownMember,
        "UnknownProperty": .unknownMember, "InvalidArgs": .unknownMember, "InvalidSignature": .unknownMember,
        "AccessDenied": .accessDenied, "AuthFailed": .accessDenied, "InteractiveAuthorizationRequired": .accessDenied,
        "LimitsExceeded": .limitsExceeded, "NoMemory": .limitsExceeded,
    ]
}
