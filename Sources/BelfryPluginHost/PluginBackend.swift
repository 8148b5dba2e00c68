public import Belfry
package import CBelfryPlugin
import Dispatch
import Synchronization

/// A delivery backend written in C against `belfry_plugin.h`.
///
/// ``run(reporting:)`` starts the plug-in, and stops it when the run ends. The host has a timeout for every call, in
/// addition to the plug-in's own. A plug-in that never completes a call fails that call alone, and the error names it.
///
/// ```swift
/// let libnotify = try PluginBackend(loading: "libbelfry-libnotify", for: app)
/// let center = NoticeCenter(app: app, backend: libnotify)
/// ```
public final class PluginBackend: DeliveryBackend {
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
    public var mayBlock: Bool { false }
    private let descriptor: PluginDescriptor
    private let app: AppIdentity
    private let timeouts: Timeouts
    private let settings: [String: String]
    /// The queue on which every call into the plug-in is made, in order. A plug-in that blocks, against its contract,
    /// delays only itself.
    private let queue = DispatchQueue(label: "belfry.plugin")
    private let run = AwaitedState<Run?>(nil)
    /// Whether a run has begun, which includes its start and its stop.
    private let isTaken = Atomic(false)

    private struct Run {
        let instance: PluginInstance
        let host: PluginHost
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
        self.app = app.cleaned()
        self.timeouts = timeouts
        self.settings = settings
    }

    public func capabilities() async throws(NoticeError) -> DeliveryCapabilities {
        let outcome = try await call("report its capabilities") { $0.capabilities($1) }
        guard let capabilities = outcome.capabilities else {
            throw misbehaved("reported capabilities without a server")
        }
        return capabilities
    }

    public func deliver(_ delivery: Delivery) async throws(NoticeError) -> DeliveryReceipt {
        let delivery = try adapted(delivery)
        let replaced = delivery.replaces.map(DeliveryReceipt.Reference.init)
        let late: @Sendable (PluginOutcome) -> Void = { [weak self] outcome in
            guard outcome.status == BELFRY_STATUS_OK, let receipt = outcome.receipt else { return }
            // A notice that replaced another keeps its receipt, which the caller knows, so it is not withdrawn.
            if receipt != replaced { self?.takeBack(receipt) }
        }
        let outcome = try await call("deliver '\(delivery.requestID)'", late: late) { $0.deliver($1, delivery) }
        guard let receipt = outcome.receipt else { throw misbehaved("delivered without a receipt") }
        // The notice could never be withdrawn.
        guard receipt.serverID != nil else { throw misbehaved("delivered with a receipt whose server_id is 0") }
        host?.noteShowing()
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
        return preview(of: delivery, on: server, lost: try adapted(delivery).lost)
    }

    public func withdraw(_ receipt: DeliveryReceipt) async throws(NoticeError) {
        await host?.waitBeforeClosing()
        let receipt = DeliveryReceipt.Reference(receipt)
        // A handle that is not a plug-in's can't be on the screen.
        guard receipt.serverID != nil else { return }
        _ = try await call("withdraw \(receipt.handle)") { $0.withdraw($1, receipt) }
    }

    public func run(reporting report: @escaping @Sendable (BackendEvent) -> Void) async throws(NoticeError) {
        guard !isTaken.exchange(true, ordering: .acquiring) else {
            throw NoticeError(.unsupported, "This backend is running already: make one for each center.")
        }
        defer { isTaken.store(false, ordering: .releasing) }
        let host = PluginHost(name: name, report: report)
        guard let instance = try await start(host) else { return }
        run.withLock { $0 = Run(instance: instance, host: host) }
        await untilCancelled()
        run.withLock { $0 = nil }
        // A plug-in that doesn't return from its stop is abandoned.
        if await withTimeout(timeouts.stop, { await self.queue.perform { instance.end() } }) == nil {
            host.reportMisbehavior("has not stopped within \(timeouts.stop.seconds) s and was left behind")
        }
        host.end(stopped)
    }

    // MARK: One run

    private var host: PluginHost? { run.withLock { $0?.host } }

    private var stopped: PluginOutcome {
        PluginOutcome(status: BELFRY_STATUS_STOPPED, message: "The plug-in '\(name)' was stopped.")
    }

    private func adapted(_ delivery: Delivery) throws(NoticeError) -> Delivery {
        try host?.adapted(delivery) ?? delivery
    }

    private enum Start: Sendable {
        case returned(belfry_status, PluginInstance?)
        case late, cancelled
    }

    /// Starts the plug-in. Returns nil if the task was canceled first.
    private func start(_ host: PluginHost) async throws(NoticeError) -> PluginInstance? {
        let start = AwaitedValue<Start>()
        queue.async {
            // A start that waited behind a blocked start of an earlier run may have been abandoned.
            guard !host.hasEnded else { return }
            let (status, instance) = self.makeInstance(for: host)
            // If false, the start returned after its caller had stopped waiting.
            if !start.give(.returned(status, instance)) { instance?.end() }
        }
        let end = await start.value(within: timeouts.start, late: .late, cancelled: .cancelled)
        if case .returned(BELFRY_STATUS_OK, let instance?) = end { return instance }
        host.end(stopped)
        switch end {
        case .cancelled:
            // Waits for a start in progress and the stop that follows it. A plug-in that supports only one instance
            // could not be started again before that.
            _ = await withTimeout(timeouts.stop) { await self.queue.perform {} }
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

    private func makeInstance(for host: PluginHost) -> (belfry_status, PluginInstance?) {
        withExtendedLifetime(PluginArena()) { arena in
            var options = belfry_start_options()
            options.struct_size = structSize(of: belfry_start_options.self)
            options.app_name = arena.string(app.name)
            options.desktop_entry = arena.string(app.id)
            options.call_timeout_ms = timeouts.pluginCall.map { UInt32(min(max($0.seconds * 1_000, 1), 4e9)) } ?? 0
            options.settings = arena.list(arena.settings(settings))
            options.setting_count = settings.count
            return descriptor.start(host.table(), &options)
        }
    }

    // MARK: Calls

    private typealias Making = @Sendable (PluginInstance, _ token: UInt64) -> Void

    /// - Parameter late: Receives an outcome that comes after the timeout.
    private func call(
        _ what: String,
        late: (@Sendable (PluginOutcome) -> Void)? = nil,
        _ make: @escaping Making
    ) async throws(NoticeError) -> PluginOutcome {
        // A center starts its backend and its deliveries at the same time.
        guard await run.waitUnlessCancelled(within: timeouts.start, until: { $0 != nil }) else {
            throw NoticeError(
                .backendStopped,
                "The plug-in '\(name)' is not running: run the center before it can \(what)."
            )
        }
        guard let outcome = await withTimeout(timeouts.call, late: late, { await self.outcome(of: make) }) else {
            throw NoticeError(
                .serverTimedOut,
                "The plug-in '\(name)' did not \(what) within \(timeouts.call.seconds) s."
            )
        }
        if let misbehavior = outcome.misbehavior { throw misbehaved(misbehavior) }
        guard outcome.status == BELFRY_STATUS_OK else {
            throw PluginDecoding.error(outcome.status, outcome.message, plugin: name)
        }
        return outcome
    }

    /// Queues a call and returns its outcome.
    private func outcome(of make: @escaping Making) async -> PluginOutcome {
        guard let run = run.current else { return stopped }
        let calls = run.host.calls
        return await calls.outcome { token in
            // Queued under the lock, so that no call can follow `stop`.
            let isQueued = self.run.withLock { current in
                guard current?.host === run.host else { return false }
                queue.async { [stopped] in
                    if calls.isWanted(token) { make(run.instance, token) } else { calls.complete(token, stopped) }
                }
                return true
            }
            if !isQueued { calls.complete(token, stopped) }
        }
    }

    /// Withdraws a notice that was shown after its delivery had timed out: the caller may have tried again.
    private func takeBack(_ receipt: DeliveryReceipt.Reference) {
        guard receipt.serverID != nil, let host else { return }
        host.noteShowing()
        // Immediate: a delivery that follows must not come first, unless the server has to draw the notice.
        Task.immediate(executorPreference: CenterThread.shared) {
            await host.waitBeforeClosing()
            let outcome = await outcome { $0.withdraw($1, receipt) }
            // If no plug-in is running, the notice stays, like all notices that are on the screen at `stop`.
            guard outcome.status != BELFRY_STATUS_OK, outcome.status != BELFRY_STATUS_STOPPED else { return }
            host.report(PluginDecoding.error(outcome.status, outcome.message, plugin: name))
        }
    }

    private func misbehaved(_ what: String) -> NoticeError {
        NoticeError(.pluginMisbehaved, "The plug-in '\(name)' \(what). Tell its author.")
    }
}
