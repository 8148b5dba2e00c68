/// A priority queue of deadlines that finds its elements again: a binary heap that knows where each slot's item is.
///
/// Elements are named by slot, a small number that the owner gives out. Equal deadlines come out by their order number.
/// Setting, removing and popping are O(log n), the first is O(1).
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
    /// Where each slot's item is in `items`; −1 where it has none.
    private var places: [Int32] = []

    init() {}

    /// A queue of items of different slots, in O(n).
    init(_ items: [Item]) {
        self.items = items
        places = Array(repeating: -1, count: (items.lazy.map { Int($0.slot) }.max() ?? -1) + 1)
        rebuild()
    }

    var count: Int { items.count }
    var first: Item? { items.first }
    /// The slots of all items, in no order.
    var slots: [Int32] { items.map(\.slot) }

    func contains(slot: Int32) -> Bool { place(of: slot) != nil }

    /// Sets or moves the slot's deadline.
    mutating func set(slot: Int32, deadline: Int64, order: Int64) {
        let item = Item(deadline: deadline, order: order, slot: slot)
        if let place = place(of: slot) { return settle(item, at: place) }
        while places.count <= Int(slot) { places.append(-1) }
        items.append(item)
        rise(item, from: items.count - 1)
    }

    /// Sets the slot's deadline, or removes it where there is none.
    mutating func set(slot: Int32, deadline: Int64?, order: Int64) {
        if let deadline { set(slot: slot, deadline: deadline, order: order) } else { remove(slot: slot) }
    }

    /// Removes the slot's deadline; no effect where it has none.
    mutating func remove(slot: Int32) {
        guard let place = place(of: slot) else { return }
        places[Int(slot)] = -1
        let last = items.removeLast()
        if place < items.count { settle(last, at: place) }
    }

    /// Takes the first item out if it is due.
    mutating func popFirst(dueAt now: Int64) -> Item? {
        guard let first = items.first, first.deadline <= now else { return nil }
        remove(slot: first.slot)
        return first
    }

    /// Takes out everything that is due, in order. O(k log n) for k items, and O(n + k log k) at most where they are
    /// many.
    mutating func popAll(dueAt now: Int64) -> [Item] {
        var due: [Item] = []
        while due.count < items.count, let item = popFirst(dueAt: now) { due.append(item) }
        guard let first = items.first, first.deadline <= now else { return due }
        // More are due than not, it seems: sorting them is faster than taking each out of a heap.
        let isDue = items.partition { $0.deadline <= now }
        due += items[isDue...].sorted { $0 < $1 }
        items.removeSubrange(isDue...)
        for item in due { places[Int(item.slot)] = -1 }
        rebuild()
        return due
    }

    private func place(of slot: Int32) -> Int? {
        guard Int(slot) < places.count, places[Int(slot)] >= 0 else { return nil }
        return Int(places[Int(slot)])
    }

    private mutating func put(_ item: Item, at place: Int) {
        items[place] = item
        places[Int(item.slot)] = Int32(place)
    }

    /// Puts an item where it belongs, beginning at a place whose own item is gone.
    private mutating func settle(_ item: Item, at place: Int) {
        if place > 0, item < items[(place - 1) / 2] { rise(item, from: place) } else { sink(item, from: place) }
    }

    private mutating func rise(_ item: Item, from start: Int) {
        var place = start
        while place > 0, item < items[(place - 1) / 2] {
            put(items[(place - 1) / 2], at: place)
            place = (place - 1) / 2
        }
        put(item, at: place)
    }

    private mutating func sink(_ item: Item, from start: Int) {
        var place = start
        while let child = earlierChild(of: place), items[child] < item {
            put(items[child], at: place)
            place = child
        }
        put(item, at: place)
    }

    private func earlierChild(of place: Int) -> Int? {
        let (left, right) = (2 * place + 1, 2 * place + 2)
        guard right < items.count else { return left < items.count ? left : nil }
        return items[right] < items[left] ? right : left
    }

    private mutating func rebuild() {
        for place in items.indices.reversed() { sink(items[place], from: place) }
    }

    /// What is wrong with the queue's own order, or nil. O(n), for tests.
    var brokenInvariant: String? {
        for index in items.indices {
            if index > 0, items[index] < items[(index - 1) / 2] { return "item \(index) is before its parent" }
            if places[Int(items[index].slot)] != Int32(index) { return "slot \(items[index].slot) has lost its place" }
        }
        let placed = places.count { $0 >= 0 }
        return placed == items.count ? nil : "\(placed) slots placed, \(items.count) items"
    }
}

/// The earlier of two deadlines; nil where there is none.
func earliest(_ one: Int64?, _ other: Int64?) -> Int64? {
    guard let one, let other else { return one ?? other }
    return min(one, other)
}
