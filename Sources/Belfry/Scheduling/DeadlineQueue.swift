/// A priority queue of deadlines whose elements can be found by slot: a binary heap with an index by slot.
///
/// A slot is a small number that the owner assigns. Equal deadlines are ordered by their order number. Setting,
/// removing and popping are O(log n); reading the first element is O(1).
struct DeadlineQueue: Sendable {
    struct Item: Sendable, Equatable {
        var deadline: Int64
        var order: Int64
        var slot: Int32

        static func < (left: Item, right: Item) -> Bool {
            left.deadline == right.deadline ? left.order < right.order : left.deadline < right.deadline
        }
    }

    private var items: [Item] = []
    /// The index in `items` of each slot's item; −1 if it has none.
    private var positions: [Int32] = []

    init() {}

    /// Creates a queue of items with different slots, in O(n).
    init(_ items: [Item]) {
        self.items = items
        positions = Array(repeating: -1, count: (items.lazy.map { Int($0.slot) }.max() ?? -1) + 1)
        rebuild()
    }

    var count: Int { items.count }
    var first: Item? { items.first }
    /// The slots of all items, unordered.
    var slots: [Int32] { items.map(\.slot) }

    func contains(slot: Int32) -> Bool { position(of: slot) != nil }

    /// Sets or moves the slot's deadline.
    mutating func set(slot: Int32, deadline: Int64, order: Int64) {
        let item = Item(deadline: deadline, order: order, slot: slot)
        if let position = position(of: slot) { return settle(item, at: position) }
        while positions.count <= Int(slot) { positions.append(-1) }
        items.append(item)
        rise(item, from: items.count - 1)
    }

    /// Sets the slot's deadline, or removes it if `deadline` is nil.
    mutating func set(slot: Int32, deadline: Int64?, order: Int64) {
        if let deadline { set(slot: slot, deadline: deadline, order: order) } else { remove(slot: slot) }
    }

    /// Removes the slot's deadline; no effect if it has none.
    mutating func remove(slot: Int32) {
        guard let position = position(of: slot) else { return }
        positions[Int(slot)] = -1
        let last = items.removeLast()
        if position < items.count { settle(last, at: position) }
    }

    /// The number of due items, counted up to `limit` at most. O(limit).
    func dueCount(at now: Int64, upTo limit: Int) -> Int {
        guard let first, first.deadline <= now else { return 0 }
        var (count, positions) = (0, [0])
        while count < limit, let position = positions.popLast() {
            guard position < items.count, items[position].deadline <= now else { continue }
            count += 1
            positions += [2 * position + 1, 2 * position + 2]
        }
        return count
    }

    /// Removes and returns the first item if it is due.
    mutating func popFirst(dueAt now: Int64) -> Item? {
        guard let first = items.first, first.deadline <= now else { return nil }
        remove(slot: first.slot)
        return first
    }

    /// Removes and returns all due items, in order. O(k log n) for k items, and at most O(n + k log k) if there are
    /// many.
    mutating func popAll(dueAt now: Int64) -> [Item] {
        var due: [Item] = []
        while due.count < items.count, let item = popFirst(dueAt: now) { due.append(item) }
        guard let first = items.first, first.deadline <= now else { return due }
        // Probably most items are due: sorting them is faster than popping each from the heap.
        let isDue = items.partition { $0.deadline <= now }
        due += items[isDue...].sorted { $0 < $1 }
        items.removeSubrange(isDue...)
        for item in due { positions[Int(item.slot)] = -1 }
        rebuild()
        return due
    }

    private func position(of slot: Int32) -> Int? {
        guard Int(slot) < positions.count, positions[Int(slot)] >= 0 else { return nil }
        return Int(positions[Int(slot)])
    }

    private mutating func put(_ item: Item, at position: Int) {
        items[position] = item
        positions[Int(item.slot)] = Int32(position)
    }

    /// Moves an item to its position in the heap, starting at an index whose own item has been removed.
    private mutating func settle(_ item: Item, at position: Int) {
        if position > 0, item < items[(position - 1) / 2] {
            rise(item, from: position)
        } else {
            sink(item, from: position)
        }
    }

    private mutating func rise(_ item: Item, from start: Int) {
        var position = start
        while position > 0, item < items[(position - 1) / 2] {
            put(items[(position - 1) / 2], at: position)
            position = (position - 1) / 2
        }
        put(item, at: position)
    }

    private mutating func sink(_ item: Item, from start: Int) {
        var position = start
        while let child = earlierChild(of: position), items[child] < item {
            put(items[child], at: position)
            position = child
        }
        put(item, at: position)
    }

    private func earlierChild(of position: Int) -> Int? {
        let (left, right) = (2 * position + 1, 2 * position + 2)
        guard right < items.count else { return left < items.count ? left : nil }
        return items[right] < items[left] ? right : left
    }

    private mutating func rebuild() {
        for position in items.indices.reversed() { sink(items[position], from: position) }
    }
}

/// Returns the earlier of two deadlines; nil if there is none.
func earliest(_ one: Int64?, _ other: Int64?) -> Int64? {
    guard let one, let other else { return one ?? other }
    return min(one, other)
}
