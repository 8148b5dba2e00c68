extension ContiguousArray {
    /// Appends until there are so many elements. Makes room for a quarter more than there are, where an array by itself doubles:
    /// of a million regions that would leave tens of megabytes unused.
    mutating func grow(to newCount: Int, with element: Element) {
        if newCount > capacity { reserveCapacity(Swift.max(newCount, count + count / 4)) }
        while count < newCount { append(element) }
    }
}
