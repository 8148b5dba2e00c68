/// What `RequestName` is asked to do (D-Bus specification, "org.freedesktop.DBus.RequestName").
public struct BusNameFlags: OptionSet, Sendable, Hashable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Whoever asks with ``replaceExisting`` may take the name over.
    public static let allowReplacement = BusNameFlags(rawValue: 1)
    /// Take the name from an owner that allows it.
    public static let replaceExisting = BusNameFlags(rawValue: 2)
    /// Don't wait in line for the name.
    public static let doNotQueue = BusNameFlags(rawValue: 4)
}

/// What `RequestName` came to.
public enum BusNameOutcome: UInt32, Sendable, Hashable {
    /// This connection owns the name.
    case owner = 1
    /// Another has the name; it comes to this connection when that one lets go of it.
    case inQueue = 2
    /// Another has the name, and there is no waiting.
    case taken = 3
    /// This connection owned the name before.
    case alreadyOwner = 4
}

/// Who is behind a name, as the bus knows it from the socket: it is not the program's own word.
public struct BusCredentials: Sendable, Hashable {
    /// The process; nil where the bus does not say.
    public var processID: UInt32?
    /// The user; nil where the bus does not say.
    public var userID: UInt32?
    /// All of the user's groups, where the bus tells them.
    public var groupIDs: [UInt32]
    /// The label of a security module, without its NUL.
    public var securityLabel: [UInt8]?

    init(_ values: [BusValue]) {
        let map = values.first
        processID = map?["ProcessID"]?.integer()
        userID = map?["UnixUserID"]?.integer()
        groupIDs = map?["UnixGroupIDs"]?.elements?.compactMap { $0.integer() } ?? []
        securityLabel = map?["LinuxSecurityLabel"]?.bytes.map { $0.last == 0 ? Array($0.dropLast()) : $0 }
    }
}
