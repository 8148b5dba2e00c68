/// Which signals are wanted; what is nil matches all.
///
/// The bus sends by it, and Belfry looks at each signal again: other rules, and others' signals sent to this connection
/// alone, bring what was not asked for here.
public struct BusMatch: Sendable, Hashable {
    /// A unique or a well-known name. For a well-known one its owner is followed, and only that one's signals match.
    public var sender: String?
    /// The object that emits the signal.
    public var path: BusObjectPath?
    /// The path itself or what stands below it; not together with `path`.
    public var pathNamespace: BusObjectPath?
    /// The interface of the signal.
    public var interface: String?
    /// The name of the signal.
    public var member: String?
    /// Texts that the first, second, … argument must be, by its index from 0 to 63.
    public var arguments: [Int: String]

    /// Creates a rule; what is nil matches anything.
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

    /// The rule as the bus reads it. Throws ``BusError/Code/invalidName`` and ``BusError/Code/invalidValue``.
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

    /// An apostrophe can't stand in quotes: the quotes end before it and begin after it. The bus reads bytes: one that
    /// a combining mark follows is an apostrophe too.
    private static func quoted(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { result, scalar in
            if scalar == "'" { result += "'\\''" } else { result.unicodeScalars.append(scalar) }
        }
    }

    /// All but the sender.
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

    /// What the bus is asked for. The owner of a well-known name has to be followed to know whom a signal is from.
    func rules(addingOwn: Bool) throws(BusError) -> [BusRule] {
        let own = BusRule.signals(try rule())
        var rules: [BusRule] = []
        if let sender, !BusNameRules.isUnique(sender), sender != BusDriver.name { rules.append(.owner(of: sender)) }
        return addingOwn ? rules + [own] : rules
    }
}
