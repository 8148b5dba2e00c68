import CDBus

extension BusCore {
    /// The limits of incoming calls that are handled concurrently.
    enum ReplyLimits {
        /// For one caller.
        static let ofCaller = 128
        /// Reserved for each caller, so that callers that use up the shared room can't lock others out.
        static let ownRoom = 8
        /// For all callers together, beyond the reserved room.
        static let shared = 1_024
        static let callers = 1_024
        /// The bytes of the arguments of one caller's calls, except for its first one.
        static let lengthOfCaller = 128 << 20
    }

    /// Handles a call to one of our objects. Every call gets a reply, unless its caller wants none.
    func receiveCall(_ message: OpaquePointer, from sender: String) {
        let path = dbus_message_get_path(message).map { String(cString: $0) } ?? "/"
        var call = BusIncomingCall(
            sender: sender,
            path: BusObjectPath(verified: path),
            // A call may omit it; then the first interface with such a method is used.
            interface: dbus_message_get_interface(message).map { String(cString: $0) } ?? "",
            method: dbus_message_get_member(message).map { String(cString: $0) } ?? "",
            arguments: [],
            expectsReply: dbus_message_get_no_reply(message) == 0,
            serial: dbus_message_get_serial(message)
        )
        do throws(BusError) {
            call.arguments = try decoder.arguments(of: message)
            if call.interface.isEmpty { call.interface = interface(for: call) }
            try handle(call)
        } catch { sendReply(to: call, .failure(error)) }
    }

    private func interface(for call: BusIncomingCall) -> String {
        let own = objects[call.path, default: [:]].values.sorted { $0.name < $1.name }
        let able = own + standardInterfaces
        return able.first { $0.methods.contains { $0.name == call.method } }?.name ?? ""
    }

    private func handle(_ call: BusIncomingCall) throws(BusError) {
        let method = try method(of: call)
        let wanted = method.takes.map(\.type)
        guard Self.types(of: call.arguments) == wanted else {
            let text = wanted.map(\.text).joined()
            throw BusError.reply(DBUS_ERROR_INVALID_ARGS, "\(call.method) of \(call.interface) takes '\(text)'.")
        }
        switch method.handler {
        case .atOnce(let handler): sendReply(to: call, method, Result { try handler(call) }.mapError(BusError.thrown))
        case .later(let handler): replyLater(call, method, handler)
        case .replying(let handler): handler(call, reply(to: call, of: method))
        }
    }

    private func method(of call: BusIncomingCall) throws(BusError) -> BusMethod {
        // The call named no interface, and no interface of the object has the method.
        if call.interface.isEmpty, objects[call.path] != nil {
            throw BusError.reply(DBUS_ERROR_UNKNOWN_METHOD, "The object at '\(call.path)' has no '\(call.method)'.")
        }
        let interface = try interface(call.interface, at: call.path)
        guard let method = interface.methods.first(where: { $0.name == call.method }) else {
            throw BusError.reply(DBUS_ERROR_UNKNOWN_METHOD, "'\(call.interface)' has no method '\(call.method)'.")
        }
        return method
    }

    func interface(_ name: String, at path: BusObjectPath) throws(BusError) -> BusInterface {
        if let standard = standardInterfaces.first(where: { $0.name == name }) { return standard }
        guard let interfaces = objects[path] else {
            throw BusError.reply(DBUS_ERROR_UNKNOWN_OBJECT, "There is no object at '\(path)'.")
        }
        guard let interface = interfaces[name] else {
            throw BusError.reply(DBUS_ERROR_UNKNOWN_INTERFACE, "The object at '\(path)' has no '\(name)'.")
        }
        return interface
    }

    private static func types(of values: [BusValue]) -> [BusType]? { try? values.map { try $0.type() } }

    private func replyLater(
        _ call: BusIncomingCall,
        _ method: BusMethod,
        _ handler: @escaping @Sendable (BusIncomingCall) async throws -> [BusValue]
    ) {
        let own = runningCounts[call.sender] ?? 0
        let length = call.arguments.reduce(0) { $0 + $1.length }
        guard hasRoom(forCallerWith: own, call.sender, length) else {
            let error = BusError.reply(
                DBUS_ERROR_LIMITS_EXCEEDED,
                "\(runningCalls.count) calls are in progress already, \(own) of them yours: try again later."
            )
            return sendReply(to: call, .failure(error))
        }
        let key = newID()
        let reply = reply(to: call, of: method)
        let task = Task(executorPreference: executor) {
            let result: Result<[BusValue], BusError>
            do { result = .success(try await handler(call)) } catch { result = .failure(.thrown(error)) }
            self.perform { $0.endCall(key) }
            reply.send(result)
        }
        runningCalls[key] = RunningCall(
            sender: call.sender,
            path: call.path,
            interface: call.interface,
            length: length,
            task: task
        )
        runningCounts[call.sender] = own + 1
    }

    private func hasRoom(forCallerWith own: Int, _ sender: String, _ length: Int) -> Bool {
        guard own > 0 else { return runningCounts.count < ReplyLimits.callers }
        let total = runningCalls.values.reduce(length) { $0 + ($1.sender == sender ? $1.length : 0) }
        guard total <= ReplyLimits.lengthOfCaller else { return false }
        guard own >= ReplyLimits.ownRoom else { return true }
        let shared = runningCounts.values.reduce(0) { $0 + max(0, $1 - ReplyLimits.ownRoom) }
        return own < ReplyLimits.ofCaller && shared < ReplyLimits.shared
    }

    private func endCall(_ key: UInt64) {
        // Calls of a lost connection were all removed at once.
        guard let call = runningCalls.removeValue(forKey: key), let count = runningCounts[call.sender] else { return }
        runningCounts[call.sender] = count > 1 ? count - 1 : nil
    }

    /// Cancels the running calls of a removed object; their callers receive an error.
    func cancelReplies(of path: BusObjectPath, _ interfaces: [String]) {
        for call in runningCalls.values where call.path == path && interfaces.contains(call.interface) {
            call.task.cancel()
        }
    }

    /// Replies to a call. Values of other types than the method declares become an error for the caller.
    func sendReply(to call: BusIncomingCall, _ method: BusMethod, _ result: Result<[BusValue], BusError>) {
        let declared = method.returns.map(\.type)
        if case .success(let values) = result, Self.types(of: values) != declared {
            let error = BusError.reply(
                DBUS_ERROR_FAILED,
                "\(call.method) of \(call.interface) returned other types than the declared "
                    + "'\(declared.map(\.text).joined())': report it to the program's author."
            )
            return sendReply(to: call, .failure(error))
        }
        sendReply(to: call, result)
    }

    private func sendReply(to call: BusIncomingCall, _ result: Result<[BusValue], BusError>) {
        guard call.expectsReply else { return }
        var header = WireMessage.Header(kind: DBUS_MESSAGE_TYPE_METHOD_RETURN)
        header.destination = call.sender.isEmpty ? nil : call.sender
        header.replySerial = call.serial
        header.expectsReply = false
        do throws(BusError) {
            let message = try WireMessage.make(header, try result.get(), limit: configuration.messageLimit)
            if let wire, !canSend(message, on: wire) { throw Self.noDescriptors }
            post(message)
        } catch {
            header.kind = DBUS_MESSAGE_TYPE_ERROR
            let name = error.name ?? ""
            header.errorName = BusNameRules.isInterface(name) ? name : DBUS_ERROR_FAILED
            let text = String(error.message.filter { $0 != "\0" }.prefix(4096))
            // Every name is checked, and the text is short and has no NUL. This can only fail for lack of memory, and
            // then the caller's timeout ends the call.
            if let message = try? WireMessage.make(header, [.string(text)], limit: 1 << 20) { post(message) }
        }
    }
}

extension BusError {
    /// Returns the error that the caller receives for an error thrown by a handler.
    fileprivate static func thrown(_ error: any Error) -> BusError {
        error as? BusError ?? .reply(DBUS_ERROR_FAILED, "\(error)")
    }
}

/// A call whose asynchronous handler is running.
struct RunningCall {
    var sender: String
    var path: BusObjectPath
    var interface: String
    /// The bytes of its arguments, which are in memory until it ends.
    var length: Int
    var task: Task<Void, Never>
}

extension BusValue {
    /// The bytes that it takes in memory, roughly.
    fileprivate var length: Int {
        switch self {
        case .string(let text): text.utf8.count
        case .bytes(let bytes): bytes.count
        case .variant(let value): value.length
        case .array(_, let values), .structure(let values): values.reduce(16) { $0 + $1.length }
        case .dictionary(_, _, let entries): entries.reduce(16) { $0 + $1.key.length + $1.value.length }
        default: 16
        }
    }
}
