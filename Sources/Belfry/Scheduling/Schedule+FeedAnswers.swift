// A feed's source has answered: what comes in and what goes out is one change.
extension Schedule {
    /// Makes the nearest places of the answer the feed's pending ones.
    ///
    /// Those that are over stay out, and those that the position is inside of, or whose dwell time runs, stay in until that is
    /// over. What comes in is judged as if it had been there since the fix before the one that was asked for.
    mutating func take(_ answer: FeedAnswer, to question: FeedQuestion) {
        guard isRunning, var watch = feeds[question.feed], watch.question == question else { return }
        // Those that the store has not taken yet: what comes in is judged by them too, once.
        judgeWaitingFixes()
        let wasAllJudged = isAllJudged
        let name = question.feed
        let owner = RequestOwner.feed(name)
        var owned = owners[owner]
        var faults = answer.faults
        let done = takeDone(from: &owned)
        let over = Set(feedRecords[name]?.done ?? []).union(done)
        let target = wanted(answer, of: owner, over, room: room(besides: owned), &faults)
        leave(target, of: name, &owned, stayers: watch.feed.count)
        let newcomers = enter(target, of: name, &owned, &faults)
        judge(newcomers, by: watch.track, wasAllJudged: wasAllJudged)
        if owned != owners[owner] { setOwner(owner, owned) }
        tell(watch.news(of: faults), of: name)
        watch.renew(answer, to: question)
        var record = RegionFeedRecord(
            latitude: question.fix.latitude,
            longitude: question.fix.longitude,
            done: feedRecords[name]?.done ?? []
        )
        record.remember(done)
        setFeed(name, watch, record: record)
    }

    private var isAllJudged: Bool { places.isEmpty || places.marks.covers(places.newest, radius: 0) }

    /// What was registered and is pending no more has fired, or was ended by an answer.
    private func takeDone(from owned: inout [String: OwnedEntry]) -> [String] {
        let done = owned.keys.filter { entries.slot(of: $0) == nil }.sorted()
        for id in done { owned[id] = nil }
        return done
    }

    /// How many requests the pending limit leaves to a feed: it never takes the room of others.
    private func room(besides owned: [String: OwnedEntry]) -> Int {
        limit.map { max(0, $0.count - pendingCount + owned.keys.count(where: isPending)) } ?? .max
    }

    private mutating func wanted(
        _ answer: FeedAnswer,
        of owner: RequestOwner,
        _ over: Set<String>,
        room: Int,
        _ faults: inout [FeedAnswer.Fault]
    ) -> [FeedAnswer.Item] {
        let free = answer.items.filter { item in
            guard !over.contains(item.request.id) else { return false }
            do throws(NoticeError) { try checkFree(item.request.id, for: owner) } catch {
                faults.append(.init(message: error.message))
                return false
            }
            return true
        }
        if free.count > room {
            let message = "The pending limit of \(limit?.count ?? 0) has no room for the farthest of its places."
            faults.append(.init(message: message))
        }
        return Array(free.prefix(room))
    }

    /// - Parameter stayers: how many may stay that are not wanted.
    private mutating func leave(
        _ target: [FeedAnswer.Item],
        of name: String,
        _ owned: inout [String: OwnedEntry],
        stayers: Int
    ) {
        let wanted = Set(target.lazy.map(\.request.id))
        var stayers = stayers
        for id in owned.keys.sorted() where !wanted.contains(id) {
            if let slot = entries.slot(of: id), stayers > 0, isUnderWay(slot) {
                stayers -= 1
                continue
            }
            owned[id] = nil
            guard let entry = removeEntry(id) else { continue }
            batch.changes.append(.removeRequest(revision: entry.revision))
            let detail = "no longer among the nearest of the feed '\(name)'"
            record(id, .removed, thread: entry.traits.thread, detail: detail)
        }
    }

    private func isUnderWay(_ slot: Int32) -> Bool {
        places.states[slot]?.isInside == true || entries[slot]?.deadline != nil
    }

    /// Returns those whose side of their border is not known.
    private mutating func enter(
        _ target: [FeedAnswer.Item],
        of name: String,
        _ owned: inout [String: OwnedEntry],
        _ faults: inout [FeedAnswer.Fault]
    ) -> [Newcomer] {
        var newcomers: [Newcomer] = []
        for item in target {
            let id = item.request.id
            let before = owned[id].flatMap { _ in standing(of: id) }
            if let old = owned[id], old.fingerprint == item.fingerprint { continue }
            if before == nil, !isPending(id), let limit, pendingCount >= limit.count { continue }
            var report = AddReport(added: [])
            do throws(NoticeError) { try addOne(item.request, mayBePast: false, report: &report) } catch {
                faults.append(.init(message: error.message))
                continue
            }
            owned[id] = OwnedEntry(key: id, fingerprint: item.fingerprint, requestIDs: [id])
            guard let slot = entries.slot(of: id), let entry = entries[slot] else { continue }
            if let before, goOn(slot, from: before) { continue }
            newcomers.append(Newcomer(slot: slot, revision: entry.revision))
        }
        return newcomers
    }

    // MARK: A place whose content has changed

    private struct Standing {
        let entry: ScheduleEntry
        let region: CircularRegion
        let state: PlaceProgress?
        let wasJudged: Bool
    }

    private func standing(of id: String) -> Standing? {
        guard let slot = entries.slot(of: id), let entry = entries[slot], let region = places.index.region(of: slot)
        else { return nil }
        let state = places.states[slot]
        let wasJudged = state != nil || places.marks.covers(entry.revision, radius: region.radius)
        return Standing(entry: entry, region: region, state: state, wasJudged: wasJudged)
    }

    /// With the same region and the same rule it goes on where it was; false where it begins anew.
    private mutating func goOn(_ slot: Int32, from old: Standing) -> Bool {
        guard old.wasJudged, var entry = entries[slot], places.index.region(of: slot) == old.region,
            case .place(let rule) = entry.timing, case .place(let oldRule) = old.entry.timing, rule.key == oldRule.key
        else { return false }
        setPlace(slot, entry, old.state ?? PlaceProgress(isInside: false))
        entry.deadline = old.entry.deadline
        entry.progress = old.entry.progress
        setEntry(entry)
        batch.changes.append(.updateProgress(revision: entry.revision, entry.progress))
        return true
    }

    // MARK: Judging

    private struct Newcomer {
        let slot: Int32
        let revision: Int64
    }

    /// O(fixes × newcomers).
    ///
    /// - Parameter wasAllJudged: nothing else waits for a fix that tells its side.
    private mutating func judge(_ newcomers: [Newcomer], by track: [PositionFix], wasAllJudged: Bool) {
        guard !newcomers.isEmpty else { return }
        var judged: Set<Int32> = []
        for fix in track {
            let (point, accuracy) = (EarthPoint(fix), fix.accuracy ?? 0)
            for newcomer in newcomers {
                guard let entry = entries[newcomer.slot], entry.revision == newcomer.revision,
                    let site = places.index.site(of: newcomer.slot), PlaceTable.counts(accuracy, for: site.region)
                else { continue }
                let isFirst = judged.insert(newcomer.slot).inserted
                let crossing = places.crossing(of: site, at: point, accuracy: accuracy)
                guard let crossing else { continue }
                if !isFirst {
                    cross(newcomer.slot, crossing, at: instant(of: fix))
                } else if crossing == .entered {
                    setPlace(newcomer.slot, entry, PlaceProgress(isInside: true))
                }
            }
        }
        var marks = places.marks
        if let last = track.last { marks.lastFix = instant(of: last).wall }
        if wasAllJudged, judged.count == newcomers.count {
            marks.judge(through: places.newest, accuracy: PlaceMarks.finest)
        } else {
            // Others were not judged: it is kept of each of these that it was.
            for newcomer in newcomers where judged.contains(newcomer.slot) && places.states[newcomer.slot] == nil {
                guard let entry = entries[newcomer.slot], entry.revision == newcomer.revision else { continue }
                setPlace(newcomer.slot, entry, PlaceProgress(isInside: false))
            }
        }
        setMarks(marks)
    }

    private mutating func tell(_ faults: [FeedAnswer.Fault], of name: String) {
        guard let first = faults.first else { return }
        let more = faults.count > 1 ? " So were \(faults.count - 1) more." : ""
        let message = "A place for the feed '\(name)' was left out: \(first.message)\(more)"
        batch.then.append(.report(NoticeError(.regionIgnored, message)))
    }
}
