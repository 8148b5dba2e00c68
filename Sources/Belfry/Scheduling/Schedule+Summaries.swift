// Many notices of one thread become one (``ThreadSummary``): a notice of its own, under an identifier that is the thread's.
extension Schedule {
    static let summaryPrefix = "belfry.summary:"

    /// Whether a notice is one of those that a summary is made of.
    func mayGather(_ occurrence: NoticeState.Occurrence) -> Bool {
        let traits = occurrence.traits
        return traits.summary != nil && traits.thread != nil && traits.level < .critical && !occurrence.isAwaited
            && occurrence.record.summary == nil
    }

    /// Takes a due notice into its thread's summary; false where it is to be shown by itself.
    mutating func gather(_ occurrence: NoticeState.Occurrence) -> Bool {
        let record = occurrence.record
        guard mayGather(occurrence), let rule = record.traits.summary, let thread = record.traits.thread else {
            return false
        }
        let member = SummaryMark.Member(record)
        let id = Self.summaryPrefix + thread
        var mark: SummaryMark
        if let known = summary(id) {
            mark = known
        } else {
            let recent = arrivals.recent(in: thread, rule, at: now.boot, besides: record.requestID)
            guard recent.count >= rule.moreThan else {
                setArrivals(thread, recent + [.init(member: member, boot: now.boot)])
                return false
            }
            setArrivals(thread, [])
            mark = SummaryMark(count: 0, members: [])
            for arrival in recent { mark.add(arrival.member) }
            let detail = "gathered in the summary of '\(thread)'"
            for arrival in recent {
                withdrawStanding(arrival.member.requestID, detail: detail)
                callOff(arrival.member, detail)
            }
        }
        mark.add(member)
        // An earlier firing of a request that repeats.
        withdrawStanding(record.requestID, detail: "gathered in the summary of '\(thread)'")
        store(.removeDelivery(id: record.id))
        self.record(
            record.requestID,
            .suppressed,
            thread: thread,
            late: now.boot - record.lateFrom.boot,
            detail: "one of \(mark.count) in the summary of '\(thread)'"
        )
        bringSummary(id, mark, in: record)
        return true
    }

    /// What a thread's summary stands for, where it is on the screen or on its way there.
    private func summary(_ id: String) -> SummaryMark? {
        guard let state = notices[id] else { return nil }
        if let queued = state.coming?.queued { return queued.record.summary }
        if let coming = state.coming, !coming.isCancelled { return coming.occurrence.record.summary }
        return state.standing?.record.summary
    }

    /// One that is on its way while the summary is made.
    private mutating func callOff(_ member: SummaryMark.Member, _ detail: String) {
        guard let coming = notices[member.requestID]?.coming, coming.occurrence.revision == member.revision else {
            return
        }
        cancelDelivery(member.requestID, .suppressed, detail, keepsQueued: true)
    }

    private mutating func bringSummary(_ id: String, _ mark: SummaryMark, in latest: DeliveryRecord) {
        let state = notices[id] ?? NoticeState(id: id)
        let level = max(latest.traits.level, state.traits?.level ?? .passive)
        var record = latest
        record.id = latest.id + "+s"
        record.requestID = id
        record.snoozes = 0
        record.summary = mark
        record.traits.level = level
        record.traits.series = nil
        record.traits.endsWhenAnswered = false
        record.traits.dismissalEnds = mark.members.contains(where: \.dismissalEnds)
        record.traits.isResident = false
        store(.putDelivery(record))
        bring(NoticeState.Occurrence(record: record), state)
    }

    /// An answer to a summary ends what answers to its notices would end.
    mutating func endMembers(of mark: SummaryMark, of id: String, byDismissal: Bool) {
        var ended: Set<String> = []
        for member in mark.members where !byDismissal || member.dismissalEnds {
            if member.endsWhenAnswered {
                let detail = "its summary was answered"
                removeOne(member.requestID, revision: member.revision, outcome: .removed, detail: detail)
            }
            if let base = member.series, ended.insert(base).inserted {
                endSeries(base, except: id)
            }
        }
    }

    /// A summary that tells of nothing but a series has nothing to tell any more when that is over.
    mutating func endSummaries(ofSeries base: String, except answered: String?) {
        for id in notices.summaryIDs.sorted() where id != answered {
            guard let mark = summary(id) ?? notices[id]?.snoozed?.summary, mark.count == mark.members.count,
                mark.members.allSatisfy({ $0.series == base })
            else { continue }
            withdrawStanding(id, detail: "its series ended")
            cancelDelivery(id, .removed, "its series '\(base)' ended")
        }
    }

    /// The person has seen it: it is none of the new ones any more.
    mutating func forgetArrival(_ record: DeliveryRecord) {
        guard record.traits.summary != nil, let thread = record.traits.thread else { return }
        let left = arrivals[thread].filter { $0.member.requestID != record.requestID }
        if left.count < arrivals[thread].count { setArrivals(thread, left) }
    }

    /// One that stood on the screen when an earlier process ended.
    mutating func restoreArrival(_ record: DeliveryRecord) {
        guard record.traits.summary != nil, record.summary == nil, let thread = record.traits.thread,
            let shownAt = record.shownAt
        else { return }
        arrivals[thread].append(.init(member: SummaryMark.Member(record), boot: min(shownAt.boot, now.boot)))
    }

    /// Whether anything refers to a content: a request, its notices, or a summary that is made from it.
    func isNeeded(_ id: String, revision: Int64) -> Bool {
        if entries.value(of: id, { $0.revision == revision }) ?? false { return true }
        if notices.value(of: id, { $0.needs(revision: revision) }) ?? false { return true }
        return notices.summaryIDs.contains { notices[$0]?.needs(revision: revision) ?? false }
    }
}
