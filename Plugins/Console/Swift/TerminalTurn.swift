import Belfry
import Dispatch
import Synchronization

/// Decides who receives the input of the terminal: the keys of a backend, or a question while it is open. A process has
/// one terminal at a time, as its signal handler can restore one only; questions on another terminal wait for it.
package enum TerminalTurn {
    private struct State {
        /// The reader of keys.
        var reader: TerminalReader?
        var hasQuestion = false
    }

    /// Never locked during a blocking call.
    private static let state = Mutex(State())
    private static let queue = DispatchQueue(label: "org.belfry.console.questions")

    /// Runs a question, which may block, on a queue where questions wait for each other. The terminal is in line mode
    /// then, and only the question reads it.
    package static func ask<Value: Sendable>(_ question: @escaping @Sendable () -> Value) async -> Value {
        await queue.perform {
            setQuestion(isOpen: true)
            defer { setQuestion(isOpen: false) }
            return question()
        }
    }

    private static func setQuestion(isOpen: Bool) {
        let reader = state.withLock { state in
            state.hasQuestion = isOpen
            return state.reader
        }
        reader?.turnHasChanged()
    }

    static var hasQuestion: Bool { state.withLock(\.hasQuestion) }

    /// Registers the reader of keys. Returns false if there is another one.
    static func register(_ reader: TerminalReader) -> Bool {
        state.withLock { state in
            guard state.reader == nil else { return false }
            state.reader = reader
            return true
        }
    }

    static func removeReader() { state.withLock { $0.reader = nil } }
}
