/// The flags of `RequestName` (D-Bus specification, "org.freedesktop.DBus.RequestName").
///
/// ```swift
/// // The instance that was started last gets the name.
/// try await connection.requestName("org.example.Tea", [.allowReplacement, .replaceExisting, .doNotQueue])
/// ```
public struct BusNameFlags: OptionSet, Sendable, Hashable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Another program may take the name with ``replaceExisting``.
    public static let allowReplacement = BusNameFlags(rawValue: 1)
    /// Takes the name from an owner that allows it.
    public static let replaceExisting = BusNameFlags(rawValue: 2)
    /// Doesn't queue for the name.
    public static let doNotQueue = BusNameFlags(rawValue: 4)
}

/// The result of `RequestName`.
///
/// ```swift
/// switch try await connection.requestName("org.example.Tea", .doNotQueue) {
/// case .owner, .alreadyOwner: print("This is the only instance.")
/// case .inQueue, .taken: print("Tea runs already.")
/// }
/// ```
public enum BusNameOutcome: UInt32, Sendable, Hashable {
    /// This connection owns the name.
    case owner = 1
    /// Another connection owns the name; this one gets it when that connection releases it.
    case inQueue = 2
    /// Another connection owns the name, and this one is not in the queue.
    case taken = 3
    /// This connection already owned the name.
    case alreadyOwner = 4
}

/// The process and user that own a name. The bus reads them from the socket; they are not claims of the program.
///
/// ```swift
/// let owner = try await connection.credentials(of: "org.example.Tea")
/// if let processID = owner.processID { print("Tea runs as process \(processID).") }
/// ```
public struct BusCredentials: Sendable, Hashable {
    /// The process ID; nil if the bus doesn't report it.
    public var processID: UInt32?
    /// The user ID; nil if the bus doesn't report it.
    public var userID: UInt32?

    init(_ values: [BusValue]) {
        let map = values.first
        processID = map?["ProcessID"]?.integer()
        userID = map?["UnixUserID"]?.integer()
    }
}
