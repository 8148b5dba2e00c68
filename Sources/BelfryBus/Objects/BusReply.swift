import Synchronization

/// The reply to one call, sent at any time from any thread. Without it, the call ends with the caller's timeout.
///
/// ```swift
/// let waitUntilReady = BusMethod("WaitUntilReady", replying: { _, reply in
///     Task {
///         try await Task.sleep(for: .seconds(180))
///         reply.send([])
///     }
/// })
/// ```
public final class BusReply: Sendable {
    private let sendResult: @Sendable (Result<[BusValue], BusError>) -> Void
    private let isGiven = Atomic(false)

    init(_ sendResult: @escaping @Sendable (Result<[BusValue], BusError>) -> Void) { self.sendResult = sendResult }

    /// Sends the reply, in order with signals and other replies; later calls are ignored. Values of other types than
    /// the method declares become an error for the caller.
    public func send(_ result: Result<[BusValue], BusError>) {
        guard !isGiven.exchange(true, ordering: .relaxed) else { return }
        sendResult(result)
    }

    /// Replies with values, which must be of the types that the method returns.
    public func send(_ values: [BusValue]) { send(.success(values)) }

    /// Replies with an error, under its ``BusError/name``.
    public func send(_ error: BusError) { send(.failure(error)) }
}

extension BusCore {
    func reply(to call: BusIncomingCall, of method: BusMethod) -> BusReply {
        let generation = generation
        return BusReply { [weak self] result in
            self?.perform { core in
                // The caller's name and the serial number belong to a lost connection.
                guard generation == core.generation else { return }
                core.sendReply(to: call, method, result)
            }
        }
    }
}
