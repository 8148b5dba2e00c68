import Belfry
import BelfryBus
import BelfryBusBackend
import Synchronization

extension NotificationsSession {
    /// The timeout of the server's reply, after which the collected signals are reported anyway.
    private static let settlingLimit = Duration.seconds(1)

    func received(_ signal: BusSignal) {
        guard let id = signal.arguments.first?.integer(UInt32.self), signal.arguments.count == 2 else { return }
        guard let sender = signal.sender else { return }
        let step = state.withLock { state -> ShownNotice.Step in
            guard state.owner == sender else { return .ignore }
            return state.shown[id]?.take(signal.member, signal.arguments[1]) ?? .ignore
        }
        switch step {
        case .ignore: break
        case .report: reportEvents(of: id)
        case .settle: settle(id, with: sender)
        }
    }

    /// Makes a round trip: once the server replies, all signals that it sent together have arrived.
    private func settle(_ id: UInt32, with owner: String) {
        let question = Self.object(of: owner, within: Self.settlingLimit).call("GetServerInformation")
        do throws(BusError) {
            try bus.call(question) { [weak self] _ in self?.reportEvents(of: id, from: owner) }
        } catch { reportEvents(of: id, from: owner) }
    }

    /// Reports the collected events. Does nothing if the server is gone: its loss reported them.
    private func reportEvents(of id: UInt32, from owner: String? = nil) {
        let events = state.withLock { state -> [BackendEvent] in
            guard owner == nil || state.owner == owner, var shown = state.shown[id] else { return [] }
            let events = shown.settle(as: state.reference(id))
            if shown.closing == nil {
                state.shown[id] = shown
            } else {
                state.shown[id] = nil
                state.ended.insert((), for: id)
            }
            return events
        }
        for event in events { report(event) }
    }
}
