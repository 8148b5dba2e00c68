import CBelfryConsole
package import Dispatch
import FoundationEssentials
import Glibc
import Synchronization

/// Who gets what is typed into a terminal: the keys of a backend, or, while it stands, a question.
package enum TerminalTurn {
    /// A terminal, by whatever descriptor.
    package struct Terminal: Hashable, Sendable {
        private let device: dev_t

        /// Nil where the descriptor is none of a terminal.
        package init?(_ descriptor: Int32) {
            var status = stat()
            guard isatty(descriptor) == 1, fstat(descriptor, &status) == 0 else { return nil }
            // `/dev/tty` has a number of its own, and stands for another device: the kernel says which.
            var number: UInt32 = 0
            device = ioctl(descriptor, Self.numberOfDevice, &number) == 0 ? dev_t(number) : status.st_rdev
        }

        /// TIOCGDEV of `asm-generic/ioctls.h`, a macro that Swift does not see. Machines that have another number answer
        /// with an error.
        private static let numberOfDevice: UInt = 0x8004_5432
    }

    /// A backend that takes keys. @unchecked Sendable: a source may be suspended, resumed and cancelled from any
    /// thread.
    struct Keys: @unchecked Sendable {
        let descriptor: Int32
        let source: any DispatchSourceRead
        /// Where the source's handler runs.
        let queue: DispatchQueue
        fileprivate var isSuspended = false

        init(descriptor: Int32, source: any DispatchSourceRead, queue: DispatchQueue) {
            (self.descriptor, self.source, self.queue) = (descriptor, source, queue)
        }
    }

    private struct State {
        var keys: [Terminal: Keys] = [:]
        var questions: Set<Terminal> = []
        var queues: [Terminal: DispatchQueue] = [:]
    }

    /// Nothing waits under it.
    private static let state = Mutex(State())

    /// Where the questions of a terminal wait for each other.
    package static func queue(of terminal: Terminal) -> DispatchQueue {
        state.withLock { state in
            if let queue = state.queues[terminal] { return queue }
            let queue = DispatchQueue(label: "org.belfry.console.questions")
            state.queues[terminal] = queue
            return queue
        }
    }

    /// Takes the terminal for keys, now or when the question that stands is answered; the source is active afterwards.
    /// 0, or a negated errno value.
    static func beginKeys(_ keys: Keys, on terminal: Terminal) -> Int32 {
        state.withLock { state in
            var keys = keys
            defer { keys.source.activate() }
            guard state.keys[terminal] == nil else { return -EBUSY }
            keys.isSuspended = state.questions.contains(terminal)
            if keys.isSuspended {
                keys.source.suspend()
            } else {
                let status = belfry_console_keys_begin(keys.descriptor)
                guard status == 0 else { return status }
            }
            state.keys[terminal] = keys
            return 0
        }
    }

    static func endKeys(on terminal: Terminal) {
        state.withLock { state in
            guard let keys = state.keys.removeValue(forKey: terminal) else { return }
            // A suspended source would never tell that it was cancelled.
            if keys.isSuspended { keys.source.resume() } else { belfry_console_keys_end() }
        }
    }

    /// From here on the terminal gives lines, and nobody but the question reads them.
    package static func beginQuestion(on terminal: Terminal) {
        let suspended = state.withLock { state -> Keys? in
            state.questions.insert(terminal)
            // Those that a question before it could not give back are suspended already.
            guard let keys = state.keys[terminal], !keys.isSuspended else { return nil }
            keys.source.suspend()
            state.keys[terminal]?.isSuspended = true
            return keys
        }
        guard let suspended else { return }
        // A handler that is under way could read what answers the question.
        suspended.queue.sync {}
        belfry_console_keys_end()
    }

    package static func endQuestion(on terminal: Terminal) {
        state.withLock { state in
            state.questions.remove(terminal)
            guard let keys = state.keys[terminal], keys.isSuspended else { return }
            // Where it fails the terminal went to the background: its keys are none of ours.
            guard belfry_console_keys_begin(keys.descriptor) == 0 else { return }
            state.keys[terminal]?.isSuspended = false
            keys.source.resume()
        }
    }
}
