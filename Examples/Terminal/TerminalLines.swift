import Dispatch

/// What is typed into the terminal, line by line, until its end. For one listener.
///
/// Reading blocks a thread for as long as nobody types: it has a queue of its own, not a thread of Swift's pool.
public func terminalLines() -> AsyncStream<String> {
    AsyncStream { continuation in
        DispatchQueue(label: "terminal").async {
            while let line = readLine() { if case .terminated = continuation.yield(line) { break } }
            continuation.finish()
        }
    }
}
