/// Values under identifiers, each in a numbered slot that stays its own for as long as it is there.
///
/// Slots are reused, so that they can index arrays beside the table. Everything is O(1).
struct SlotTable<Value: Sendable>: Sendable {
    private var slots: [String: Int32] = [:]
    private var values: [Value?] = []
    private var free: [Int32] = []

    var count: Int { slots.count }
    var ids: Dictionary<String, Int32>.Keys { slots.keys }

    func slot(of id: String) -> Int32? { slots[id] }

    subscript(slot: Int32) -> Value? {
        get { values[Int(slot)] }
        _modify { yield &values[Int(slot)] }
    }

    subscript(id: String) -> Value? { slots[id].flatMap { values[Int($0)] } }

    /// Puts a value under an identifier, in place of the one that is there. Returns its slot.
    mutating func put(_ value: Value, for id: String) -> Int32 {
        if let slot = slots[id] {
            values[Int(slot)] = value
            return slot
        }
        let slot: Int32
        if let reused = free.popLast() {
            slot = reused
            values[Int(slot)] = value
        } else {
            slot = Int32(values.count)
            values.append(value)
        }
        slots[id] = slot
        return slot
    }

    /// Takes a value out; its slot is given to the next that comes.
    mutating func remove(_ id: String) -> (slot: Int32, value: Value)? {
        guard let slot = slots.removeValue(forKey: id), let value = values[Int(slot)] else { return nil }
        values[Int(slot)] = nil
        free.append(slot)
        return (slot, value)
    }

    /// Changes every value in place. O(n).
    mutating func updateAll(_ change: (Int32, inout Value) -> Void) {
        for index in values.indices where values[index] != nil { change(Int32(index), &values[index]!) }
    }
}
