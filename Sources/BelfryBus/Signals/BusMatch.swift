/// A filter for signals; nil properties match all.
///
/// The bus filters by it, and Belfry checks each signal again. Other rules, and signals that peers send to this
/// connection alone, also deliver signals that this match excludes.
///
/// ```swift
/// let suspending = BusMatch(
///     sender: "org.freedesktop.login1",
///     interface: "org.freedesktop.login1.Manager",
///     member: "PrepareForSleep"
/// )
/// for await signal in try await connection.signals(suspending) {
///     print(signal.arguments.first?.boolean == true ? "suspends" : "resumed")
/// }
/// ```
public struct BusMatch: Sendable, Hashable {
    /// A unique or a well-known name. For a well-known name, its owner is tracked, and only that owner's signals match.
    public var sender: String?
    /// The object that emits the signal.
    public var path: BusObjectPath?
    /// The path itself or any path below it; not together with `path`.
    public var pathNamespace: BusObjectPath?
    /// The interface of the signal.
    public var interface: String?
    /// The name of the signal.
    public var member: String?
    /// The texts that arguments must equal, by index from 0 to 63.
    public var arguments: [Int: String]

    /// Creates a match; nil matches anything.
    public init(
        sender: String? = nil,
        path: BusObjectPath? = nil,
        pathNamespace: BusObjectPath? = nil,
        interface: String? = nil,
        member: String? = nil,
        arguments: [Int: String] = [:]
    ) {
        self.sender = sender
        self.path = path
        self.pathNamespace = pathNamespace
        self.interface = interface
        self.member = member
        self.arguments = arguments
    }

    /// Returns the rule in the syntax of the bus.
    ///
    /// - Throws: Both permanent: ``BusError/Code/invalidName``, and ``BusError/Code/invalidValue`` for a path beside a
    ///   path namespace, an argument beyond 63, or a NUL.
    public func rule() throws(BusError) -> String {
        var parts = ["type='signal'"]
        if let sender {
            try BusNameRules.checkBusName(sender)
            parts.append("sender='\(sender)'")
        }
        if let path { parts.append("path='\(path)'") }
        if let pathNamespace {
            guard path == nil else {
                throw BusError(.invalidValue, "A match has a path and a path namespace: give one of them.")
            }
            parts.append("path_namespace='\(pathNamespace)'")
        }
        if let interface {
            try BusNameRules.checkInterface(interface)
            parts.append("interface='\(interface)'")
        }
        if let member {
            try BusNameRules.checkMember(member)
            parts.append("member='\(member)'")
        }
        for (index, text) in arguments.sorted(by: { $0.key < $1.key }) {
            guard (0...63).contains(index) else {
                throw BusError(.invalidValue, "A match names argument \(index): only 0 to 63 can be matched.")
            }
            guard !text.utf8.contains(0) else {
                throw BusError(.invalidValue, "A match has a text with a NUL inside: remove it.")
            }
            parts.append("arg\(index)='\(Self.quoted(text))'")
        }
        return parts.joined(separator: ",")
    }

    /// Returns the text with each apostrophe outside the quotes, since quotes can't contain one. Works on scalars: the
    /// bus reads bytes, so an apostrophe before a combining mark counts too.
    private static func quoted(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { result, scalar in
            if scalar == "'" { result += "'\\''" } else { result.unicodeScalars.append(scalar) }
        }
    }

    /// Returns whether all but the sender and the arguments match.
    func covers(path: String, interface: String, member: String) -> Bool {
        if let wanted = self.member, wanted != member { return false }
        if let wanted = self.interface, wanted != interface { return false }
        if let wanted = self.path, wanted.text != path { return false }
        if let pathNamespace, !BusObjectPath(verified: path).isWithin(pathNamespace) { return false }
        return true
    }

    func covers(_ values: [BusValue]) -> Bool {
        arguments.allSatisfy { index, text in values.indices.contains(index) && values[index] == .string(text) }
    }

    /// Returns the rules to add. The owner of a well-known name has to be tracked to check the sender of a signal.
    func rules(addingOwn: Bool) throws(BusError) -> [BusRule] {
        let own = BusRule.signals(try rule())
        var rules: [BusRule] = []
        if let sender, !BusNameRules.isUnique(sender), sender != BusDriver.name { rules.append(.owner(of: sender)) }
        return addingOwn ? rules + [own] : rules
    }
}
