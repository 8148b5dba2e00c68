import Belfry
import BelfryBus

extension ScriptedServer {
    /// The interface as the profile has it, with the lies of the moment.
    var notifications: BusInterface {
        let strings = ["name", "vendor", "version", "spec_version"].map { BusArgument($0, "s") }
        let inhibited = BusProperty(
            "Inhibited",
            "b",
            changes: .announced,
            read: { [weak self] in .boolean(self?.state.withLock { $0.isInhibited } ?? false) }
        )
        return BusInterface(
            Self.busName,
            methods: [
                method("GetServerInformation", returns: strings) { server, _, reply in
                    let profile = server.profile
                    reply.send(
                        [profile.name, profile.vendor, profile.version, profile.specification].map(BusValue.string)
                    )
                },
                method("GetCapabilities", returns: [BusArgument("names", "as")]) { server, _, reply in
                    reply.send([.strings(server.profile.capabilities)])
                },
                method(
                    "Notify",
                    takes: ["s", "u", "s", "s", "s", "as", "a{sv}", "i"].map { BusArgument("argument", $0) },
                    returns: [BusArgument("id", "u")]
                ) { server, call, reply in server.notify(call, reply) },
                method("CloseNotification", takes: [BusArgument("id", "u")]) { server, call, reply in
                    server.closeNotification(call, reply)
                },
            ],
            properties: profile.hasInhibited ? [inhibited] : []
        )
    }

    /// A method that lies where it is told to, and waits while the server is stalled.
    private func method(
        _ name: String,
        takes: [BusArgument] = [],
        returns: [BusArgument] = [],
        _ handler: @escaping @Sendable (ScriptedServer, BusIncomingCall, BusReply) -> Void
    ) -> BusMethod {
        let lie = state.withLock { $0.lies[name] }
        let types = lie?.compactMap { try? $0.type() } ?? []
        let returns = lie == nil ? returns : types.compactMap { try? BusArgument("lie", BusSignature($0.text)) }
        return BusMethod(name, takes: takes, returns: returns) { [weak self] call, reply in
            guard let self else { return }
            let work: @Sendable () -> Void = { if let lie { reply.send(lie) } else { handler(self, call, reply) } }
            let isHeld = state.withLock { state in
                if state.isStalled { state.held.append(work) }
                return state.isStalled
            }
            if !isHeld { work() }
        }
    }

    // MARK: Notify

    private enum Outcome {
        case shown(UInt32, closing: [UInt32])
        case lie(UInt32)
        case refused(String)
        case silence
        case crash
    }

    private func notify(_ incoming: BusIncomingCall, _ reply: BusReply) {
        var call = NotifyCall(sender: incoming.sender, arguments: incoming.arguments, id: 0)
        let outcome = state.withLock { state in
            let outcome = decide(call, &state)
            if case .shown(let id, _) = outcome {
                call.id = id
                state.standing[id] = call
                state.shownAt[id] = .now
            }
            state.calls.append(call)
            return outcome
        }
        switch outcome {
        case .shown(let id, let closing):
            for old in closing { announce("NotificationClosed", [.uint32(old), .uint32(1)], of: call.sender) }
            reply.send([.uint32(id)])
        case .lie(let id): reply.send([.uint32(id)])
        case .refused(let name): reply.send(BusError.reply(name, "The script refuses this notice."))
        case .silence: break
        case .crash: Task { await stop() }
        }
        state.withLock { $0.answered += 1 }
    }

    private func decide(_ call: NotifyCall, _ state: inout State) -> Outcome {
        if !state.answers.isEmpty {
            switch state.answers.removeFirst() {
            case .id(let id): return .lie(id)
            case .error(let name): return .refused(name)
            case .never: return .silence
            }
        }
        if profile.diesOfTagWithNumber, call.replaces != 0, call.hasTag { return .crash }
        if profile.answersTagsWithZero, call.hasTag { return .lie(0) }
        if profile.hangsOnWrongHints, !hasRightHints(call) { return .silence }
        let text = "\(call.title)\n\(call.body)"
        if profile.refusesRepeats, call.replaces == 0 {
            // Once: what comes after it comes later than the second that Plasma counts.
            let isRepeat = state.lastText == text
            state.lastText = isRepeat ? nil : text
            if isRepeat { return .refused("org.freedesktop.Notifications.Error.ExcessNotificationGeneration") }
        }
        if call.replaces != 0 {
            if let old = state.standing[call.replaces] {
                guard !profile.checksPoster || old.sender == call.sender else {
                    return .refused("org.freedesktop.DBus.Error.InvalidArgs")
                }
                return .shown(call.replaces, closing: [])
            }
            if profile.keepsUnknownIDs {
                state.order.append(call.replaces)
                return .shown(call.replaces, closing: [])
            }
        }
        let rivals = state.order.filter { id in
            guard profile.limitsEachApp, let other = state.standing[id] else { return true }
            return other.sender == call.sender && other.appName == call.appName
        }
        var closing: [UInt32] = []
        if rivals.count >= profile.limit {
            if let error = profile.limitError { return .refused(error) }
            closing = Array(rivals.prefix(rivals.count - profile.limit + 1))
            for id in closing { forget(id, &state) }
        }
        let id = state.nextID
        state.nextID = id == .max ? 1 : id + 1
        state.order.append(id)
        return .shown(id, closing: closing)
    }

    func forget(_ id: UInt32, _ state: inout State) {
        state.standing[id] = nil
        state.order.removeAll { $0 == id }
    }

    /// What GNOME Shell 43 must have right to answer at all.
    private func hasRightHints(_ call: NotifyCall) -> Bool {
        if let urgency = call.hint("urgency") {
            guard let number = urgency.integer(Int.self), (0...2).contains(number) else { return false }
        }
        for name in ["image-path", "sound-file"] where call.hint(name).map({ $0.string == nil }) ?? false {
            return false
        }
        if let image = call.hint("image-data"), image.elements?.count != 7 { return false }
        return true
    }

    // MARK: CloseNotification

    private func closeNotification(_ call: BusIncomingCall, _ reply: BusReply) {
        let id = call.arguments[0].integer(UInt32.self) ?? 0
        let (standing, mayClose, isTooSoon) = state.withLock { state in
            let standing = state.standing[id]
            let age = state.shownAt[id].map { $0.duration(to: .now) } ?? .seconds(Int64.max)
            let isTooSoon = profile.diesOfClosingWithin.map { age < $0 } ?? false
            let mayClose = !profile.checksPoster || standing == nil || standing?.sender == call.sender
            if mayClose { forget(id, &state) }
            return (standing, mayClose, isTooSoon)
        }
        guard !isTooSoon else {
            Task { await stop() }
            return
        }
        guard mayClose else {
            return reply.send(.reply("org.freedesktop.DBus.Error.InvalidArgs", "Invalid notification ID"))
        }
        guard let standing else {
            switch profile.unknownClose {
            case .accepted: reply.send([])
            case .refused: reply.send(.reply("org.freedesktop.Notifications.InvalidId", "Invalid notification ID"))
            case .announced:
                announce("NotificationClosed", [.uint32(id), .uint32(3)], of: call.sender)
                reply.send([])
            }
            return
        }
        announce("NotificationClosed", [.uint32(id), .uint32(3)], of: standing.sender)
        if profile.closesTwice { announce("NotificationClosed", [.uint32(id), .uint32(2)], of: standing.sender) }
        reply.send([])
    }
}
