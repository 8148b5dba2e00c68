/// A priority queue of deadlines that finds its elements again: an indexed 8-ary heap.
///
/// Elements are named by slot, a small number that the owner gives out. Equal deadlines come out by their order number.
/// Setting, removing and popping are O(log n), the first is O(1).
///
/// Eight children, because a pop in a million waits for memory: there are seven levels instead of ten, and what lies side by
/// side is fetched together. Items move through unchecked pointers into the two arrays, since bounds checks and the arrays'
/// own bookkeeping took longer than the comparisons.
struct DeadlineQueue: Sendable {
    struct Item: Sendable, Equatable {
        var deadline: Int64
        var order: Int64
        var slot: Int32

        static func < (left: Item, right: Item) -> Bool { left.key < right.key }

        /// Deadline and order in one number, so that no branch has to be predicted that can't be.
        fileprivate var key: Int128 { Int128(deadline) << 64 | Int128(UInt64(bitPattern: order)) }
    }

    /// How many children an item has.
    private static let width = 8

    private typealias Items = UnsafeMutablePointer<Item>
    private typealias Places = UnsafeMutablePointer<Int32>

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

    func contains(slot: Int32) -> Bool { Int(slot) < places.count && places[Int(slot)] >= 0 }

    /// Sets or moves the slot's deadline.
    mutating func set(slot: Int32, deadline: Int64, order: Int64) {
        let item = Item(deadline: deadline, order: order, slot: slot)
        let index = Int(slot)
        while index >= places.count { places.append(-1) }
        let place = Int(places[index])
        if place < 0 {
            items.append(item)
            withPointers { items, places, count in Self.rise(item, to: count - 1, items, places) }
        } else {
            withPointers { items, places, count in Self.settle(item, at: place, items, places, count) }
        }
    }

    /// Sets the slot's deadline, or removes it where there is none.
    mutating func set(slot: Int32, deadline: Int64?, order: Int64) {
        if let deadline { set(slot: slot, deadline: deadline, order: order) } else { remove(slot: slot) }
    }

    /// Removes the slot's deadline; no effect where it has none.
    mutating func remove(slot: Int32) {
        guard contains(slot: slot) else { return }
        let place = Int(places[Int(slot)])
        places[Int(slot)] = -1
        let last = items.removeLast()
        guard place < items.count else { return }
        withPointers { items, places, count in Self.settle(last, at: place, items, places, count) }
    }

    /// Takes the first item out if it is due.
    mutating func popFirst(dueAt now: Int64) -> Item? {
        guard let first = items.first, first.deadline <= now else { return nil }
        remove(slot: first.slot)
        return first
    }

    /// Takes out everything that is due, in order. O(k log k) for k items, and O(n) at most where they are many: what is
    /// due lies together at the top.
    mutating func popAll(dueAt now: Int64) -> [Item] {
        var due: [Item] = []
        var open = items.isEmpty ? [] : [0]
        while let place = open.popLast() {
            guard items[place].deadline <= now else { continue }
            due.append(items[place])
            let child = place * Self.width + 1
            if child < items.count { open.append(contentsOf: child..<min(child + Self.width, items.count)) }
        }
        due.sort { $0 < $1 }
        if due.count > items.count / 16 {
            for item in due { places[Int(item.slot)] = -1 }
            items.removeAll { $0.deadline <= now }
            rebuild()
        } else {
            for item in due { remove(slot: item.slot) }
        }
        return due
    }

    /// The slots of all items, in no order.
    var slots: [Int32] { items.map(\.slot) }

    private mutating func rebuild() {
        withPointers { items, places, count in
            for place in 0..<count { places[Int(items[place].slot)] = Int32(truncatingIfNeeded: place) }
            guard count > 1 else { return }
            for place in stride(from: (count - 2) / Self.width, through: 0, by: -1) {
                Self.sink(items[place], from: place, items, places, count)
            }
        }
    }

    private mutating func withPointers(_ body: (Items, Places, Int) -> Void) {
        items.withUnsafeMutableBufferPointer { items in
            places.withUnsafeMutableBufferPointer { places in
                guard let first = items.baseAddress, let firstPlace = places.baseAddress else { return }
                body(first, firstPlace, items.count)
            }
        }
    }

    /// Puts an item where it belongs, beginning at a place whose own item is gone.
    private static func settle(_ item: Item, at place: Int, _ items: Items, _ places: Places, _ count: Int) {
        if place > 0, item < items[(place - 1) / width] {
            rise(item, to: place, items, places)
        } else {
            sink(item, from: place, items, places, count)
        }
    }

    private static func rise(_ item: Item, to start: Int, _ items: Items, _ places: Places) {
        let key = item.key
        var place = start
        while place > 0 {
            let parent = (place &- 1) / width
            guard key < items[parent].key else { break }
            items[place] = items[parent]
            places[Int(items[place].slot)] = Int32(truncatingIfNeeded: place)
            place = parent
        }
        items[place] = item
        places[Int(item.slot)] = Int32(truncatingIfNeeded: place)
    }

    private static func sink(_ item: Item, from start: Int, _ items: Items, _ places: Places, _ count: Int) {
        let key = item.key
        var place = start
        while true {
            let child = place &* width &+ 1
            guard child < count else { break }
            var (least, leastKey) = (child, items[child].key)
            for other in child &+ 1..<max(child &+ 1, min(child &+ width, count)) {
                let otherKey = items[other].key
                if otherKey < leastKey { (least, leastKey) = (other, otherKey) }
            }
            guard leastKey < key else { break }
            items[place] = items[least]
            places[Int(items[place].slot)] = Int32(truncatingIfNeeded: place)
            place = least
        }
        items[place] = item
        places[Int(item.slot)] = Int32(truncatingIfNeeded: place)
    }

    /// What is wrong with the queue's own order, or nil. O(n), for tests.
    var brokenInvariant: String? {
        for index in items.indices {
            if index > 0, items[index] < items[(index - 1) / Self.width] { return "item \(index) is before its parent" }
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
