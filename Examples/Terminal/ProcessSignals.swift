import Dispatch
import Foundation

/// Signals sent to the process, from now on, which no longer end it: the listener decides.
public func processSignals(_ numbers: Int32...) -> AsyncStream<Int32> {
    AsyncStream { continuation in
        let sources = numbers.map { number in
            // A source receives a signal beside its handler: without this the process would end before.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { continuation.yield(number) }
            source.activate()
            return SignalSource(source: source)
        }
        continuation.onTermination = { _ in for source in sources { source.source.cancel() } }
    }
}

/// @unchecked Sendable: after activation only `cancel()` is called, which is safe from any thread.
private struct SignalSource: @unchecked Sendable { let source: any DispatchSourceSignal }
