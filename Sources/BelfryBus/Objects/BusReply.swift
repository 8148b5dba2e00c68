import Synchronization

/// The answer to one call, given whenever it is ready, from any thread. One that is never given leaves the caller to
/// its own time limit.
public final class BusReply: Sendable {
    private let answer: @Sendable (Result<[BusValue], BusError>) -> Void
    private let isGiven = Atomic(false)

    init(_ answer: @escaping @Sendable (Result<[BusValue], BusError>) -> Void) { self.answer = answer }

    /// The first answer counts; it is sent in order with signals and other answers. Values of other types than the
    /// method declares become an error for the caller.
    public func send(_ result: Result<[BusValue], BusError>) {
        guard !isGiven.exchange(true, ordering: .relaxed) else { return }
        answer(result)
    }

    /// Replies with values, which must be of the types that the method returns.
    public func send(_ values: [BusValue]) { send(.success(values)) }

    /// An error goes out under its ``BusError/name``.
    public func send(_ error: BusError) { send(.failure(error)) }
}

extension BusCore {
    func reply(to call: BusIncomingCall, of method: BusMethod) -> BusReply {
        let generation = generation
        return BusReply { [weak self] result in
            self?.perform { core in
                // The caller's name and serial number belong to a bus that is gone.
                guard generation == core.generation else { return }
                core.answer(call, method, result)
            }
        }
    }
}
