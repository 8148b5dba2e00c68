/// Values under their identifiers, each in a numbered slot that stays its own for as long as it is there.
///
/// Slots are reused, so that they can index arrays beside the table. Everything is O(1).
struct SlotTable<Value: Identifiable & Sendable>: Sendable where Value.ID == String {
    private var index = SlotIndex()
    private var values: ContiguousArray<Value?> = []
    private var free: [Int32] = []

    var count: Int { index.count }
    var ids: some Collection<String> { values.lazy.compactMap { $0?.id } }

    func slot(of id: String) -> Int32? {
        index.slot(hash: id.hashValue) { values[Int($0)]?.id == id }
    }

    subscript(slot: Int32) -> Value? {
        _read { yield values[Int(slot)] }
        _modify { yield &values[Int(slot)] }
    }

    subscript(id: String) -> Value? { slot(of: id).flatMap { values[Int($0)] } }

    /// Puts a value under its identifier, in place of the one that is there. Returns its slot and what was there.
    mutating func put(_ value: Value) -> (slot: Int32, replaced: Value?) {
        let id = value.id
        let hash = id.hashValue
        if let slot = index.slot(hash: hash, where: { values[Int($0)]?.id == id }) {
            var replaced: Value? = value
            swap(&values[Int(slot)], &replaced)
            return (slot, replaced)
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

    /// Makes room for so many values at once.
    mutating func reserveCapacity(_ capacity: Int) {
        values.reserveCapacity(capacity)
        index.reserveCapacity(capacity)
    }

    /// Takes a value out; its slot is given to the next that comes.
    mutating func remove(_ id: String) -> (slot: Int32, value: Value)? {
        guard let slot = index.remove(hash: id.hashValue, where: { values[Int($0)]?.id == id }) else { return nil }
        guard let value = values[Int(slot)].take() else { return nil }
        free.append(slot)
        return (slot, value)
    }

    /// Changes every value in place. O(n).
    mutating func updateAll(_ change: (Int32, inout Value) -> Void) {
        for index in values.indices where values[index] != nil { change(Int32(index), &values[index]!) }
    }
}
