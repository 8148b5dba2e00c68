import Belfry
import CBelfryConsole
import Dispatch
import FoundationEssentials
import Glibc
import Synchronization

/// Decides who receives the input of a terminal: the keys of a backend, or a question while it is open.
package enum TerminalTurn {
    /// A terminal, identified independently of the descriptor.
    package struct Terminal: Hashable, Sendable {
        private let device: dev_t

        /// Returns nil if the descriptor is not a terminal's.
        package init?(_ descriptor: Int32) {
            var status = stat()
            guard isatty(descriptor) == 1, fstat(descriptor, &status) == 0 else { return nil }
            // `/dev/tty` has its own device number but denotes another device, which the kernel reports.
            var number: UInt32 = 0
            device = ioctl(descriptor, Self.numberOfDevice, &number) == 0 ? dev_t(number) : status.st_rdev
        }

        /// TIOCGDEV of `asm-generic/ioctls.h`, a macro that Swift can't import. Machines with another number fail.
        private static let numberOfDevice: UInt = 0x8004_5432
    }

    private struct State {
        /// The readers of keys.
        var keys: [Terminal: (reader: TerminalReader, isSuspended: Bool)] = [:]
        var questions: Set<Terminal> = []
        var queues: [Terminal: DispatchQueue] = [:]
    }

    /// Never locked during a blocking call.
    private static let state = Mutex(State())

    /// Runs a question, which may block, on a queue where the questions of a terminal wait for each other. The terminal
    /// is in line mode then, and only the question reads it.
    package static func ask<Value: Sendable>(
        on terminal: Terminal,
        _ question: @escaping @Sendable () -> Value
    ) async -> Value {
        await queue(of: terminal).perform {
            beginQuestion(on: terminal)
            defer { endQuestion(on: terminal) }
            return question()
        }
    }

    private static func queue(of terminal: Terminal) -> DispatchQueue {
        state.withLock { state in
            if let queue = state.queues[terminal] { return queue }
            let queue = DispatchQueue(label: "org.belfry.console.questions")
            state.queues[terminal] = queue
            return queue
        }
    }

    /// Switches to keys, now or when the open question ends, and activates the source. Returns 0 or a negated errno.
    static func beginKeys(_ reader: TerminalReader, on terminal: Terminal) -> Int32 {
        state.withLock { state in
            defer { reader.source.activate() }
            guard state.keys[terminal] == nil else { return -EBUSY }
            let isSuspended = state.questions.contains(terminal)
            if isSuspended {
                reader.source.suspend()
            } else {
                let status = belfry_console_keys_begin(reader.terminal)
                guard status == 0 else { return status }
            }
            state.keys[terminal] = (reader, isSuspended)
            return 0
        }
    }

    static func endKeys(on terminal: Terminal) {
        state.withLock { state in
            guard let keys = state.keys.removeValue(forKey: terminal) else { return }
            // A suspended source would never call its cancel handler.
            if keys.isSuspended { keys.reader.source.resume() } else { belfry_console_keys_end() }
        }
    }

    private static func beginQuestion(on terminal: Terminal) {
        let suspended = state.withLock { state -> TerminalReader? in
            state.questions.insert(terminal)
            // Keys that an earlier question could not resume are suspended already.
            guard let keys = state.keys[terminal], !keys.isSuspended else { return nil }
            keys.reader.source.suspend()
            state.keys[terminal]?.isSuspended = true
            return keys.reader
        }
        guard let suspended else { return }
        // A running handler could read the reply to the question.
        suspended.queue.sync {}
        belfry_console_keys_end()
    }

    private static func endQuestion(on terminal: Terminal) {
        state.withLock { state in
            state.questions.remove(terminal)
            guard let keys = state.keys[terminal], keys.isSuspended else { return }
            // On failure the process is in the background, and the keys belong to another one.
            guard belfry_console_keys_begin(keys.reader.terminal) == 0 else { return }
            state.keys[terminal]?.isSuspended = false
            keys.reader.source.resume()
        }
    }
}
