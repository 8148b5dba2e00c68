import CLinux
import Glibc

/// The states of a watched descriptor; one with an error or hang-up is ready for both.
package struct Readiness: OptionSet, Sendable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package static let reading = Self(rawValue: EPOLLIN.rawValue)
    package static let writing = Self(rawValue: EPOLLOUT.rawValue)
    fileprivate static let failed = Self(rawValue: EPOLLHUP.rawValue | EPOLLERR.rawValue)
}

/// The wait of an ``EventLoop``: an epoll, and a signal from other threads.
struct Poll {
    private var epoll: Int32 = -1
    private var signal: WakeSignal?

    /// The delay before polling again when descriptors have run out; milliseconds.
    static let retry: Int32 = 10
    /// The signal's name; those of watches follow.
    private static let signalName: UInt64 = 0

    /// The events found by one wait.
    struct Events {
        fileprivate var buffer = [epoll_event](repeating: .init(), count: 16)
        fileprivate(set) var found: [(name: UInt64, readiness: Readiness)] = []
    }

    /// Opens both descriptors if they aren't open yet. Returns a negated errno if there are no more descriptors.
    mutating func open() -> Int32 {
        guard signal == nil else { return 0 }
        if epoll < 0 { epoll = epoll_create1(Int32(EPOLL_CLOEXEC)) }
        guard epoll >= 0, let signal = WakeSignal() else { return -errno }
        let status = control(EPOLL_CTL_ADD, signal.descriptor, Self.signalName, .reading)
        guard status >= 0 else {
            signal.close()
            return status
        }
        self.signal = signal
        return 0
    }

    /// Closes both descriptors. Nothing may wait afterwards.
    mutating func close() {
        signal?.close()
        if epoll >= 0 { _ = Glibc.close(epoll) }
        (signal, epoll) = (nil, -1)
    }

    /// Watches a descriptor. Returns a negated errno on failure.
    mutating func add(_ descriptor: Int32, _ name: UInt64, _ readiness: Readiness) -> Int32 {
        let status = open()
        return status < 0 ? status : control(EPOLL_CTL_ADD, descriptor, name, readiness)
    }

    func change(_ descriptor: Int32, _ name: UInt64, _ readiness: Readiness) {
        _ = control(EPOLL_CTL_MOD, descriptor, name, readiness)
    }

    func remove(_ descriptor: Int32) { _ = control(EPOLL_CTL_DEL, descriptor, 0, []) }

    private func control(_ operation: Int32, _ descriptor: Int32, _ name: UInt64, _ readiness: Readiness) -> Int32 {
        var event = epoll_event(events: readiness.rawValue, data: .init(u64: name))
        return epoll_ctl(epoll, operation, descriptor, &event) < 0 ? -errno : 0
    }

    func wake() { signal?.raise() }

    /// - Parameter timeout: Milliseconds; -1 for no limit.
    func wait(for events: inout Events, timeout: Int32) {
        events.found.removeAll(keepingCapacity: true)
        guard let signal else {
            // Without a signal nothing can wake the thread; new work is found at the next poll.
            usleep(UInt32(timeout) * 1_000)
            return
        }
        // After a signal handler has run, there are no events.
        let count = epoll_wait(epoll, &events.buffer, Int32(events.buffer.count), timeout)
        for event in events.buffer.prefix(Int(max(count, 0))) {
            if event.data.u64 == Self.signalName {
                signal.clear()
            } else {
                let states = Readiness(rawValue: event.events)
                let both: Readiness = states.isDisjoint(with: .failed) ? [] : [.reading, .writing]
                events.found.append((event.data.u64, states.union(both)))
            }
        }
    }
}
