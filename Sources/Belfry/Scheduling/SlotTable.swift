/// Values by identifier, each in a numbered slot that it keeps until it is removed.
///
/// Slots are reused, so that they can index arrays beside the table. Operations are O(1) unless noted.
struct SlotTable<Value: Identifiable<String> & Sendable>: Sendable {
    private var slots: [String: Int32] = [:]
    private var values: ContiguousArray<Value?> = []
    private var free: [Int32] = []

    var count: Int { slots.count }
    var ids: some Collection<String> { slots.keys }

    /// All values, unordered.
    var all: some Collection<Value> { values.lazy.compactMap(\.self) }

    /// Returns the identifiers in `slotCount` slots from `slot` on; nil past the last one.
    func idSlice(from slot: Int, slotCount: Int) -> [String]? {
        guard slot < values.count else { return nil }
        return values[slot..<min(slot + slotCount, values.count)].compactMap { $0?.id }
    }

    func slot(of id: String) -> Int32? { slots[id] }

    subscript(slot: Int32) -> Value? {
        _read { yield values[Int(slot)] }
        _modify { yield &values[Int(slot)] }
    }

    subscript(id: String) -> Value? { slots[id].flatMap { values[Int($0)] } }

    /// Reads a value in place.
    func value<Result>(of id: String, _ look: (Value) -> Result) -> Result? {
        slots[id].flatMap { values[Int($0)].map(look) }
    }

    /// Reserves room for `count` values in total, at least doubling the capacity, so that repeated small increases
    /// don't copy all values each time.
    mutating func reserveCapacity(_ count: Int) {
        guard count > values.capacity else { return }
        values.reserveCapacity(max(count, 2 * values.capacity))
        slots.reserveCapacity(values.capacity)
    }

    /// Replaces the value with the same identifier and returns it.
    private mutating func replace(_ slot: Int32, _ value: consuming Value) -> Value {
        swap(&values[Int(slot)]!, &value)
        return value
    }

    /// Inserts a value, or replaces the one with the same identifier. Returns its slot and the old value.
    mutating func put(_ value: Value) -> (slot: Int32, replaced: Value?) {
        let unused = free.last ?? Int32(values.count)
        // One search finds the identifier's slot, or assigns the unused one.
        let slot = { (slot: inout Int32) in slot }(&slots[value.id, default: unused])
        guard slot == unused else { return (slot, replace(slot, value)) }
        if free.popLast() != nil { values[Int(slot)] = value } else { values.append(value) }
        return (slot, nil)
    }

    /// Removes a value. Its slot is reused.
    mutating func remove(_ slot: Int32) -> Value? {
        guard let value = values[Int(slot)].take() else { return nil }
        slots[value.id] = nil
        free.append(slot)
        return value
    }

    /// Changes every value in place. O(n).
    mutating func updateAll(_ change: (Int32, inout Value) -> Void) {
        for index in values.indices where values[index] != nil { change(Int32(index), &values[index]!) }
    }
}
