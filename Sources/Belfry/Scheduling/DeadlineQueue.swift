/// A priority queue of deadlines that finds its elements again: an indexed 4-ary heap.
///
/// Elements are named by slot, a small number that the owner gives out. Equal deadlines come out by their order number.
/// Setting, removing and popping are O(log n), the first is O(1).
struct DeadlineQueue: Sendable {
    struct Item: Sendable, Equatable {
        var deadline: Int64
        var order: Int64
        var slot: Int32

        static func < (left: Item, right: Item) -> Bool {
            left.deadline != right.deadline ? left.deadline < right.deadline : left.order < right.order
        }
    }

    private var items: [Item] = []
    /// Where each slot's item is in `items`; −1 where it has none.
    private var places: [Int32] = []

    var count: Int { items.count }
    var first: Item? { items.first }

    func contains(slot: Int32) -> Bool { Int(slot) < places.count && places[Int(slot)] >= 0 }

    /// Sets or moves the slot's deadline.
    mutating func set(slot: Int32, deadline: Int64, order: Int64) {
        let item = Item(deadline: deadline, order: order, slot: slot)
        let index = Int(slot)
        if index >= places.count { places.append(contentsOf: repeatElement(-1, count: index + 1 - places.count)) }
        let place = Int(places[index])
        if place < 0 {
            items.append(item)
            places[index] = Int32(items.count - 1)
            rise(from: items.count - 1)
        } else {
            items[place] = item
            rise(from: place)
            sink(from: Int(places[index]))
        }
    }

    /// Removes the slot's deadline; no effect where it has none.
    mutating func remove(slot: Int32) {
        guard contains(slot: slot) else { return }
        let place = Int(places[Int(slot)])
        places[Int(slot)] = -1
        let last = items.removeLast()
        guard place < items.count else { return }
        items[place] = last
        places[Int(last.slot)] = Int32(place)
        rise(from: place)
        sink(from: Int(places[Int(last.slot)]))
    }

    /// Takes the first item out if it is due.
    mutating func popFirst(dueAt now: Int64) -> Item? {
        guard let first = items.first, first.deadline <= now else { return nil }
        remove(slot: first.slot)
        return first
    }

    /// Every item, in no order.
    func forEach(_ body: (Item) -> Void) { items.forEach(body) }

    /// Gives every item a new deadline, in O(n).
    mutating func replan(_ deadline: (Item) -> Int64) {
        for index in items.indices { items[index].deadline = deadline(items[index]) }
        if items.count > 1 {
            for index in stride(from: (items.count - 2) / 4, through: 0, by: -1) { sink(from: index) }
        }
    }

    private mutating func rise(from start: Int) {
        var place = start
        let item = items[place]
        while place > 0 {
            let parent = (place - 1) / 4
            guard item < items[parent] else { break }
            items[place] = items[parent]
            places[Int(items[place].slot)] = Int32(place)
            place = parent
        }
        items[place] = item
        places[Int(item.slot)] = Int32(place)
    }

    private mutating func sink(from start: Int) {
        var place = start
        let item = items[place]
        while true {
            let firstChild = place * 4 + 1
            guard firstChild < items.count else { break }
            var least = firstChild
            for child in (firstChild + 1)..<max(firstChild + 1, min(firstChild + 4, items.count))
            where items[child] < items[least] { least = child }
            guard items[least] < item else { break }
            items[place] = items[least]
            places[Int(items[place].slot)] = Int32(place)
            place = least
        }
        items[place] = item
        places[Int(item.slot)] = Int32(place)
    }

    /// What is wrong with the queue's own order, or nil. O(n), for tests.
    var brokenInvariant: String? {
        for index in items.indices {
            if index > 0, items[index] < items[(index - 1) / 4] { return "item \(index) is before its parent" }
            if places[Int(items[index].slot)] != Int32(index) { return "slot \(items[index].slot) has lost its place" }
        }
        let placed = places.count { $0 >= 0 }
        return placed == items.count ? nil : "\(placed) slots placed, \(items.count) items"
    }
}
