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
