import Synchronization

/// What comes from whatever thread, in order, until the engine takes it.
final class Inbox<Element: Sendable>: Sendable {
    private let elements = Mutex<[Element]>([])

    /// True where the inbox was empty, so that somebody must be told.
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

/// Fixes of the provider, from whatever thread, in order, until the center takes them; no more than ``limit``, the
/// newest.
final class FixInbox: Sendable {
    static let limit = 1_024

    private struct State {
        var fixes = FIFOQueue<LocationFix>()
        var dropped = 0
        /// Whose fixes are taken.
        var locator = 0
    }

    private let state = Mutex(State())

    /// True where the inbox was empty, so that somebody must be told.
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

    /// Fixes of any other are not taken from now on.
    func listen(to locator: Int) { state.withLock { $0.locator = locator } }

    var isEmpty: Bool { state.withLock { $0.fixes.isEmpty } }
}
