/// A first-in, first-out queue. Appending and removing are amortized O(1).
struct FIFOQueue<Element> {
    private var items: [Element?] = []
    /// The index of the first element; elements before it have been removed.
    private var head = 0

    var isEmpty: Bool { head == items.count }
    var count: Int { items.count - head }
    var first: Element? { head < items.count ? items[head] : nil }

    mutating func append(_ element: Element) { items.append(element) }

    mutating func popFirst() -> Element? {
        guard head < items.count else { return nil }
        let element = items[head].take()
        head += 1
        if head >= 64, head * 2 >= items.count {
            items.removeFirst(head)
            head = 0
        }
        return element
    }

    /// Inserts elements before all others. O(n).
    mutating func prepend(contentsOf elements: [Element]) {
        guard !elements.isEmpty else { return }
        items.replaceSubrange(..<head, with: elements.map(Optional.some))
        head = 0
    }

    mutating func removeAll() -> [Element] {
        defer { (items, head) = ([], 0) }
        return items[head...].compactMap { $0 }
    }
}

extension FIFOQueue: Sendable where Element: Sendable {}
