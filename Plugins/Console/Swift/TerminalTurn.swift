import Belfry
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
        var readers: [Terminal: TerminalReader] = [:]
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
            setQuestion(isOpen: true, on: terminal)
            defer { setQuestion(isOpen: false, on: terminal) }
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

    private static func setQuestion(isOpen: Bool, on terminal: Terminal) {
        let reader = state.withLock { state in
            if isOpen { state.questions.insert(terminal) } else { state.questions.remove(terminal) }
            return state.readers[terminal]
        }
        reader?.turnHasChanged()
    }

    static func hasQuestion(on terminal: Terminal) -> Bool { state.withLock { $0.questions.contains(terminal) } }

    /// Registers the reader of a terminal. Returns false if it has another one.
    static func register(_ reader: TerminalReader, on terminal: Terminal) -> Bool {
        state.withLock { state in
            guard state.readers[terminal] == nil else { return false }
            state.readers[terminal] = reader
            return true
        }
    }

    static func removeReader(of terminal: Terminal) { state.withLock { $0.readers[terminal] = nil } }
}
