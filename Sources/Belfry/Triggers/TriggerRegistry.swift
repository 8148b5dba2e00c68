import FoundationEssentials

/// The kinds of trigger that this program can read from storage.
///
/// ```swift
/// struct TideTrigger: ElapsedTimeTrigger {
///     static let kind: TriggerKind = "org.example.tide"
///     var repeats: Bool { true }
///     var interval: Duration { .seconds(44_714) }
/// }
/// var kinds = TriggerRegistry.standard
/// kinds.register(TideTrigger.self)
/// let center = NoticeCenter(app: app, backend: backend, options: CenterOptions(triggers: kinds))
/// ```
public struct TriggerRegistry: Sendable {
    /// By the name of the kind: a dictionary's first use with another type of keys takes 60 µs of a program's start.
    private var types: [String: any NoticeTrigger.Type] = [:]

    /// Creates an empty registry.
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

    /// Adds a kind; replaces one with the same name.
    public mutating func register<Trigger: NoticeTrigger>(_ type: Trigger.Type) {
        types[Trigger.kind.rawValue] = type
    }

    /// Whether a kind is registered.
    public func contains(_ kind: TriggerKind) -> Bool { types[kind.rawValue] != nil }

    /// Whether the app has registered kinds in addition to Belfry's.
    package var hasOwnKinds: Bool { types.keys.contains { Self.standard.types[$0] == nil } }

    /// The type of a registered kind; nil if it is not registered.
    package func type(of kind: TriggerKind) -> (any NoticeTrigger.Type)? { types[kind.rawValue] }
}

extension CodingUserInfoKey {
    /// The key of the ``TriggerRegistry`` that a decoder uses for triggers; without it, ``TriggerRegistry/standard``.
    public static let triggerRegistry = CodingUserInfoKey(rawValue: "org.belfry.triggerRegistry")!
}

extension TriggerRegistry {
    /// A trigger of a kind that this program does not know. It is kept unchanged, stays pending and never fires here.
    public struct UnknownTrigger: NoticeTrigger {
        /// A placeholder that is never registered: ``storedKind`` has the kind.
        public static let kind: TriggerKind = "unknown"
        /// The stored kind.
        public let storedKind: TriggerKind
        /// The stored value of the trigger.
        public let payload: JSONValue
        public var repeats: Bool { false }

        /// Creates a placeholder for a trigger that can't be decoded.
        public init(storedKind: TriggerKind, payload: JSONValue) {
            self.storedKind = storedKind
            self.payload = payload
        }
    }
}

/// The storage format of a trigger: `{"kind": "interval", "value": {…}}`.
struct CodedTrigger: Codable {
    let trigger: any NoticeTrigger

    init(_ trigger: any NoticeTrigger) { self.trigger = trigger }

    private enum Key: String, CodingKey { case kind, value }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        let kind = try values.decode(TriggerKind.self, forKey: .kind)
        let registry = decoder.userInfo[.triggerRegistry] as? TriggerRegistry ?? .standard
        if let type = registry.type(of: kind) {
            trigger = try type.init(from: values.superDecoder(forKey: .value))
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
