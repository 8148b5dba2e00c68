import Belfry
import BelfryBus
import Synchronization

/// What the user answers: as a signal of the portal's, or as a call of the app's action.
extension PortalSession {
    func way(for handle: String) -> PortalTarget.Way {
        state.withLock { $0.isCallable } ? .call(handle: handle) : .signal
    }

    /// `ActionInvoked(s id, s action, av parameter)`, of which everybody hears everything: only what has our mark, and
    /// the delivery that stands under the name now, is an answer. The parameter: the target; from version 2 on a
    /// dictionary with the activation token, and what was typed.
    func received(_ signal: BusSignal) {
        guard signal.member == "ActionInvoked", signal.arguments.count == 3, let handle = signal.arguments[0].string,
            signal.arguments[1].string == PortalTarget.action, let parameter = signal.arguments[2].elements,
            let target = parameter.first?.string.flatMap(PortalTarget.init),
            state.withLock({ $0.owner == signal.sender })
        else { return }
        answered(handle, target, parameter.count > 2 ? parameter[2] : nil, parameter.count > 1 ? parameter[1] : nil)
    }

    private func answered(_ handle: String, _ target: PortalTarget, _ text: BusValue?, _ platform: BusValue?) {
        guard handle.hasPrefix(PortalBackend.handlePrefix) else { return }
        let isWanted = state.withLock { state in
            // Shown by an earlier run of this program: the center knows.
            guard let shown = state.shown[handle] else { return true }
            guard shown.deliveryID == target.deliveryID, shown.isResident || !shown.isAnswered else { return false }
            state.shown[handle]?.isAnswered = true
            return true
        }
        guard isWanted else { return }
        // Plasma's under X11 has the second one alone.
        let tokens = ["activation-token", "desktop-startup-id"].lazy.compactMap { platform?[$0]?.string }
        report(
            .answered(
                DeliveryReceipt.Reference(handle: handle),
                action: target.action,
                text: text?.string,
                activationToken: tokens.first { !$0.isEmpty }
            )
        )
    }

    /// Desktop Entry Specification, "D-Bus Activation": the desktop calls `ActivateAction` under the app's name, for
    /// which the bus starts the app. Where another program has that name, answers come as signals.
    func exportActions() async throws(BusError) -> BusSubscription {
        let platform = BusArgument("platform_data", "a{sv}")
        let activate = BusMethod(
            "ActivateAction",
            takes: [BusArgument("action_name", "s"), BusArgument("parameter", "av"), platform],
            atOnce: { [weak self] call in
                let parameter = call.arguments[1].elements ?? []
                guard call.arguments[0].string == PortalTarget.action,
                    let target = parameter.first?.string.flatMap(PortalTarget.init), let handle = target.handle
                else {
                    throw BusError.answer("org.freedesktop.DBus.Error.InvalidArgs", "Belfry has no such action.")
                }
                self?.answered(handle, target, parameter.count > 1 ? parameter[1] : nil, call.arguments[2])
                return []
            }
        )
        // Desktops call these too, and the app is running then: that is all.
        let plain = BusMethod("Activate", takes: [platform], atOnce: { _ in [] })
        let open = BusMethod("Open", takes: [BusArgument("uris", "as"), platform], atOnce: { _ in [] })
        let path = try BusObjectPath("/" + app.id.replacing(".", with: "/").replacing("-", with: "_"))
        let export = try await bus.export(
            [BusInterface("org.freedesktop.Application", methods: [plain, open, activate])],
            at: path
        )
        let outcome = try await bus.requestName(app.id, .doNotQueue) { [weak self] _ in self?.lostName() }
        if outcome == .taken { lostName() } else { state.withLock { $0.isCallable = true } }
        return export
    }

    private func lostName() {
        state.withLock { $0.isCallable = false }
        let text =
            "Another program has the name '\(app.id)' on the bus: responses reach this one while it runs, and don't "
            + "start it. End that program, or leave out isActivatable."
        report(.error(NoticeError(.backendMessage, text)))
    }
}
