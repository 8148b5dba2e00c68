import Belfry
import BelfryBus
import FoundationEssentials

/// Support for the app's own trigger kinds, which the agent can't compute.
extension AgentEngine {
    /// Returns the request in the form that the agent stores.
    func forwarded(_ request: NoticeRequest) throws(NoticeError) -> NoticeRequest {
        guard let trigger = request.trigger, !TriggerRegistry.standard.contains(type(of: trigger).kind) else {
            return request
        }
        try trigger.validate()
        var request = request
        switch trigger {
        case let trigger as any ElapsedTimeTrigger where mayForward:
            request.trigger = ForwardedIntervalTrigger(
                repeats: trigger.repeats,
                original: try stored(request),
                interval: trigger.interval,
                startsNow: trigger.startsNow,
                count: trigger.count
            )
        case let trigger as any WallClockTrigger where mayForward:
            let original = try stored(request)
            let total = trigger.repeats ? trigger.count : 1
            let dates = trigger.nextDates(
                min(datesAhead, total ?? datesAhead),
                after: options.clock.now().date,
                in: context
            )
            guard !dates.isEmpty else {
                throw NoticeError(.neverFires, "The trigger of '\(request.id)' has no date after now: give it one.")
            }
            request.trigger = ForwardedDatesTrigger(
                repeats: trigger.repeats,
                original: original,
                dates: dates,
                beyond: total.map { $0 - dates.count }
            )
            state.withLock { $0.forwards = true }
        default:
            throw NoticeError(
                .needsEmbeddedEngine,
                "The trigger kind '\(type(of: trigger).kind.rawValue)' of '\(request.id)' needs this app's code when it is "
                    + "due: use a center in this process, or AgentOptions.customTriggers = .storeDates(64)."
            )
        }
        return request
    }

    /// Returns the request as the app added it.
    func original(_ request: NoticeRequest) -> NoticeRequest {
        let stored: JSONValue
        switch request.trigger {
        case let trigger as ForwardedDatesTrigger: stored = trigger.original
        case let trigger as ForwardedIntervalTrigger: stored = trigger.original
        default: return request
        }
        // A trigger kind that this run of the app has not registered stays in the agent's form.
        guard let text = try? coding.text(stored), let read = try? coding.value(NoticeRequest.self, text),
            !(read.trigger is TriggerRegistry.UnknownTrigger)
        else { return request }
        var request = request
        request.trigger = read.trigger
        return request
    }

    /// Computes further dates for triggers that have used up half of their stored dates.
    ///
    /// One renewal runs at a time, since each lists all that is pending. If it is called meanwhile, it returns at once,
    /// and the running renewal is followed by another one.
    func renew() async {
        guard case .storeDates = options.customTriggers, options.triggers.hasOwnKinds else { return }
        guard state.withLock({ $0.renewal.request() }) else { return }
        repeat { await renewOnce() } while state.withLock { $0.renewal.mustRepeat() }
        await registerChanges()
    }

    private func renewOnce() async {
        do throws(NoticeError) {
            let notices: [PendingNotice] = try await list("Pending")
            // After its last firing a notice is listed until it is on the screen.
            let forwarded = notices.filter { notice in
                notice.request.trigger is ForwardedDatesTrigger && notice.states.contains { $0.kind == .pending }
            }
            state.withLock { $0.forwards = !forwarded.isEmpty }
            for notice in forwarded {
                guard let trigger = renewed(notice) else { continue }
                try await send("Renew", .string(notice.id), .string(try coding.text(trigger)))
            }
        } catch { eventBroadcast.send(.error(error)) }
    }

    private func renewed(_ notice: PendingNotice) -> ForwardedDatesTrigger? {
        guard var forwarded = notice.request.trigger as? ForwardedDatesTrigger, forwarded.beyond ?? 1 > 0,
            let trigger = original(notice.request).trigger as? any WallClockTrigger
        else { return nil }
        let now = options.clock.now().date
        let left = forwarded.dates.filter { $0 > now }
        guard left.count <= datesAhead / 2 else { return nil }
        let most = min(datesAhead - left.count, forwarded.beyond ?? .max)
        let more = trigger.nextDates(most, after: left.last ?? now, in: context)
        guard !more.isEmpty else { return nil }
        // Dates that have just passed stay: they may not have fired yet.
        forwarded.dates = (forwarded.dates + more).suffix(2 * datesAhead)
        forwarded.beyond = forwarded.beyond.map { $0 - more.count }
        return forwarded
    }

    private var mayForward: Bool { datesAhead > 0 }

    private var datesAhead: Int {
        guard case .storeDates(let count) = options.customTriggers else { return 0 }
        return min(max(count, 0), 10_000)
    }

    private var context: TriggerContext { TriggerContext(zone: options.clock.systemZone()) }

    private func stored(_ request: NoticeRequest) throws(NoticeError) -> JSONValue {
        try coding.value(
            JSONValue.self,
            try coding.text(NoticeRequest(id: request.id, title: "-", trigger: request.trigger))
        )
    }
}
