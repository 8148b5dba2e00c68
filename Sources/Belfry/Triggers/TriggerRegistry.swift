import FoundationEssentials

/// The kinds of trigger that this program can read from storage.
///
/// ```swift
/// var kinds = TriggerRegistry.standard
/// kinds.register(TideTrigger.self)
/// ```
public struct TriggerRegistry: Sendable {
    private var decoders: [TriggerKind: @Sendable (any Decoder) throws -> any NoticeTrigger] = [:]

    /// Creates a registry that knows no kind.
    public init() {}

    /// Belfry's own kinds.
    public static let standard: TriggerRegistry = {
        var kinds = TriggerRegistry()
        kinds.register(ImmediateTrigger.self)
        kinds.register(IntervalTrigger.self)
        kinds.register(DateTrigger.self)
        kinds.register(CalendarTrigger.self)
        kinds.register(RecurrenceTrigger.self)
        kinds.register(LocationTrigger.self)
        return kinds
    }()

    /// Adds a kind; one of the same name is replaced.
    public mutating func register<Trigger: NoticeTrigger>(_ type: Trigger.Type) {
        decoders[Trigger.kind] = { try Trigger(from: $0) }
    }

    /// Whether a kind is registered.
    public func contains(_ kind: TriggerKind) -> Bool { decoders[kind] != nil }

    /// Whether there are kinds of the app's own beside Belfry's.
    package var hasOwnKinds: Bool { decoders.keys.contains { !Self.standard.contains($0) } }

    func decode(_ kind: TriggerKind, from decoder: any Decoder) throws -> (any NoticeTrigger)? {
        try decoders[kind]?(decoder)
    }
}

extension CodingUserInfoKey {
    /// Where a decoder carries the ``TriggerRegistry`` to read triggers with; without it, ``TriggerRegistry/standard``.
    public static let triggerRegistry = CodingUserInfoKey(rawValue: "org.belfry.triggerRegistry")!
}

extension TriggerRegistry {
    /// A trigger of a kind that this program does not know. It is kept as it is, stays pending and never fires here.
    public struct UnknownTrigger: NoticeTrigger {
        /// Never registered: it stands for the kind in ``storedKind``.
        public static let kind: TriggerKind = "unknown"
        /// The kind as it is stored.
        public let storedKind: TriggerKind
        /// What is stored of the trigger.
        public let payload: JSONValue
        public var repeats: Bool { false }

        /// Creates what stands for a trigger that can't be read.
        public init(storedKind: TriggerKind, payload: JSONValue) {
            self.storedKind = storedKind
            self.payload = payload
        }
    }
}

/// A trigger as it stands in storage: `{"kind": "interval", "value": {…}}`.
struct CodedTrigger: Codable {
    let trigger: any NoticeTrigger

    init(_ trigger: any NoticeTrigger) { self.trigger = trigger }

    private enum Key: String, CodingKey { case kind, value }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        let kind = try values.decode(TriggerKind.self, forKey: .kind)
        let registry = decoder.userInfo[.triggerRegistry] as? TriggerRegistry ?? .standard
        if registry.contains(kind), let known = try registry.decode(kind, from: values.superDecoder(forKey: .value)) {
            trigger = known
        } else {
            let payload = try values.decodeIfPresent(JSONValue.self, forKey: .value) ?? .null
            trigger = TriggerRegistry.UnknownTrigger(storedKind: kind, payload: payload)
        }
    }

    func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        if let unknown = trigger as? TriggerRegistry.UnknownTrigger {
            try values.encode(unknown.storedKind, forKey: .kind)
            try values.encode(unknown.payload, forKey: .value)
        } else {
            try values.encode(type(of: trigger).kind, forKey: .kind)
            try trigger.encode(to: values.superEncoder(forKey: .value))
        }
    }
}
