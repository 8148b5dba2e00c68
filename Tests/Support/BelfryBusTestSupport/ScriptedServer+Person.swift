import Belfry
public import BelfryBus

extension ScriptedServer {
    /// Somebody presses the button with this key; `default` is the click on the notice itself. What the profile does
    /// with actions follows: a token before, a closing after.
    public func press(_ id: UInt32, _ key: String) {
        guard let call = state.withLock({ $0.standing[id] }) else { return }
        if let token = profile.activationToken {
            announce("ActivationToken", [.uint32(id), .string(token)], of: call.sender)
        }
        announce("ActionInvoked", [.uint32(id), .string(key)], of: call.sender)
        closeAfterAction(id, call)
    }

    /// Somebody types an answer into the field.
    public func reply(_ id: UInt32, _ text: String) {
        guard let call = state.withLock({ $0.standing[id] }) else { return }
        emit("NotificationReplied", [.uint32(id), .string(text)], to: call.sender)
        closeAfterAction(id, call)
    }

    /// It leaves the screen: 1 expired, 2 by hand.
    public func close(_ id: UInt32, _ reason: UInt32 = 2) {
        let call = state.withLock { state in
            defer { forget(id, &state) }
            return state.standing[id]
        }
        guard let call else { return }
        announce("NotificationClosed", [.uint32(id), .uint32(reason)], of: call.sender)
    }

    /// Somebody switches do-not-disturb; a server that has no such property does nothing.
    public func setInhibited(_ isOn: Bool) throws {
        guard profile.hasInhibited else { return }
        state.withLock { $0.isInhibited = isOn }
        try bus?.emitPropertiesChanged(at: Self.path, Self.busName, ["Inhibited": .boolean(isOn)])
    }

    private func closeAfterAction(_ id: UInt32, _ call: NotifyCall) {
        guard let reason = profile.closesAfterAction, call.hint("resident")?.boolean != true else { return }
        close(id, reason)
    }

    // MARK: signals

    /// Sends a signal as it stands, to one or (nil) to all. Nothing is sent while the server is stopped.
    public func emit(_ member: String, _ arguments: [BusValue], to destination: String? = nil) {
        try? bus?.emit(BusSignal(Self.path, Self.busName, member, arguments, to: destination))
    }

    /// So many signals about notices of other programs, to all.
    public func flood(_ count: Int) {
        for number in 0..<count {
            let id = UInt32.max - UInt32(number % 1000)
            let member = number % 2 == 0 ? "ActionInvoked" : "NotificationClosed"
            emit(member, [.uint32(id), number % 2 == 0 ? .string("default") : .uint32(2)])
        }
    }

    /// To whom the profile tells such things.
    func announce(_ member: String, _ arguments: [BusValue], of poster: String) {
        if profile.isNoisy {
            emit(member, [])
            emit(member, [.string("1"), .string("default")])
            emit(member, [.uint32(.max)] + arguments.dropFirst())
            emit(member, arguments + [.byte(0)])
            emit("NoSuchSignal", arguments)
        }
        switch profile.audience {
        case .everybody: emit(member, arguments)
        case .poster: emit(member, arguments, to: poster)
        case .both:
            try? otherBus?.emit(BusSignal(Self.path, Self.busName, member, arguments))
            emit(member, arguments, to: poster)
        }
    }
}
