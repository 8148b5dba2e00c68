import BelfryLoop
import CDBus

extension BusCore {
    /// Queues a call, or fails it immediately.
    func accept(_ call: PendingCall) {
        guard isActive else { return call.fail(notConnected()) }
        calls.add(call)
        pump()
        armTimer(for: call.deadline)
    }

    /// Calls a method of the bus itself. The call skips the queue, because the bus doesn't count its own replies. If
    /// the connection is lost meanwhile, `completion` is not called: the next connection repeats all such calls.
    func callBus(
        _ call: BusMethodCall,
        completion: @escaping @Sendable (BusCore, Result<[BusValue], BusError>) -> Void
    ) {
        let generation = generation
        let reply: Completion<[BusValue]> = { [weak self] result in
            guard let self, generation == self.generation else { return }
            completion(self, result)
        }
        guard let wire else { return reply(.failure(notConnected())) }
        do throws(BusError) {
            let pending = PendingCall(call, try checked(call), id: newID(), completion: reply)
            calls.didSend(pending, serial: wire.send(pending.message))
            armTimer(for: pending.deadline)
        } catch { reply(.failure(error)) }
    }

    /// Validates a call and returns its message; callable from any thread.
    func checked(_ call: BusMethodCall) throws(BusError) -> WireMessage {
        try call.message(limit: configuration.messageLimit, expectsReply: true)
    }

    func pump() {
        guard case .connected = state, let wire else { return }
        while let call = calls.next() {
            if calls.isOverdue(call.destination) {
                call.fail(
                    BusError(
                        .peerOverdue,
                        "'\(call.destination)' owes \(CallTable.mostOverdue) replies and gets no more calls until it "
                            + "replies: it hangs, restart it."
                    )
                )
            } else if !canSend(call.message, on: wire) {
                call.fail(Self.noDescriptors)
            } else {
                calls.didSend(call, serial: wire.send(call.message))
            }
        }
    }

    func cancel(_ id: UInt64) {
        guard let call = calls.cancel(id) else { return }
        call.fail(BusError(.cancelled, "\(call.summary) was given up: the task that awaited it was canceled."))
        pump()
    }

    func receiveReply(_ message: OpaquePointer, from sender: String) {
        let call = calls.removeCall(repliedTo: dbus_message_get_reply_serial(message), by: sender)
        defer { pump() }
        // A reply to a call that was dropped, an unknown serial number, or a sender that wasn't called.
        guard let call else { return }
        do throws(BusError) {
            let values = try decoder.arguments(of: message)
            if dbus_message_get_type(message) == DBUS_MESSAGE_TYPE_ERROR {
                let name = dbus_message_get_error_name(message).map { String(cString: $0) } ?? ""
                throw BusError.received(name: name, text: values.first?.string ?? "", for: call.summary)
            }
            if let expected = call.call.expects, String(cString: dbus_message_get_signature(message)) != expected.text {
                throw BusError(
                    .unexpectedReply,
                    "\(call.summary) got a reply with '\(String(cString: dbus_message_get_signature(message)))' where "
                        + "'\(expected)' was expected: the program on the other side speaks another version of it."
                )
            }
            call.completion(.success(values))
        } catch { call.fail(error) }
    }

    // MARK: time limits

    /// Sets the one timer for all calls; the timeouts of libdbus need its own kind of loop.
    private func armTimer(for deadline: SuspendingClock.Instant) {
        if let timerTime, timerTime <= deadline { return }
        timerTime = deadline
        loop.wait(until: deadline) { [weak self] in self?.timeHasPassed(deadline) }
    }

    private func timeHasPassed(_ deadline: SuspendingClock.Instant) {
        // An earlier deadline replaced this one and has its own timer.
        guard timerTime == deadline else { return }
        timerTime = nil
        let (due, next) = calls.expire(at: .now)
        for (call, wasSent) in due {
            let waited =
                wasSent
                ? "got no reply within \(call.call.timeout) from '\(call.destination)'"
                : "waited \(call.call.timeout) in line behind other calls and was not sent"
            call.fail(BusError(.timedOut, "\(call.summary) \(waited): try again later."))
        }
        pump()
        afterSending()
        if let next { armTimer(for: next) }
    }

    // MARK: no bus

    static let noDescriptors = BusError(.unsupported, "This bus does not pass file descriptors.")
    static let closedError = BusError(.closed, "This connection was closed: make another one.")

    /// Whether there is a connection, or an attempt to connect that calls wait for.
    var isActive: Bool {
        switch state {
        case .connecting, .connected: true
        case .idle, .disconnected, .closed: false
        }
    }

    func notConnected() -> BusError {
        if case .closed = state { return Self.closedError }
        let cause = lastFailure
        // Errors that reconnecting won't fix are reported unchanged.
        if let cause, [.noBus, .invalidAddress, .authenticationFailed].contains(cause.code) { return cause }
        return BusError(
            .disconnected,
            "There is no connection to the bus: start it, or wait until it is back.",
            cause: cause?.message
        )
    }
}
