import Belfry
import BelfryBus
import BelfryRecurrence
import FoundationEssentials

/// Support for the app's own trigger kinds, which the agent can't compute.
extension AgentEngine {
    /// Returns the request in the form that the agent stores.
    func forwarded(_ request: NoticeRequest) throws(NoticeError) -> NoticeRequest {
        guard let trigger = ownTrigger(of: request) else { return request }
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
            let context = self.context
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
                beyond: total.map { $0 - dates.count },
                offsets: trigger.followsSystemZone
                    ? ForwardedDatesTrigger.offsets(of: context.zone, at: dates) : nil
            )
            state.withLock { $0.forwards = true }
        case is any ElapsedTimeTrigger, is any WallClockTrigger:
            throw NoticeError(
                .needsEmbeddedEngine,
                "The trigger kind '\(type(of: trigger).kind.rawValue)' of '\(request.id)' needs this app's code when "
                    + "it is due: use a center in this process, or AgentOptions.customTriggers = .storeDates(64)."
            )
        default:
            throw NoticeError(
                .needsEmbeddedEngine,
                "The trigger kind '\(type(of: trigger).kind.rawValue)' of '\(request.id)' waits neither for a date "
                    + "nor for elapsed time, and the agent can't watch for it: use a center in this process, or for a "
                    + "region Belfry's LocationTrigger."
            )
        }
        return request
    }

    /// Returns the warnings of a trigger of the app's own kind. The agent's form of the trigger has none.
    func ownWarnings(of request: NoticeRequest) -> [String] { ownTrigger(of: request)?.warnings ?? [] }

    private func ownTrigger(of request: NoticeRequest) -> (any NoticeTrigger)? {
        request.trigger.flatMap { TriggerRegistry.standard.contains(type(of: $0).kind) ? nil : $0 }
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

    /// Whether the agent may have dates of this app's own trigger kinds.
    var storesDates: Bool { mayForward && options.triggers.hasOwnKinds }

    /// Computes further dates for triggers that have used up half of their stored dates, and other dates for those that
    /// follow the system's zone, if that or its data has changed.
    ///
    /// One renewal runs at a time, since each lists all that is pending. If it is called meanwhile, it returns at once,
    /// and the running renewal is followed by another one.
    func renew() async {
        guard storesDates, state.withLock({ $0.renewal.request() }) else { return }
        await performRenewal()
    }

    /// Called after the state has accepted the request for a renewal.
    private func performRenewal() async {
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
        } catch { report(error) }
    }

    private func renewed(_ notice: PendingNotice) -> ForwardedDatesTrigger? {
        guard var forwarded = notice.request.trigger as? ForwardedDatesTrigger,
            let trigger = original(notice.request).trigger as? any WallClockTrigger
        else { return nil }
        let (context, now) = (self.context, options.clock.now().date)
        // Dates that have just passed stay: they may not have fired yet.
        let passed = forwarded.dates.filter { $0 <= now }
        var left = forwarded.dates.filter { $0 > now }
        var (start, isLate) = (left.last ?? now, false)
        let zone = trigger.followsSystemZone ? context.zone : nil
        if let delay = zone.flatMap({ forwarded.delay(in: $0, at: now) }) {
            // The local time is here what it is now by the former offsets. Going west, that is later, and a local time
            // that has fired does not fire again; going east, it is earlier, and local times since then were skipped.
            let mark = now.addingTimeInterval(delay)
            start = max(mark, passed.last ?? now)
            isLate = trigger.nextDate(after: mark, in: context).map { $0 <= start } ?? false
            forwarded.beyond = forwarded.beyond.map { $0 + left.count }
            left = []
        }
        let most = min(datesAhead - left.count, forwarded.beyond ?? .max)
        guard left.count <= datesAhead / 2, most > 0 else { return nil }
        var more = trigger.nextDates(most, after: start, in: context)
        // The agent fires no date before the last one, so that a skipped one is late by its date, too.
        if isLate, more.first.map({ $0 > now }) ?? true { more = [now] + more.prefix(most - 1) }
        guard !more.isEmpty else { return nil }
        forwarded.dates = (passed + left + more).suffix(2 * datesAhead)
        forwarded.beyond = forwarded.beyond.map { $0 - more.count }
        forwarded.offsets = zone.map { ForwardedDatesTrigger.offsets(of: $0, at: forwarded.dates) }
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

/// The alarm of the app has no deadline: it only reports changes of the zone and of its data.
extension AgentEngine: WakeListener {
    func woke(_ reason: WakeReason) {
        guard reason == .zoneChanged, state.withLock({ $0.renewal.request() }) else { return }
        // It runs the app's code, which may block.
        Task(executorPreference: AppThreads.shared) { await self.performRenewal() }
    }

    func processedWakeUps() async { _ = await state.waitUnlessCancelled { !$0.renewal.isRunning } }
}
