internal import CDBus

extension BusCore {
    /// Calls that are answered at a time.
    enum AnsweringLimits {
        /// Of one caller.
        static let ofCaller = 128
        /// Of each caller these have room of their own, so that callers who take all that is shared shut nobody out.
        static let ownRoom = 8
        /// Of all callers, beyond what each has of its own.
        static let shared = 1_024
        static let callers = 1_024
    }

    /// A call to one of our objects. Every one is answered, unless its caller wants no answer.
    func receiveCall(_ message: OpaquePointer, from sender: String) {
        let path = dbus_message_get_path(message).map { String(cString: $0) } ?? "/"
        var call = BusIncomingCall(
            sender: sender,
            path: BusObjectPath(verified: path),
            // A call may leave it out; then the first interface with such a method is meant.
            interface: dbus_message_get_interface(message).map { String(cString: $0) } ?? "",
            method: dbus_message_get_member(message).map { String(cString: $0) } ?? "",
            arguments: [],
            expectsReply: dbus_message_get_no_reply(message) == 0,
            serial: dbus_message_get_serial(message)
        )
        do {
            call.arguments = try decoder.arguments(of: message)
            if call.interface.isEmpty { call.interface = interface(for: call) }
            if StandardInterfaces.all.contains(call.interface) {
                answer(call, try standardAnswer(to: call))
            } else {
                try handle(call)
            }
        } catch { answer(call, failure: error) }
    }

    private func interface(for call: BusIncomingCall) -> String {
        switch call.method {
        case "Introspect": StandardInterfaces.introspectable
        case "Ping", "GetMachineId": StandardInterfaces.peer
        default:
            objects[call.path]?.values.filter { $0.methods.contains { $0.name == call.method } }.map(\.name).min() ?? ""
        }
    }

    private func handle(_ call: BusIncomingCall) throws(BusError) {
        let method = try method(of: call)
        let wanted = method.takes.map(\.type)
        guard Self.types(of: call.arguments) == wanted else {
            let text = wanted.map(\.text).joined()
            throw BusError.answer(.invalidArgs, "\(call.method) of \(call.interface) takes '\(text)'.")
        }
        switch method.handler {
        case .atOnce(let handler):
            do { answer(call, try Self.checked(handler(call), method, call)) } catch { answer(call, failure: error) }
        case .later(let handler): answerLater(call, method, handler)
        case .replying(let handler): handler(call, reply(to: call, of: method))
        }
    }

    private func method(of call: BusIncomingCall) throws(BusError) -> BusMethod {
        // Without an interface, every interface of the object was asked for the method.
        if call.interface.isEmpty, objects[call.path] != nil {
            throw BusError.answer(.unknownMethod, "The object at '\(call.path)' has no '\(call.method)'.")
        }
        let interface = try interface(call.interface, at: call.path)
        guard let method = interface.methods.first(where: { $0.name == call.method }) else {
            throw BusError.answer(.unknownMethod, "'\(call.interface)' has no method '\(call.method)'.")
        }
        return method
    }

    func interface(_ name: String, at path: BusObjectPath) throws(BusError) -> BusInterface {
        guard let interfaces = objects[path] else {
            throw BusError.answer(.unknownObject, "There is no object at '\(path)'.")
        }
        guard let interface = interfaces[name] else {
            throw BusError.answer(.unknownInterface, "The object at '\(path)' has no '\(name)'.")
        }
        return interface
    }

    private static func types(of values: [BusValue]) -> [BusType]? { try? values.map { try $0.type() } }

    static func checked(
        _ values: [BusValue],
        _ method: BusMethod,
        _ call: BusIncomingCall
    ) throws(BusError) -> [BusValue] {
        let declared = method.returns.map(\.type)
        guard types(of: values) == declared else {
            throw BusError.answer(
                .failed,
                "\(call.method) of \(call.interface) was answered with other types than the declared "
                    + "'\(declared.map(\.text).joined())': tell the program's author."
            )
        }
        return values
    }

    private func answerLater(
        _ call: BusIncomingCall,
        _ method: BusMethod,
        _ handler: @escaping @Sendable (BusIncomingCall) async throws -> [BusValue]
    ) {
        let own = answeringCounts[call.sender] ?? 0
        guard hasRoom(forCallerWith: own) else {
            return answer(
                call,
                failure: BusError.answer(
                    .limitsExceeded,
                    "\(answering.count) calls are being answered already, \(own) of them yours: try again later."
                )
            )
        }
        let key = newKey()
        let generation = generation
        let task = Task(executorPreference: executor) {
            let result: Result<[BusValue], any Error>
            do { result = .success(try Self.checked(try await handler(call), method, call)) } catch {
                result = .failure(error)
            }
            self.perform { core in
                core.endAnswering(key)
                // The caller's name and serial number belong to a bus that is gone.
                guard generation == core.generation else { return }
                switch result {
                case .success(let values): core.answer(call, values)
                case .failure(let error): core.answer(call, failure: error)
                }
            }
        }
        answering[key] = AnsweringCall(sender: call.sender, path: call.path, interface: call.interface, task: task)
        answeringCounts[call.sender] = own + 1
    }

    private func hasRoom(forCallerWith own: Int) -> Bool {
        guard own > 0 else { return answeringCounts.count < AnsweringLimits.callers }
        guard own >= AnsweringLimits.ownRoom else { return true }
        let shared = answeringCounts.values.reduce(0) { $0 + max(0, $1 - AnsweringLimits.ownRoom) }
        return own < AnsweringLimits.ofCaller && shared < AnsweringLimits.shared
    }

    private func endAnswering(_ key: UInt64) {
        // Those of a lost connection are forgotten all at once.
        guard let call = answering.removeValue(forKey: key), let count = answeringCounts[call.sender] else { return }
        answeringCounts[call.sender] = count > 1 ? count - 1 : nil
    }

    /// The object is gone: what it was still answering is given up, and its callers hear an error.
    func cancelAnswers(of path: BusObjectPath, _ interfaces: [String]) {
        for call in answering.values where call.path == path && interfaces.contains(call.interface) {
            call.task.cancel()
        }
    }

    func answer(_ call: BusIncomingCall, _ values: [BusValue]) {
        guard call.expectsReply else { return }
        do throws(BusError) {
            var header = WireMessage.Header(kind: BusMessageKind.methodReturn)
            header.destination = call.sender.isEmpty ? nil : call.sender
            header.replySerial = call.serial
            header.expectsReply = false
            post(try WireMessage.make(header, values, limit: configuration.messageLimit))
        } catch { answer(call, failure: error) }
    }

    func answer(_ call: BusIncomingCall, failure: any Error) {
        guard call.expectsReply else { return }
        let error = failure as? BusError
        var header = WireMessage.Header(kind: BusMessageKind.error)
        header.destination = call.sender.isEmpty ? nil : call.sender
        header.replySerial = call.serial
        header.expectsReply = false
        let name = error?.name ?? ""
        header.errorName = BusNameRules.isInterface(name) ? name : BusError.Standard.failed.name
        let text = (error?.message ?? "\(failure)").filter { $0 != "\0" }
        // Every name is checked and the text short and without NUL: this can only fail for want of memory, and then the
        // caller's time limit tells.
        guard let message = try? WireMessage.make(header, [.string(String(text.prefix(4096)))], limit: 1 << 20) else {
            return
        }
        post(message)
    }
}

/// A call whose answer is being made.
struct AnsweringCall {
    var sender: String
    var path: BusObjectPath
    var interface: String
    var task: Task<Void, Never>
}
