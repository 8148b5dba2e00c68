import BelfryLoop
import CDBus

extension BusCore {
    /// Takes a call into the line, or refuses it at once.
    func accept(_ call: PendingCall) {
        switch phase {
        case .idle, .waiting:
            return call.completion(.failure(notConnected(lastFailure)))
        case .closed:
            return call.completion(.failure(Self.closedError))
        case .opening, .greeting, .connected: break
        }
        calls.add(call)
        pump()
        armTimer(for: call.deadline)
    }

    /// A call of the connection's own to the bus: it waits behind no one, for the bus doesn't count its own answers.
    /// When the connection is lost meanwhile there is no reply: on the next one everything is asked for anew.
    func callBus(
        _ call: BusMethodCall,
        completion: @escaping @Sendable (BusCore, Result<[BusValue], BusError>) -> Void
    ) {
        let generation = generation
        let reply: Completion<[BusValue]> = { [weak self] result in
            guard let self, generation == self.generation else { return }
            completion(self, result)
        }
        guard let wire else { return reply(.failure(notConnected(lastFailure))) }
        do throws(BusError) {
            let pending = PendingCall(call, try checked(call), id: newID(), completion: reply)
            guard let serial = wire.send(pending.message) else { throw WireMessage.outOfMemory }
            calls.didSend(pending, serial: serial)
            armTimer(for: pending.deadline)
        } catch { reply(.failure(error)) }
    }

    /// The message of a call, with everything about it checked; from any thread.
    func checked(_ call: BusMethodCall) throws(BusError) -> WireMessage {
        try call.message(limit: configuration.messageLimit, expectsReply: true)
    }

    func pump() {
        guard case .connected(let wire) = phase else { return }
        while let call = calls.next() {
            if calls.isOverdue(call.destination) {
                call.completion(
                    .failure(
                        BusError(
                            .peerOverdue,
                            "'\(call.destination)' owes \(CallTable.mostOverdue) answers and is asked nothing more until it "
                                + "gives one: it hangs, restart it."
                        )
                    )
                )
            } else if call.message.carriesDescriptors, !wire.canSendDescriptors {
                call.completion(.failure(BusError(.unsupported, "This bus does not pass file descriptors.")))
            } else if let serial = wire.send(call.message) {
                calls.didSend(call, serial: serial)
            } else {
                call.completion(.failure(WireMessage.outOfMemory))
            }
        }
    }

    func cancel(_ id: UInt64) {
        guard let call = calls.cancel(id) else { return }
        call.completion(
            .failure(BusError(.cancelled, "\(call.summary) was given up: the task that awaited it was cancelled."))
        )
        pump()
    }

    func receiveAnswer(_ message: OpaquePointer, from sender: String) {
        let call = calls.answered(dbus_message_get_reply_serial(message), by: sender)
        defer { pump() }
        // Late, of nobody, or from somebody who wasn't asked.
        guard let call else { return }
        do throws(BusError) {
            let values = try decoder.arguments(of: message)
            if dbus_message_get_type(message) == BusMessageKind.error {
                let name = dbus_message_get_error_name(message).map { String(cString: $0) } ?? ""
                throw BusError.received(name: name, text: values.first?.string ?? "", for: call.summary)
            }
            if let expected = call.call.expects, String(cString: dbus_message_get_signature(message)) != expected.text {
                throw BusError(
                    .unexpectedReply,
                    "\(call.summary) was answered with '\(String(cString: dbus_message_get_signature(message)))' where "
                        + "'\(expected)' was expected: the program on the other side speaks another version of it."
                )
            }
            call.completion(.success(values))
        } catch { call.completion(.failure(error)) }
    }

    // MARK: time limits

    /// One timer for all: libdbus's own time-outs need a loop of its own kind.
    private func armTimer(for deadline: SuspendingClock.Instant) {
        if let timerTime, timerTime <= deadline { return }
        timerTime = deadline
        loop.wait(until: deadline) { [weak self] in self?.timeHasPassed(deadline) }
    }

    private func timeHasPassed(_ deadline: SuspendingClock.Instant) {
        // A sooner one came after this one and has a timer of its own.
        guard timerTime == deadline else { return }
        timerTime = nil
        let (due, next) = calls.expire(at: .now)
        for (call, wasSent) in due {
            let waited =
                wasSent
                ? "was not answered within \(call.call.timeLimit) by '\(call.destination)'"
                : "waited \(call.call.timeLimit) in line behind other calls and was not sent"
            call.completion(.failure(BusError(.timedOut, "\(call.summary) \(waited): try again later.")))
        }
        pump()
        afterSending()
        if let next { armTimer(for: next) }
    }

    // MARK: no bus

    static let closedError = BusError(.closed, "This connection was closed: make another one.")

    func notConnected(_ cause: BusError?) -> BusError {
        if case .closed = phase { return Self.closedError }
        // What a reconnection won't mend by itself is said as it is.
        if let cause, [.noBus, .invalidAddress, .authenticationFailed].contains(cause.code) { return cause }
        return BusError(
            .disconnected,
            "There is no connection to the bus: start it, or wait until it is back.",
            cause: cause?.message
        )
    }
}

extension BusCore {
    /// A call that waits in line like those from outside, and for an attempt to connect that is under way.
    func callWhenConnected(_ call: BusMethodCall, completion: @escaping Completion<[BusValue]>) {
        do throws(BusError) {
            accept(PendingCall(call, try checked(call), id: newID(), completion: completion))
        } catch { completion(.failure(error)) }
    }
}
