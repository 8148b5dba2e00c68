import Belfry
import BelfryBus
import BelfryBusBackend
import Synchronization

/// Responses of the user: as a signal of the portal, or as a call of the app's action.
extension PortalSession {
    var isCallable: Bool { state.withLock { $0.isCallable } }

    /// Handles `ActionInvoked(s id, s action, av parameter)`, which every connection receives. Only signals with
    /// Belfry's action, and the delivery that now has the name, are responses. The parameter is the target; from
    /// version 2 on also a dictionary with the activation token, and the typed text.
    func received(_ signal: BusSignal) {
        guard signal.member == "ActionInvoked", signal.arguments.count == 3, let handle = signal.arguments[0].string,
            signal.arguments[1].string == PortalTarget.action, let parameter = signal.arguments[2].elements,
            let target = parameter.first?.string.flatMap(PortalTarget.read),
            state.withLock({ $0.owner == signal.sender })
        else { return }
        let token = ApplicationInterface.token(in: parameter.count > 1 ? parameter[1] : nil)
        responded(handle, target, parameter.count > 2 ? parameter[2] : nil, token)
    }

    private func responded(_ handle: String, _ target: PortalTarget, _ text: BusValue?, _ token: String?) {
        guard handle.hasPrefix(PortalBackend.handlePrefix) else { return }
        let isWanted = state.withLock { state in
            // An earlier run of this program showed it: the center decides.
            guard let shown = state.shown[handle] else { return true }
            guard shown.deliveryID == target.deliveryID, shown.isResident || !shown.hasResponse else { return false }
            state.shown[handle]?.hasResponse = true
            return true
        }
        guard isWanted else { return }
        report(
            .responded(
                DeliveryReceipt.Reference(handle: handle),
                action: target.action,
                text: text?.string,
                activationToken: token
            )
        )
    }

    /// Exports the action that the desktop calls under the app's name, for which the bus starts the app. If another
    /// program owns that name, responses arrive as signals.
    func exportActions(of app: ActivatableApp) async throws(BusError) -> BusSubscription {
        let service = try await app.serve(on: bus) { [weak self] call in
            guard case .action(PortalTarget.action, let parameters, let token) = call else { return false }
            guard let target = parameters.first?.string.flatMap(PortalTarget.read), let handle = target.handle else {
                throw ApplicationInterface.refusal("'\(PortalTarget.action)' takes a target of Belfry's.")
            }
            self?.responded(handle, target, parameters.count > 1 ? parameters[1] : nil, token)
            return true
        }
        let outcome = try await bus.requestName(self.app.id, .doNotQueue) { [weak self] _ in self?.lostName() }
        state.withLock { $0.service = service }
        if outcome == .taken { lostName() } else { state.withLock { $0.isCallable = true } }
        return service.subscription
    }

    /// How long the end of a run waits for the app, as a center does by default.
    private static let appLimit = Duration.seconds(5)

    /// Releases the app's name, and waits until the calls that were received are handled. Once the release is
    /// acknowledged, no response is lost: the bus starts the app for later ones. Waits for it a second at most.
    func end() async {
        if isCallable { _ = await withTimeout(.seconds(1)) { [bus, app] in try? await bus.releaseName(app.id) } }
        guard let service = state.withLock({ $0.service }) else { return }
        service.subscription.cancel()
        // The run ends by being canceled, which must not drop the calls that wait.
        _ = await withTimeout(Self.appLimit) { await service.handling.value }
    }

    private func lostName() {
        state.withLock { $0.isCallable = false }
        let text =
            "\(ActivatableApp.taken(app.id)): responses reach this one while it runs, and don't start it. End that "
            + "program, or make the backend without ActivatableApp."
        report(.error(NoticeError(.backendMessage, text)))
    }
}
