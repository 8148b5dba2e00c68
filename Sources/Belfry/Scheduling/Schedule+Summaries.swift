// Many notices of one thread are coalesced into a summary (``ThreadSummary``): a separate notice whose identifier is
// derived from the thread.
extension Schedule {
    static let summaryPrefix = "belfry.summary:"

    /// Returns whether a notice may become part of a summary.
    func mayCoalesce(_ occurrence: NoticeState.Occurrence) -> Bool {
        !occurrence.isAwaited && occurrence.record.threadSummary != nil
    }

    /// Coalesces a due notice into its thread's summary. Returns false if it must be shown on its own.
    mutating func coalesce(_ occurrence: NoticeState.Occurrence) -> Bool {
        let record = occurrence.record
        // The notice that this one takes the place of, perhaps of another thread, is no arrival any more.
        if !arrivals.threads.isEmpty, let replaced = notices[record.requestID]?.delivered?.record {
            forgetArrival(replaced)
        }
        guard !occurrence.isAwaited, let (rule, thread) = record.threadSummary else { return false }
        let member = SummaryMark.Member(record)
        let id = Self.summaryPrefix + thread
        let detail = "gathered in the summary of '\(thread)'"
        let known = summary(id)
        var mark = known ?? SummaryMark(count: 0, members: [])
        if known == nil {
            let recent = arrivals.recent(in: thread, rule, at: now.boot, besides: record.requestID)
            guard recent.count >= rule.moreThan else {
                setArrivals(thread, recent + [.init(record, rule, at: now.boot)])
                return false
            }
            setArrivals(thread, [])
            for arrival in recent { mark.add(arrival.member) }
            for arrival in recent {
                withdraw(arrival.member, detail)
                cancel(arrival.member, detail)
            }
        }
        mark.add(member)
        // An earlier firing of a repeating request.
        withdraw(record.requestID, detail: detail)
        store(.removeDelivery(id: record.id))
        let place = "one of \(mark.count) in the summary of '\(thread)'"
        self.record(record.subject, .suppressed, late: lateness(of: record), detail: place)
        deliverSummary(id, mark, in: record)
        return true
    }

    /// Returns the members of a thread's summary that is on the screen, in flight or waiting.
    func summary(_ id: String) -> SummaryMark? {
        guard let state = notices[id] else { return nil }
        let underWay = state.underWay?.queued ?? state.underWay?.wanted
        return (underWay?.record ?? state.delivered?.record)?.summary
    }

    /// Removes a member's notice from the screen, unless it is critical by now.
    private mutating func withdraw(_ member: SummaryMark.Member, _ detail: String) {
        guard let delivered = notices[member.requestID]?.delivered, delivered.revision == member.revision,
            delivered.traits.level < .critical
        else { return }
        withdraw(member.requestID, detail: detail)
    }

    /// Cancels a member's firings that are in flight or waiting when the summary is made.
    private mutating func cancel(_ member: SummaryMark.Member, _ detail: String) {
        let snoozed = notices[member.requestID]?.snoozed?.id
        cancelDelivery(member.requestID, .suppressed, detail) {
            $0.revision == member.revision && $0.id != snoozed && $0.traits.level < .critical
        }
    }

    private mutating func deliverSummary(_ id: String, _ mark: SummaryMark, in latest: DeliveryRecord) {
        let state = notices[id] ?? NoticeState(id: id)
        var traits = latest.traits
        traits.level = max(traits.level, state.traits?.level ?? .passive)
        traits.series = nil
        traits.endsWhenAnswered = false
        traits.dismissalEnds = mark.members.contains(where: \.dismissalEnds)
        traits.isResident = false
        var record = latest
        record.id = latest.id + "+s"
        record.requestID = id
        record.snoozes = 0
        record.summary = mark
        record.traits = traits
        store(.putDelivery(record))
        deliver(NoticeState.Occurrence(record: record), state)
    }

    /// Ends, after a response to a summary, everything that responses to its notices would end.
    mutating func endMembers(of mark: SummaryMark, of id: String, byDismissal: Bool) {
        var ended: Set<String> = []
        for member in mark.members where !byDismissal || member.dismissalEnds {
            if member.endsWhenAnswered {
                let detail = "the user responded to its summary"
                removeOne(member.requestID, revision: member.requestRevision, detail: detail)
            }
            if let base = member.series, ended.insert(base).inserted { endSeries(base, except: id) }
        }
    }

    /// Ends the summaries that contain only notices of a series that has ended.
    mutating func endSummaries(ofSeries base: String, except responded: String?, detail: String) {
        withdrawSummaries(except: responded, detail: "its series ended") { $0.series == base }
        _ = cancelSummaries(except: responded, detail) { $0.series == base }
    }

    /// Removes the summaries from the screen that contain only such members.
    mutating func withdrawSummaries(
        except kept: String? = nil,
        detail: String,
        of isIncluded: (SummaryMark.Member) -> Bool
    ) {
        for id in notices.summaryIDs.sorted() where id != kept {
            guard let mark = notices[id]?.delivered?.record.summary, mark.consists(of: isIncluded) else { continue }
            withdraw(id, detail: detail)
        }
    }

    /// Cancels the summaries that are not on the screen and contain only such members. Returns the canceled deliveries
    /// that are still in flight, and the members with the states in which they were.
    mutating func cancelSummaries(
        except kept: String? = nil,
        _ detail: String?,
        of isIncluded: (SummaryMark.Member) -> Bool
    ) -> (inFlight: [DeliveryReference], members: [(SummaryMark.Member, [NoticeStatus])]) {
        var (inFlight, members): ([DeliveryReference], [(SummaryMark.Member, [NoticeStatus])]) = ([], [])
        for id in notices.summaryIDs.sorted() where id != kept {
            guard let state = notices[id] else { continue }
            let waiting = [state.snoozed, state.underWay?.wanted?.record, state.underWay?.queued?.record]
            let marks = waiting.compactMap { $0?.summary }.filter { $0.consists(of: isIncluded) }
            guard !marks.isEmpty else { continue }
            let states = states(of: id)
            let canceled = cancelDelivery(id, .removed, detail) { $0.summary?.consists(of: isIncluded) ?? false }
            if let canceled { inFlight.append(canceled) }
            let left = self.states(of: id)
            let gone = states.filter { !left.contains($0) }
            members += Set(marks.flatMap(\.members)).sorted { $0.requestID < $1.requestID }.map { ($0, gone) }
        }
        return (inFlight, members)
    }

    /// Removes a notice that the user has seen from the recent arrivals.
    mutating func forgetArrival(_ record: DeliveryRecord) {
        guard record.traits.summary != nil, let thread = record.traits.thread else { return }
        let left = arrivals[thread].filter { $0.member.requestID != record.requestID }
        if left.count < arrivals[thread].count { setArrivals(thread, left) }
    }

    /// Restores the arrival of a notice that was on the screen when an earlier process ended.
    mutating func restoreArrival(_ record: DeliveryRecord) {
        guard let (rule, thread) = record.threadSummary, let shownAt = record.shownAt else { return }
        arrivals[thread].append(.init(record, rule, at: min(shownAt.boot, now.boot)))
    }

    /// Returns whether anything refers to a content: a request, its notices, or a summary that is made from it.
    func isNeeded(_ id: String, revision: Int64) -> Bool {
        if entries.value(of: id, { $0.revision == revision }) ?? false { return true }
        if notices.value(of: id, { $0.needs(revision: revision) }) ?? false { return true }
        return notices.summaryIDs.contains { notices[$0]?.needs(revision: revision) ?? false }
    }
}

extension DeliveryRecord {
    /// The rule and the thread of the summary that the notice may become part of; nil if there is none.
    fileprivate var threadSummary: (rule: SummaryRule, thread: String)? {
        let traits = self.traits
        guard let rule = traits.summary, let thread = traits.thread, traits.level < .critical, self.summary == nil
        else {
            return nil
        }
        return (rule, thread)
    }
}
