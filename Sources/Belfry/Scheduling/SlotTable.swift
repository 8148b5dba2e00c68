import CPrefetch

/// What a ``SlotTable`` holds.
protocol SlotValue: Identifiable, Sendable where ID == String {
    /// The identifier's `hashValue`, worked out once: a value is found, moved and removed without a look at the text.
    var idHash: Int { get }
}

/// Values under their identifiers, each in a numbered slot that stays its own for as long as it is there.
///
/// Slots are reused, so that they can index arrays beside the table. Everything is O(1).
struct SlotTable<Value: SlotValue>: Sendable {
    private var index = SlotIndex()
    private var values: ContiguousArray<Value?> = []
    private var free: [Int32] = []

    var count: Int { index.count }
    var ids: some Collection<String> { values.lazy.compactMap { $0?.id } }

    /// In no order.
    var all: some Collection<Value> { values.lazy.compactMap(\.self) }

    /// The identifiers in so many slots from one on; nil behind the last one.
    func idSlice(from slot: Int, slotCount: Int) -> [String]? {
        guard slot < values.count else { return nil }
        return values[slot..<min(slot + slotCount, values.count)].compactMap { $0?.id }
    }

    func slot(of id: String) -> Int32? { count > 0 ? slot(of: id, hash: id.hashValue) : nil }

    func slot(of id: String, hash: Int) -> Int32? { index.slot(hash: hash) { values[Int($0)]?.id == id } }

    /// Asks for the memory that a look at some values of `others` needs here and there, for all of them side by side: one
    /// after the other, a million of them wait for memory most of the time.
    func prefetch<Other>(_ slots: some Collection<Int32>, and others: SlotTable<Other>) {
        values.withUnsafeBufferPointer { values in
            guard let first = values.baseAddress else { return }
            for slot in slots {
                let value = UnsafeRawPointer(first + Int(slot))
                for offset in stride(from: 0, to: MemoryLayout<Value?>.size, by: 64) {
                    belfry_prefetch(value + offset)
                }
            }
            for slot in slots {
                first[Int(slot)]?.id.utf8.withContiguousStorageIfAvailable { text in
                    // The text's own count of references stands before it.
                    text.baseAddress.map { belfry_prefetch(UnsafeRawPointer($0) - 32) }
                }
                if let hash = first[Int(slot)]?.idHash {
                    index.prefetch(hash: hash)
                    others.index.prefetch(hash: hash)
                }
            }
        }
    }

    subscript(slot: Int32) -> Value? {
        _read { yield values[Int(slot)] }
        _modify { yield &values[Int(slot)] }
    }

    subscript(id: String) -> Value? { slot(of: id).flatMap { values[Int($0)] } }

    /// Looks at a value in place.
    func value<Answer>(of id: String, _ look: (Value) -> Answer) -> Answer? {
        slot(of: id).flatMap { values[Int($0)].map(look) }
    }

    /// Makes room for so many values in all; at least for twice as many as before, so that calls with ever a few more don't
    /// copy all values each time.
    mutating func reserveCapacity(_ count: Int) {
        if count > values.capacity { values.reserveCapacity(max(count, 2 * values.capacity)) }
        index.reserveCapacity(count)
    }

    /// Puts a value in the place of one of the same identifier, which it returns.
    mutating func replace(_ slot: Int32, _ value: Value) -> Value? {
        var replaced: Value? = value
        swap(&values[Int(slot)], &replaced)
        return replaced
    }

    /// Puts a value under its identifier, in place of the one that is there. Returns its slot and what was there.
    mutating func put(_ value: Value) -> (slot: Int32, replaced: Value?) {
        let hash = value.idHash
        if let slot = slot(of: value.id, hash: hash) {
            return (slot, replace(slot, value))
        }
        let slot: Int32
        if let reused = free.popLast() {
            slot = reused
            values[Int(slot)] = value
        } else {
            slot = Int32(values.count)
            values.append(value)
        }
        index.insert(slot, hash: hash)
        return (slot, nil)
    }

    /// Takes a value out; its slot is given to the next that comes.
    mutating func remove(_ id: String) -> (slot: Int32, value: Value)? {
        guard let slot = slot(of: id), let value = remove(slot) else { return nil }
        return (slot, value)
    }

    mutating func remove(_ slot: Int32) -> Value? {
        guard let value = values[Int(slot)].take() else { return nil }
        _ = index.remove(hash: value.idHash) { $0 == slot }
        free.append(slot)
        return value
    }

    /// Changes every value in place. O(n).
    mutating func updateAll(_ change: (Int32, inout Value) -> Void) {
        for index in values.indices where values[index] != nil { change(Int32(index), &values[index]!) }
    }
}
