public import Belfry
package import CBelfryPlugin
import Dispatch
import Synchronization

/// A delivery backend written in C against `belfry_plugin.h`.
///
/// ``run(reporting:)`` starts the plug-in, and stops it when the run ends. The host has a timeout for every call, in
/// addition to the plug-in's own. A plug-in that never completes a call fails that call alone, and the error names it.
public final class PluginBackend: NonblockingBackend {
    /// The host's timeouts for a plug-in.
    public struct Timeouts: Sendable, Hashable {
        /// The timeout of one call. It exceeds the plug-in's own of about 4 s, whose error is then reported.
        public var call: Duration
        /// The timeout that the plug-in is asked to keep for each call; nil for its own default.
        public var pluginCall: Duration?
        /// The timeout for the plug-in's start, and for a call that waits for that start.
        public var start: Duration
        /// How long the end of a run waits for the plug-in to stop. One that doesn't stop is abandoned and reported.
        public var stop: Duration

        /// Creates timeouts. The defaults suit a plug-in that talks to a desktop.
        public init(
            call: Duration = .seconds(10),
            pluginCall: Duration? = nil,
            start: Duration = .seconds(5),
            stop: Duration = .seconds(5)
        ) {
            self.call = call
            self.pluginCall = pluginCall
            self.start = start
            self.stop = stop
        }
    }

    public let name: String
    private let descriptor: PluginDescriptor
    private let app: AppIdentity
    private let timeouts: Timeouts
    private let settings: [String: String]
    /// The queue on which every call into the plug-in is made, in order. A plug-in that blocks, against its contract,
    /// delays only itself.
    private let calls = DispatchQueue(label: "belfry.plugin")
    private let run = AwaitedState(Run())

    private struct Run {
        var instance: PluginInstance?
        var host: PluginHost?
    }

    /// Creates a backend. `descriptor` must stay valid for the life of the process; `settings` are the plug-in's own.
    /// Throws ``NoticeError/Code/unsupported``, permanent, for another major version of the ABI.
    package init(
        descriptor: UnsafePointer<belfry_plugin_descriptor>,
        app: AppIdentity,
        timeouts: Timeouts = Timeouts(),
        settings: [String: String] = [:]
    ) throws(NoticeError) {
        self.descriptor = try PluginDescriptor(descriptor)
        name = self.descriptor.name
        self.app = app
        self.timeouts = timeouts
        self.settings = settings
    }

    public func capabilities() async throws(NoticeError) -> DeliveryCapabilities {
        let outcome = try await call("say what it can show") { descriptor, instance, _, token in
            descriptor.capabilities(instance, token)
        }
        guard let capabilities = outcome.capabilities else { throw misbehaved("answered without a server") }
        return capabilities
    }

    public func deliver(_ delivery: Delivery) async throws(NoticeError) -> DeliveryReceipt {
        let delivery = try adapted(delivery)
        let replaced = delivery.replaces.map(DeliveryReceipt.Reference.init)
        let late: PluginCalls.Handler = { [weak self] outcome in
            guard outcome.status == BELFRY_STATUS_OK, let receipt = outcome.receipt else { return }
            // A notice that replaced another keeps its receipt, which the caller knows, so it is not withdrawn.
            if receipt != replaced { self?.takeBack(receipt) }
        }
        let outcome = try await call("deliver '\(delivery.requestID)'", late: late) { descriptor, instance, _, token in
            let arena = PluginArena()
            withExtendedLifetime(arena) {
                var notice = PluginEncoding(arena: arena).notice(delivery)
                descriptor.deliver(instance, token, &notice)
            }
        }
        guard let receipt = outcome.receipt else { throw misbehaved("delivered without a receipt") }
        run.withLock { $0.host }?.noteShowing()
        // The host has already reported these, although it still passes them to the plug-in. Don't report them twice.
        let reported = Set(delivery.lost.map(\.feature)).intersection([.sound, .progress, .body])
        let lost = outcome.lost.filter { !reported.contains($0.feature) }
        return DeliveryReceipt(
            backend: name,
            handle: receipt.handle,
            server: receipt.server,
            lost: delivery.lost + lost
        )
    }

    public func preview(_ delivery: Delivery) async throws(NoticeError) -> Delivery.Preview {
        // Ask for the capabilities first: the reply describes the server.
        let server = try await capabilities().server
        return Delivery.Preview(
            content: delivery.content,
            backend: name,
            server: server,
            lost: try adapted(delivery).lost
        )
    }

    private func adapted(_ delivery: Delivery) throws(NoticeError) -> Delivery {
        guard let host = run.withLock({ $0.host }) else { return delivery }
        return try host.adapted(delivery)
    }

    public func withdraw(_ receipt: DeliveryReceipt) async throws(NoticeError) {
        await run.withLock { $0.host }?.waitBeforeClosing()
        _ = try await call("withdraw \(receipt.handle)", Self.withdrawal(of: DeliveryReceipt.Reference(receipt)))
    }

    public func run(reporting report: @escaping @Sendable (BackendEvent) -> Void) async throws(NoticeError) {
        let host = PluginHost(name: name, report: report)
        guard let instance = try await start(host) else { return }
        run.withLock { run in
            run.instance = instance
            run.host = host
        }
        await untilCancelled()
        run.withLock { run in
            run.instance = nil
            run.host = nil
        }
        await stop(instance, host)
        host.end(
            PluginOutcome(
                status: BELFRY_STATUS_STOPPED,
                message: "The plug-in '\(name)' was stopped.",
                lost: []
            )
        )
    }

    // MARK: One run

    private enum Start: Sendable {
        case returned(belfry_status, PluginInstance?)
        case late, cancelled
    }

    /// Starts the plug-in. Returns nil if the task was cancelled first.
    private func start(_ host: PluginHost) async throws(NoticeError) -> PluginInstance? {
        let start = AwaitedValue<Start>()
        calls.async {
            // A start that waited behind a blocked start of an earlier run may have been abandoned.
            guard !host.hasEnded else { return }
            let (status, instance) = self.makeInstance(for: host)
            guard !start.give(.returned(status, instance)), let instance else { return }
            // The start returned after its caller had stopped waiting.
            self.descriptor.stop(instance)
            self.descriptor.destroy(instance)
        }
        let end = await start.value(within: timeouts.start, late: .late, cancelled: .cancelled)
        if case .returned(BELFRY_STATUS_OK, let instance?) = end { return instance }
        host.end(PluginOutcome(status: BELFRY_STATUS_STOPPED, message: "", lost: []))
        switch end {
        case .cancelled:
            await drain(host)
            return nil
        case .late: throw misbehaved("has not started within \(timeouts.start.seconds) s and was left behind")
        case .returned(BELFRY_STATUS_OK, _): throw misbehaved("started without an instance")
        case .returned(let status, _):
            let reason = host.startupMessage ?? "it doesn't say why"
            throw PluginDecoding.error(
                status,
                "The plug-in '\(name)' could not be started: \(reason)",
                plugin: name
            )
        }
    }

    /// Waits for a start in progress and the stop that follows it. A plug-in that supports only one instance could not
    /// be started again before that.
    private func drain(_ host: PluginHost) async {
        let token = host.calls.begin()
        calls.async {
            _ = host.calls.complete(token, PluginOutcome(status: BELFRY_STATUS_OK, message: "", lost: []))
        }
        _ = await host.calls.outcome(of: token, within: timeouts.stop)
    }

    private func makeInstance(for host: PluginHost) -> (belfry_status, PluginInstance?) {
        let arena = PluginArena()
        var table = host.table()
        var options = belfry_start_options()
        options.struct_size = structSize(of: belfry_start_options.self)
        options.app_name = arena.string(app.name)
        options.desktop_entry = arena.string(app.id)
        options.call_timeout_ms = timeouts.pluginCall.map { UInt32(clamping: Int64($0.seconds * 1_000)) } ?? 0
        options.settings = arena.list(PluginEncoding(arena: arena).settings(settings))
        options.setting_count = settings.count
        return withExtendedLifetime(arena) { descriptor.start(&table, &options) }
    }

    /// Stops the plug-in after all earlier calls in its queue. Abandons and reports a plug-in that doesn't return.
    private func stop(_ instance: PluginInstance, _ host: PluginHost) async {
        let token = host.calls.begin()
        calls.async { [descriptor] in
            descriptor.stop(instance)
            descriptor.destroy(instance)
            _ = host.calls.complete(token, PluginOutcome(status: BELFRY_STATUS_OK, message: "", lost: []))
        }
        if await host.calls.outcome(of: token, within: timeouts.stop) == nil {
            host.reportMisbehaviour("has not stopped within \(timeouts.stop.seconds) s and was left behind")
        }
    }

    private typealias Making = @Sendable (PluginDescriptor, PluginInstance, PluginHost, UInt64) -> Void

    /// - Parameter late: Receives an outcome that comes after the timeout.
    private func call(
        _ what: String,
        late: PluginCalls.Handler? = nil,
        _ make: @escaping Making
    ) async throws(NoticeError) -> PluginOutcome {
        guard await isStarted() else {
            throw NoticeError(
                .backendStopped,
                "The plug-in '\(name)' is not running: run the center before it can \(what)."
            )
        }
        guard let begun = queue(make, { $0.calls.begin(late: late) }) else {
            throw NoticeError(.backendStopped, "The plug-in '\(name)' was stopped.")
        }
        guard let outcome = await begun.host.calls.outcome(of: begun.token, within: timeouts.call) else {
            throw NoticeError(
                .serverTimedOut,
                "The plug-in '\(name)' did not \(what) within \(timeouts.call.seconds) s."
            )
        }
        if let breach = outcome.breach { throw misbehaved(breach) }
        guard outcome.status == BELFRY_STATUS_OK else {
            throw PluginDecoding.error(outcome.status, outcome.message, plugin: name)
        }
        return outcome
    }

    /// Queues a call; returns nil if no plug-in is running. Queues under the lock, so that no call can follow `stop`.
    private func queue(_ make: @escaping Making, _ begin: (PluginHost) -> UInt64) -> (host: PluginHost, token: UInt64)?
    {
        run.withLock { run in
            guard let instance = run.instance, let host = run.host else { return nil }
            let token = begin(host)
            calls.async { [descriptor] in
                if host.calls.isWanted(token) { make(descriptor, instance, host, token) }
            }
            return (host, token)
        }
    }

    private static func withdrawal(of receipt: DeliveryReceipt.Reference) -> Making {
        { descriptor, instance, host, token in
            let arena = PluginArena()
            withExtendedLifetime(arena) {
                guard var encoded = PluginEncoding(arena: arena).receipt(receipt) else {
                    // The handle is not a plug-in's, so the notice can't be on the screen.
                    let done = PluginOutcome(status: BELFRY_STATUS_OK, message: "", lost: [])
                    _ = host.calls.complete(token, done)
                    return
                }
                descriptor.withdraw(instance, token, &encoded)
            }
        }
    }

    /// Withdraws a notice that was shown after its delivery had timed out: the caller may have tried again.
    private func takeBack(_ receipt: DeliveryReceipt.Reference) {
        // If no plug-in is running, the notice stays, like all notices that are on the screen at `stop`.
        _ = queue(Self.withdrawal(of: receipt)) { host in
            host.calls.beginUnattended { outcome in
                guard outcome.status != BELFRY_STATUS_OK else { return }
                host.report(PluginDecoding.error(outcome.status, outcome.message, plugin: host.name))
            }
        }
    }

    private func misbehaved(_ what: String) -> NoticeError {
        NoticeError(.pluginMisbehaved, "The plug-in '\(name)' \(what). Tell its author.")
    }

    /// Waits up to the start timeout until the plug-in runs: a center starts its backend and its deliveries at the same
    /// time.
    private func isStarted() async -> Bool {
        await run.waitUnlessCancelled(within: timeouts.start) { $0.instance != nil }
    }
}
