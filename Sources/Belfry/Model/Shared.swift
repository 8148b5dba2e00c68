/// A value that its copies share. A copy is one pointer, however large the value is, and a change makes a new one.
package struct Shared<Value: Sendable>: Sendable {
    /// Immutable, so that it can be shared.
    private final class Storage: Sendable {
        let value: Value
        init(_ value: Value) { self.value = value }
    }

    private var storage: Storage

    package init(_ value: Value) { storage = Storage(value) }

    package var value: Value {
        get { storage.value }
        set { storage = Storage(newValue) }
    }

    /// Equal for copies that share the value.
    var identity: ObjectIdentifier { ObjectIdentifier(storage) }
}

extension Shared: Equatable where Value: Equatable {
    package static func == (left: Self, right: Self) -> Bool {
        left.storage === right.storage || left.value == right.value
    }
}

extension Shared: Hashable where Value: Hashable {
    package func hash(into hasher: inout Hasher) { value.hash(into: &hasher) }
}

extension Shared: Codable where Value: Codable {
    package init(from decoder: any Decoder) throws { self.init(try Value(from: decoder)) }

    package func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}
