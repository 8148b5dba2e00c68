/// A value that its copies share. A copy is one pointer, however large the value is, and a change makes a new one.
struct Shared<Value: Sendable>: Sendable {
    /// Immutable, so that it can be shared.
    private final class Storage: Sendable {
        let value: Value
        init(_ value: Value) { self.value = value }
    }

    private var storage: Storage

    init(_ value: Value) { storage = Storage(value) }

    var value: Value {
        get { storage.value }
        set { storage = Storage(newValue) }
    }
}

extension Shared: Equatable where Value: Equatable {
    static func == (left: Self, right: Self) -> Bool {
        left.storage === right.storage || left.value == right.value
    }
}

extension Shared: Hashable where Value: Hashable {
    func hash(into hasher: inout Hasher) { value.hash(into: &hasher) }
}

extension Shared: Codable where Value: Codable {
    init(from decoder: any Decoder) throws { self.init(try Value(from: decoder)) }

    func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}
