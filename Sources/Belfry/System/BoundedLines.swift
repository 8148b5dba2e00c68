/// Splits a stream of bytes into lines. A line longer than the limit is dropped and counted, and never kept in memory.
package struct BoundedLines: Sendable {
    private let limit: Int
    private var begun: [UInt8] = []
    private var isOverlong = false
    /// How many lines were dropped.
    package private(set) var dropped = 0

    /// - Parameter limit: The maximum bytes of a line, without its end.
    package init(limit: Int) { self.limit = limit }

    /// Calls `take` with each complete line, without its end (a line feed, or carriage return and line feed).
    ///
    /// - Parameter overlong: Called instead of `take` for a dropped line.
    package mutating func append(
        _ bytes: ArraySlice<UInt8>,
        overlong: () -> Void = {},
        _ take: (ArraySlice<UInt8>) throws -> Void
    ) rethrows {
        var rest = bytes
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            hold(rest[..<end])
            try endLine(overlong, take)
            rest = rest[rest.index(after: end)...]
        }
        hold(rest)
    }

    /// Calls `take` with the last line, if it has no end.
    package mutating func finish(
        overlong: () -> Void = {},
        _ take: (ArraySlice<UInt8>) throws -> Void
    ) rethrows {
        if !begun.isEmpty || isOverlong { try endLine(overlong, take) }
    }

    private mutating func hold(_ part: ArraySlice<UInt8>) {
        guard !isOverlong else { return }
        guard begun.count + part.count <= limit else {
            isOverlong = true
            begun.removeAll(keepingCapacity: true)
            return
        }
        begun.append(contentsOf: part)
    }

    private mutating func endLine(_ overlong: () -> Void, _ take: (ArraySlice<UInt8>) throws -> Void) rethrows {
        defer {
            isOverlong = false
            begun.removeAll(keepingCapacity: true)
        }
        guard !isOverlong else {
            dropped += 1
            return overlong()
        }
        if begun.last == UInt8(ascii: "\r") { begun.removeLast() }
        try take(begun[...])
    }
}
