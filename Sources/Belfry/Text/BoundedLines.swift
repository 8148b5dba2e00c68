/// Lines out of bytes that come cut anywhere. A line longer than the limit is dropped, counted, and never held.
package struct BoundedLines: Sendable {
    private let limit: Int
    private var begun: [UInt8] = []
    private var isOverlong = false
    /// How many were dropped.
    package private(set) var dropped = 0

    /// - Parameter limit: Bytes of a line, without its end.
    package init(limit: Int) { self.limit = limit }

    /// Hands over each line that is complete now, without its end (a line feed, or carriage return and line feed).
    package mutating func append(_ bytes: ArraySlice<UInt8>, _ take: (ArraySlice<UInt8>) -> Void) {
        var rest = bytes
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            hold(rest[..<end])
            endLine(take)
            rest = rest[rest.index(after: end)...]
        }
        hold(rest)
    }

    /// Hands over what was begun and not ended.
    package mutating func finish(_ take: (ArraySlice<UInt8>) -> Void) {
        if !begun.isEmpty || isOverlong { endLine(take) }
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

    private mutating func endLine(_ take: (ArraySlice<UInt8>) -> Void) {
        if isOverlong {
            dropped += 1
        } else {
            if begun.last == UInt8(ascii: "\r") { begun.removeLast() }
            take(begun[...])
        }
        isOverlong = false
        begun.removeAll(keepingCapacity: true)
    }
}
