import Synchronization

/// Elements that arrive from any thread, in order, until the engine takes them.
final class Inbox<Element: Sendable>: Sendable {
    private let elements = Mutex<[Element]>([])

    /// Appends an element. Returns true if the inbox was empty, so that the engine must be notified.
    func put(_ element: Element) -> Bool {
        elements.withLock {
            $0.append(element)
            return $0.count == 1
        }
    }

    func takeAll() -> [Element] {
        elements.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
    }

    var isEmpty: Bool { elements.withLock { $0.isEmpty } }
}

/// Location fixes that arrive from any thread, in order, until the center takes them. Keeps the newest ``limit`` of
/// them.
final class FixInbox: Sendable {
    static let limit = 1_024

    private struct State {
        var fixes = FIFOQueue<LocationFix>()
        var dropped = 0
        /// The number of the provider run whose fixes are accepted.
        var locator = 0
    }

    private let state = Mutex(State())

    /// Appends a fix. Returns true if the inbox was empty, so that the engine must be notified.
    func put(_ fix: LocationFix, of locator: Int) -> Bool {
        state.withLock { state in
            guard state.locator == locator else { return false }
            let wasEmpty = state.fixes.isEmpty
            if state.fixes.count == Self.limit {
                _ = state.fixes.popFirst()
                state.dropped += 1
            }
            state.fixes.append(fix)
            return wasEmpty
        }
    }

    func takeAll() -> (fixes: [LocationFix], dropped: Int) {
        state.withLock { state in
            defer { state.dropped = 0 }
            return (state.fixes.removeAll(), state.dropped)
        }
    }

    /// Accepts only the fixes of this provider run from now on.
    func listen(to locator: Int) { state.withLock { $0.locator = locator } }

    var isEmpty: Bool { state.withLock { $0.fixes.isEmpty } }
}
