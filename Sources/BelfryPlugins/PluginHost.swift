import Belfry
import CBelfryPlugin
import Synchronization

/// The host's side of one run of a plug-in: what its callbacks reach.
///
/// The plug-in calls from any thread; everything here is either constant or behind a lock of its own.
final class PluginHost: Sendable {
    let name: String
    let calls = PluginCalls()
    private let report: @Sendable (BackendEvent) -> Void
    /// Which server was there last, so that another one in its place is noticed.
    private let server = Mutex<String?>(nil)

    init(name: String, report: @escaping @Sendable (BackendEvent) -> Void) {
        self.name = name
        self.report = report
    }

    func complete(_ token: UInt64, _ result: belfry_result) {
        let lost = PluginDecoding.list(result.lost, count: result.lost_count, empty: belfry_loss())
        var outcome = PluginOutcome(
            status: result.status, message: PluginDecoding.string(result.message),
            lost: lost.map(PluginDecoding.lost))
        if let receipt = result.receipt {
            outcome.receipt = PluginDecoding.reference(PluginDecoding.whole(receipt, empty: belfry_receipt()))
        }
        if let server = result.server {
            outcome.capabilities = PluginDecoding.capabilities(PluginDecoding.whole(server, empty: belfry_server()))
        }
        guard !calls.complete(token, outcome) else { return }
        report(
            .problem(
                NoticeError(
                    .pluginMisbehaved,
                    "The plug-in '\(name)' completed call \(token), which is not open: it was completed, given up or "
                        + "never made. Tell the plug-in's author.")))
    }

    func handle(_ event: belfry_event) {
        let receipt = event.receipt.map {
            PluginDecoding.reference(PluginDecoding.whole($0, empty: belfry_receipt()))
        }
        let text = PluginDecoding.string(event.text)
        switch event.kind {
        case BELFRY_EVENT_ACTION, BELFRY_EVENT_REPLY:
            guard let receipt else { return incomplete("an answer without a receipt") }
            let token = PluginDecoding.string(event.activation_token)
            report(
                .answered(
                    receipt, action: PluginDecoding.string(event.action_identifier),
                    text: event.kind == BELFRY_EVENT_REPLY ? text : nil, activationToken: token.isEmpty ? nil : token))
        case BELFRY_EVENT_CLOSED:
            guard let receipt else { return incomplete("a closing without a receipt") }
            report(.closed(receipt, PluginDecoding.closeReason(event)))
        case BELFRY_EVENT_SERVER_GONE:
            server.withLock { $0 = nil }
            report(.serverGone(server: nil))
            if !text.isEmpty { report(.problem(PluginDecoding.error(event.status, text, plugin: name))) }
        case BELFRY_EVENT_SERVER_CHANGED:
            serverChanged(event)
        case BELFRY_EVENT_LOG where event.log_level >= BELFRY_LOG_WARNING:
            report(.problem(NoticeError(.backendMessage, text)))
        default: break
        }
    }

    private func serverChanged(_ event: belfry_event) {
        guard let pointer = event.server else { return incomplete("a change of server without the server") }
        let instance = PluginDecoding.string(PluginDecoding.whole(pointer, empty: belfry_server()).instance)
        let before = server.withLock { server in
            defer { server = instance }
            return server
        }
        if let before, before != instance { report(.serverGone(server: before)) }
        report(.serverCame(server: instance))
    }

    private func incomplete(_ what: String) {
        report(.problem(NoticeError(.pluginMisbehaved, "The plug-in '\(name)' sent \(what). Tell its author.")))
    }
}

extension PluginHost {
    /// The table of callbacks. `context` is this object, unretained: whoever starts a plug-in keeps it until `stop` has
    /// returned.
    func table() -> belfry_host {
        belfry_host(
            struct_size: structSize(of: belfry_host.self), abi_minor: BELFRY_PLUGIN_ABI_MINOR,
            context: Unmanaged.passUnretained(self).toOpaque(),
            complete: { context, token, result in
                guard let context, let result else { return }
                Unmanaged<PluginHost>.fromOpaque(context).takeUnretainedValue()
                    .complete(token, PluginDecoding.whole(result, empty: belfry_result()))
            },
            event: { context, event in
                guard let context, let event else { return }
                Unmanaged<PluginHost>.fromOpaque(context).takeUnretainedValue()
                    .handle(PluginDecoding.whole(event, empty: belfry_event()))
            })
    }
}
