import CLinuxClock
import Glibc

/// The states of a watched descriptor; one with an error or hang-up is ready for both.
package struct Readiness: OptionSet, Sendable {
    package let rawValue: Int32
    package init(rawValue: Int32) { self.rawValue = rawValue }

    package static let reading = Self(rawValue: BELFRY_CLOCK_LOOP_READ)
    package static let writing = Self(rawValue: BELFRY_CLOCK_LOOP_WRITE)
}

/// The wait of an ``EventLoop``: an epoll, and an eventfd that other threads signal.
struct Poll {
    private var epoll: Int32 = -1
    private var signal: Int32 = -1

    /// The delay before polling again when descriptors have run out; milliseconds.
    static let retry: Int32 = 10
    /// The signal's name; those of watches follow.
    private static let signalName: UInt64 = 0

    /// The events found by one wait.
    struct Events {
        fileprivate var buffer = [belfry_clock_loop_event](repeating: .init(), count: 16)
        fileprivate(set) var found: [(name: UInt64, readiness: Readiness)] = []
    }

    private var isOpen: Bool { signal >= 0 }

    /// Opens both descriptors if they aren't open yet. Returns a negated errno if there are no more descriptors.
    mutating func open() -> Int32 {
        guard !isOpen else { return 0 }
        if epoll < 0 { epoll = belfry_clock_loop_open() }
        guard epoll >= 0 else { return epoll }
        let signal = belfry_clock_signal_open()
        guard signal >= 0 else { return signal }
        let status = belfry_clock_loop_add(epoll, signal, Self.signalName, BELFRY_CLOCK_LOOP_READ)
        guard status >= 0 else {
            _ = Glibc.close(signal)
            return status
        }
        self.signal = signal
        return 0
    }

    /// Closes both descriptors. Nothing may wait afterwards.
    mutating func close() {
        for descriptor in [signal, epoll] where descriptor >= 0 { _ = Glibc.close(descriptor) }
        (signal, epoll) = (-1, -1)
    }

    /// Watches a descriptor. Returns a negated errno on failure.
    mutating func add(_ descriptor: Int32, _ name: UInt64, _ readiness: Readiness) -> Int32 {
        let status = open()
        return status < 0 ? status : belfry_clock_loop_add(epoll, descriptor, name, readiness.rawValue)
    }

    func change(_ descriptor: Int32, _ name: UInt64, _ readiness: Readiness) {
        _ = belfry_clock_loop_change(epoll, descriptor, name, readiness.rawValue)
    }

    func remove(_ descriptor: Int32) { _ = belfry_clock_loop_remove(epoll, descriptor) }

    func wake() { if isOpen { _ = belfry_clock_signal_raise(signal) } }

    /// - Parameter timeout: Milliseconds; -1 for no limit.
    func wait(for events: inout Events, timeout: Int32) {
        events.found.removeAll(keepingCapacity: true)
        guard isOpen else {
            // Without a signal nothing can wake the thread; new work is found at the next poll.
            usleep(UInt32(timeout) * 1_000)
            return
        }
        let count = belfry_clock_loop_wait(epoll, &events.buffer, Int32(events.buffer.count), timeout)
        for event in events.buffer.prefix(Int(max(count, 0))) {
            if event.name == Self.signalName {
                _ = belfry_clock_signal_clear(signal)
            } else {
                events.found.append((event.name, Readiness(rawValue: event.readiness)))
            }
        }
    }
}
