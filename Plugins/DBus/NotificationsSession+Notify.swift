import Belfry
import BelfryBus
import BelfryBusBackend
import BelfryServers
import Synchronization

extension NotificationsSession {
    /// Shows a notice and returns the server's number for it.
    ///
    /// If the reply arrives after the timeout, the caller has already counted the delivery as failed and will retry it.
    /// The late notice is therefore closed, unless it has replaced the former one, which counts as delivered.
    func notify(
        _ message: NotifyMessage,
        to owner: String,
        within limit: Duration
    ) async -> Result<UInt32, BusError> {
        let call = Self.object(of: owner, within: limit).call("Notify", message.arguments, expects: "u")
        let (shown, replaced) = (message.shown, message.replaces)
        let identifier: @Sendable ([BusValue]) -> UInt32 = { $0.first?.integer() ?? 0 }
        let result = await bus.callToTheEnd(call) { [self] result in
            // Runs before the server's next message is processed, which may be a response to this notice.
            guard case .success(let id) = result.map(identifier), id != 0 else { return }
            remember(shown, as: id, replacing: replaced, of: owner)
        } late: { [self] late in
            guard case .success(let id) = late.map(identifier), id != 0 else { return }
            // A notice that was replaced late is what its number stands for now.
            guard id != replaced else { return remember(shown, as: id, replacing: id, of: owner) }
            state.withLock { $0.lastShowing.note() }
            undo(id, by: owner)
        }
        return result.map(identifier)
    }

    private func remember(_ notice: ShownNotice, as id: UInt32, replacing replaced: UInt32, of owner: String) {
        let (events, stale) = state.withLock { state -> ([BackendEvent], UInt32?) in
            var events: [BackendEvent] = []
            // The owner may not be known yet. If it is another one, the server is gone and its events are not received.
            if state.owner == nil {
                state.owner = owner
                state.instance = instance(of: owner)
                events.append(.serverCame(server: state.instance))
            }
            guard state.owner == owner else { return (events, nil) }
            // Events of the notice that had this number before, also if a faulty server assigns a number twice.
            let reference = state.reference(id)
            events += state.shown[id]?.settle(as: reference) ?? []
            state.shown.insert(notice, for: id)
            state.lastShowing.note()
            state.ended[id] = nil
            // Shown in addition to the notice that it should have replaced.
            let stale = replaced == id || state.shown[replaced] == nil ? nil : replaced
            if let stale {
                state.shown[stale] = nil
                state.ended.insert((), for: stale)
            }
            return (events, stale)
        }
        for event in events { report(event) }
        if let stale { undo(stale, by: owner) }
    }

    /// Closes a notice that no delivery waits for, once the server has drawn it.
    private func undo(_ id: UInt32, by owner: String) {
        let close: @Sendable () -> Void = { [self] in
            guard id != 0, state.withLock({ $0.owner == owner && $0.shown[id] == nil }) else { return }
            // If sending fails, the bus is gone, and the notice with it.
            try? bus.send(Self.object(of: owner, within: .seconds(1)).call("CloseNotification", [.uint32(id)]))
        }
        let pause = state.withLock { $0.pauseBeforeClosing }
        if pause > .zero { _ = Timeout.begin(pause, expire: close) } else { close() }
    }

    /// Closes a notice. A notice that no longer exists is not an error.
    func close(_ receipt: DeliveryReceipt, within limit: Duration) async throws(NoticeError) {
        guard let id = Self.identifier(in: receipt) else { return }
        let (owner, pause) = state.withLock { state -> (String?, Duration) in
            guard state.instance == receipt.server, state.ended[id] == nil else { return (nil, .zero) }
            // A notice of an earlier run of this app is not in `shown`.
            return (state.shown[id]?.closing == nil ? state.owner : nil, state.pauseBeforeClosing)
        }
        guard let owner else { return }
        await LastShowing.wait(for: pause)
        let call = Self.object(of: owner, within: limit).call("CloseNotification", [.uint32(id)], expects: "")
        do throws(BusError) { try await bus.call(call) } catch {
            switch error.code {
            // No such notice (any more), by each server's own error; or no such server.
            case .remoteError, .unknownMember, .noOwner, .noReply, .unexpectedReply: break
            default: throw NoticeError(error)
            }
        }
        // Some servers don't emit this signal, and some emit it twice.
        var closed = BusSignal(Self.path, Self.name, "NotificationClosed", [.uint32(id), .uint32(3)])
        closed.sender = owner
        received(closed)
    }

    /// Returns the server's number for the receipt's notice.
    static func identifier(in receipt: DeliveryReceipt) -> UInt32? {
        UInt32(receipt.handle).flatMap { $0 == 0 ? nil : $0 }
    }
}
