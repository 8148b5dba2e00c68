import Belfry
import BelfryBus
import Synchronization

extension NotificationsSession {
    /// How long the server may take to answer before what it said is told anyway.
    private static let settlingLimit = Duration.seconds(1)

    func received(_ signal: BusSignal) {
        guard let id = signal.arguments.first?.integer(UInt32.self), signal.arguments.count == 2 else { return }
        let (step, isFirst) = state.withLock { state -> (ShownNotice.Step, Bool) in
            guard state.owner != nil, state.owner == signal.sender, var shown = state.shown[id] else {
                return (.ignore, false)
            }
            let step = shown.take(signal.member, signal.arguments[1])
            let isFirst = step == .settle && !shown.isSettling
            if isFirst { shown.isSettling = true }
            // What is settling already is told then, with what has come now.
            state.shown[id] = shown
            return (shown.isSettling && step == .tell ? .ignore : step, isFirst)
        }
        switch step {
        case .ignore: break
        case .tell: tell(id)
        case .settle: if isFirst, let sender = signal.sender { settle(id, with: sender) }
        }
    }

    /// Asks the server something: when it has answered, all that it said about this notice in one go is here.
    private func settle(_ id: UInt32, with owner: String) {
        let question = call("GetServerInformation", to: owner, limit: Self.settlingLimit)
        do throws(BusError) { try bus.call(question) { [weak self] _ in self?.tell(id, from: owner) } } catch {
            tell(id, from: owner)
        }
    }

    /// Nothing where the server has gone meanwhile: then it was told with that.
    private func tell(_ id: UInt32, from owner: String? = nil) {
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
