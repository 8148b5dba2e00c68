import Belfry
import BelfryServers
import CBelfryPlugin
import Synchronization

/// The host's side of one run of a plug-in, which the plug-in's callbacks reach.
///
/// The plug-in calls from any thread, so everything here is either constant or protected by its own lock.
final class PluginHost: Sendable {
    let name: String
    let calls = PluginCalls()
    private let key: UInt
    private let report: @Sendable (BackendEvent) -> Void
    private let state = Mutex(State())

    private struct State {
        /// The server that was running last, to detect when another one replaces it.
        var server: String?
        /// The plug-in's description of a notification server, and the run of the server that it applies to.
        var described: (instance: String, server: NotificationServer)?
        var lastShowing = LastShowing()
        /// The last error message, which explains a failed start.
        var lastError: String?
    }

    init(name: String, report: @escaping @Sendable (BackendEvent) -> Void) {
        self.name = name
        self.report = report
        key = PluginHosts.newKey()
        PluginHosts.put(self, under: key)
    }

    /// Ends the run: ignores all later callbacks and completes every open call with `outcome`.
    func end(_ outcome: PluginOutcome) {
        PluginHosts.remove(key)
        calls.completeAll(outcome)
    }

    var hasEnded: Bool { PluginHosts.host(under: key) == nil }

    var startupMessage: String? { state.withLock { $0.lastError } }

    /// The delivery adapted to the notification server behind the plug-in; unchanged if no such server is known.
    func adapted(_ delivery: Delivery) throws(NoticeError) -> Delivery {
        guard let described = state.withLock({ $0.described }) else {
            if case .pixels(let pixels) = delivery.content.image { try pixels.check() }
            return delivery
        }
        let replaces = delivery.replaces?.server == described.instance
        var adapted = try delivery.adapted(to: described.server, replacesByNumber: replaces, by: .plugin)
        adapted.lost += delivery.lostSilently(on: described.server, by: .plugin)
        return adapted
    }

    func noteShowing() { state.withLock { $0.lastShowing.note() } }

    /// Waits until the notification server behind the plug-in has drawn recent notices, for servers that require it
    /// before closing one.
    func waitBeforeClosing() async {
        let pause = state.withLock { state in
            state.described.map { state.lastShowing.pause(on: $0.server.known) } ?? .zero
        }
        await LastShowing.wait(for: pause)
    }

    private func describe(_ server: belfry_server) {
        let known = PluginDecoding.notificationServer(server)
        let instance = PluginDecoding.string(server.instance)
        state.withLock { $0.described = known.map { (instance, $0) } }
    }

    func report(_ error: NoticeError) { report(.error(error)) }

    func reportMisbehavior(_ what: String) {
        report(NoticeError(.pluginMisbehaved, "The plug-in '\(name)' \(what). Tell its author."))
    }

    /// Completes a call; fails it at once if the result can't be read, without waiting for the timeout.
    fileprivate func complete(_ token: UInt64, _ pointer: UnsafePointer<belfry_result>?) {
        guard let pointer else { return refuse(token, "completed a call without a result") }
        let size = PluginDecoding.size(of: pointer)
        guard size >= MemoryLayout<belfry_result>.offset(of: \.message) ?? 0 else {
            return refuse(token, "completed a call with a result whose struct_size is \(size)")
        }
        let result = PluginDecoding.whole(pointer)
        var outcome = PluginOutcome(
            status: result.status,
            message: PluginDecoding.string(result.message),
            receipt: result.receipt.map(PluginDecoding.reference),
            lost: PluginDecoding.list(result.lost, count: result.lost_count).map(PluginDecoding.lost)
        )
        if let server = result.server.map(PluginDecoding.whole) {
            outcome.capabilities = PluginDecoding.capabilities(server)
            describe(server)
        }
        guard !calls.complete(token, outcome) else { return }
        reportMisbehavior("completed call \(token), which is not open: it was completed, given up or never made")
    }

    private func refuse(_ token: UInt64, _ what: String) {
        reportMisbehavior(what)
        calls.complete(token, PluginOutcome(status: BELFRY_STATUS_INTERNAL, misbehavior: what))
    }

    fileprivate func handle(_ pointer: UnsafePointer<belfry_event>?) {
        guard let pointer else { return reportMisbehavior("sent an event that is NULL") }
        guard PluginDecoding.size(of: pointer) >= MemoryLayout<belfry_event>.offset(of: \.receipt) ?? 0 else {
            return reportMisbehavior("sent an event whose struct_size has no room for its kind")
        }
        handle(PluginDecoding.whole(pointer))
    }

    private func handle(_ event: belfry_event) {
        let text = PluginDecoding.string(event.text)
        switch event.kind {
        case BELFRY_EVENT_ACTION, BELFRY_EVENT_REPLY:
            guard let receipt = receipt(of: event, "a response") else { return }
            let token = PluginDecoding.string(event.activation_token)
            report(
                .responded(
                    receipt,
                    action: PluginDecoding.string(event.action_identifier),
                    text: event.kind == BELFRY_EVENT_REPLY ? text : nil,
                    activationToken: token.isEmpty ? nil : token
                )
            )
        case BELFRY_EVENT_CLOSED:
            guard let receipt = receipt(of: event, "a closing") else { return }
            report(.closed(receipt, PluginDecoding.closeReason(event)))
        case BELFRY_EVENT_SERVER_GONE:
            let server = state.withLock { state in
                defer { (state.server, state.described) = (nil, nil) }
                return state.server
            }
            report(.serverGone(server: server))
            if !text.isEmpty { report(.error(PluginDecoding.error(event.status, text, plugin: name))) }
        case BELFRY_EVENT_SERVER_CHANGED:
            serverChanged(event)
        case BELFRY_EVENT_LOG where event.log_level >= BELFRY_LOG_WARNING:
            if event.log_level >= BELFRY_LOG_ERROR { state.withLock { $0.lastError = text } }
            report(.error(NoticeError(.backendMessage, text)))
        default: break
        }
    }

    /// Returns the receipt of an event; reports one that is missing or names no notice, and returns nil.
    private func receipt(of event: belfry_event, _ what: String) -> DeliveryReceipt.Reference? {
        guard let receipt = event.receipt.map(PluginDecoding.reference) else {
            reportMisbehavior("sent \(what) without a receipt")
            return nil
        }
        guard receipt.serverID != nil else {
            reportMisbehavior("sent \(what) with a receipt whose server_id is 0")
            return nil
        }
        return receipt
    }

    private func serverChanged(_ event: belfry_event) {
        guard let pointer = event.server else {
            return reportMisbehavior("sent a change of server without the server")
        }
        let server = PluginDecoding.whole(pointer)
        describe(server)
        let instance = PluginDecoding.string(server.instance)
        let before = state.withLock { state in
            defer { state.server = instance }
            return state.server
        }
        if let before, before != instance { report(.serverGone(server: before)) }
        report(.serverCame(server: instance))
    }
}

/// The hosts of all runs, by the key that each plug-in receives as its context.
///
/// The key is a number, not a pointer, so that a plug-in that calls back after `stop`, against its contract, is
/// ignored.
private enum PluginHosts {
    private static let registry = Mutex<(hosts: [UInt: PluginHost], last: UInt)>(([:], 0))

    static func newKey() -> UInt {
        registry.withLock { registry in
            registry.last += 1
            return registry.last
        }
    }

    static func put(_ host: PluginHost, under key: UInt) { registry.withLock { $0.hosts[key] = host } }
    static func remove(_ key: UInt) { registry.withLock { _ = $0.hosts.removeValue(forKey: key) } }

    static func host(under key: UInt) -> PluginHost? { registry.withLock { $0.hosts[key] } }
    static func host(_ context: UnsafeMutableRawPointer?) -> PluginHost? { host(under: UInt(bitPattern: context)) }
}

extension PluginHost {
    /// The table of callbacks.
    func table() -> belfry_host {
        belfry_host(
            struct_size: structSize(of: belfry_host.self),
            abi_minor: BELFRY_PLUGIN_ABI_MINOR,
            context: UnsafeMutableRawPointer(bitPattern: key),
            complete: { context, token, result in
                PluginHosts.host(context)?.complete(token, result)
            },
            event: { context, event in
                PluginHosts.host(context)?.handle(event)
            }
        )
    }
}
