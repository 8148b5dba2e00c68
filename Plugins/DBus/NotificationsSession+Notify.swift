import Belfry
import BelfryBus
import BelfryServers
import Synchronization

extension NotificationsSession {
    /// Shows a notice; returns the server's number for it.
    ///
    /// An answer that comes after the limit is the one to a notice that its caller believes not shown, and shows again:
    /// it is taken off the screen.
    func notify(
        _ message: NotifyMessage,
        to owner: String,
        within limit: Duration
    ) async -> Result<UInt32, BusError> {
        let call = call("Notify", message.arguments, to: owner, expects: "u", limit: limit)
        let (shown, replaced) = (message.shown, message.replaces)
        let identifier: @Sendable ([BusValue]) -> UInt32 = { $0.first?.integer() ?? 0 }
        let result = await bus.callToTheEnd(call) { [self] result in
            // Before the next message from the server is looked at: it may be the answer to this notice.
            guard case .success(let id) = result.map(identifier), id != 0 else { return }
            remember(shown, as: id, replacing: replaced, of: owner)
        } late: { [self] late in
            if case .success(let id) = late.map(identifier), id != replaced { undo(id, by: owner) }
        }
        return result.map(identifier)
    }

    private func remember(_ notice: ShownNotice, as id: UInt32, replacing replaced: UInt32, of owner: String) {
        let (events, stale) = state.withLock { state -> ([BackendEvent], UInt32?) in
            var events: [BackendEvent] = []
            // Known to have gone meanwhile: what comes of it is not heard any more.
            if state.owner == nil {
                state.owner = owner
                state.instance = instance(of: owner)
                events.append(.serverCame(server: state.instance))
            }
            guard state.owner == owner else { return (events, nil) }
            // What was said of the notice before, also where a bad server gives a number twice.
            let reference = state.reference(id)
            events += state.shown[id]?.settle(as: reference) ?? []
            state.shown.insert(notice, for: id)
            state.lastShowing.note()
            state.ended[id] = nil
            // Shown beside what it was to take the place of.
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

    /// Takes off the screen what nobody waits for.
    private func undo(_ id: UInt32, by owner: String) {
        guard id != 0, state.withLock({ $0.owner == owner && $0.shown[id] == nil }) else { return }
        // Where it can't be sent the bus is gone, and the notice with it.
        try? bus.send(call("CloseNotification", [.uint32(id)], to: owner, limit: .seconds(1)))
    }

    /// What isn't there any more is no error.
    func close(_ receipt: DeliveryReceipt, within limit: Duration) async throws(NoticeError) {
        guard let id = Self.identifier(in: receipt) else { return }
        let (owner, pause) = state.withLock { state -> (String?, Duration) in
            guard state.instance == receipt.server, state.ended[id] == nil else { return (nil, .zero) }
            let pause = state.server.map { state.lastShowing.pause(on: $0.known) } ?? .zero
            // An earlier run of this app has shown what isn't known here.
            return (state.shown[id]?.closing == nil ? state.owner : nil, pause)
        }
        guard let owner else { return }
        await LastShowing.wait(for: pause)
        do throws(BusError) {
            try await bus.call(call("CloseNotification", [.uint32(id)], to: owner, expects: "", limit: limit))
        } catch {
            switch error.code {
            // No such notice (any more), in each server's own words; or no such server.
            case .remoteError, .unknownMember, .noOwner, .noReply, .unexpectedReply: break
            default: throw NoticeError(error)
            }
        }
        // Some servers don't tell of it, and some tell twice.
        var closed = BusSignal(Self.path, Self.name, "NotificationClosed", [.uint32(id), .uint32(3)])
        closed.sender = owner
        received(closed)
    }

    /// The server's number for what the receipt names.
    static func identifier(in receipt: DeliveryReceipt) -> UInt32? {
        UInt32(receipt.handle).flatMap { $0 == 0 ? nil : $0 }
    }
}
