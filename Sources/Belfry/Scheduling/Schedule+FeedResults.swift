// Results of region feeds: adding and removing regions is one change.
extension Schedule {
    /// The changes that a result makes to a feed's requests.
    private struct FeedChange {
        let name: String
        var owned: [String: OwnedEntry]
        /// A message for each request that can't be registered.
        var ignored: [String]

        var owner: RequestOwner { .feed(name) }
    }

    /// Replaces the feed's pending regions with the nearest ones of the result.
    ///
    /// Requests that have ended are not added again. Regions that the device is inside of, or whose dwell time runs,
    /// stay until that is over. New regions are evaluated as if they had existed since the fix before the one of the
    /// query.
    mutating func process(_ result: FeedResult, of query: FeedQuery) {
        guard isRunning, var watch = feeds.watches[query.feed], watch.query == query else { return }
        // These fixes are not stored yet; they must evaluate the new regions too, but only once.
        evaluateWaitingFixes()
        let wereAllKnown = regions.areKnown
        var record = RegionFeedRecord(
            latitude: query.fix.latitude,
            longitude: query.fix.longitude,
            done: feeds.records[query.feed]?.done ?? []
        )
        let before = owners[.feed(query.feed)]
        var change = FeedChange(name: query.feed, owned: before, ignored: result.ignored)
        // Registered requests that are no longer pending have fired, or were ended by a response.
        let done = before.keys.filter { entries.slot(of: $0) == nil }.sorted()
        for id in done { change.owned[id] = nil }
        record.remember(done)
        let over = Set(record.done)
        let items = registrable(result.items.filter { !over.contains($0.id) }, &change)
        removeOthers(than: Set(items.map(\.id)), &change, staying: watch.feed.count)
        let newcomers = insert(items, &change)
        evaluate(newcomers, by: watch.track, wereAllKnown: wereAllKnown)
        if change.owned != owners[change.owner] { setOwner(change.owner, change.owned) }
        report(watch.news(of: change.ignored), of: query.feed)
        watch.renew(result, of: query)
        setFeed(query.feed, watch, record: record)
    }

    /// Returns the items that may be pending. A feed never takes an identifier of other requests, or their room under
    /// the pending limit.
    private func registrable(_ items: [FeedResult.Item], _ change: inout FeedChange) -> [FeedResult.Item] {
        var free: [FeedResult.Item] = []
        for item in items {
            do throws(NoticeError) {
                try checkFree(item.id, for: change.owner)
                free.append(item)
            } catch { change.ignored.append(error.message) }
        }
        guard let limit else { return free }
        let room = max(0, limit.count - pendingCount + change.owned.keys.count(where: isPending))
        if free.count > room {
            change.ignored.append("The pending limit of \(limit.count) has no room for the farthest of its regions.")
        }
        return Array(free.prefix(room))
    }

    /// - Parameter staying: the number of requests that may stay although they are no longer among the nearest.
    private mutating func removeOthers(than nearest: Set<String>, _ change: inout FeedChange, staying: Int) {
        var staying = staying
        for id in change.owned.keys.sorted() where !nearest.contains(id) {
            if let slot = entries.slot(of: id), staying > 0,
                regions.states[slot]?.isInside == true || entries[slot]?.deadline != nil
            {
                staying -= 1
                continue
            }
            change.owned[id] = nil
            endRequest(id, .removed, detail: "no longer among the nearest of the region feed '\(change.name)'")
        }
    }

    /// Inserts items. Returns the identifiers of those whose side of their border is not known.
    private mutating func insert(_ items: [FeedResult.Item], _ change: inout FeedChange) -> [String] {
        var newcomers: [String] = []
        for item in items where change.owned[item.id]?.fingerprint != item.fingerprint {
            if !isPending(item.id), let limit, pendingCount >= limit.count { continue }
            let before = change.owned[item.id] == nil ? nil : knownRegion(of: item.id)
            var report = NoticeCenter.AddReport(added: [])
            do throws(NoticeError) { try addOne(item.request, mayBePast: false, report: &report) } catch {
                change.ignored.append(error.message)
                continue
            }
            change.owned[item.id] = OwnedEntry(key: item.id, fingerprint: item.fingerprint, requestIDs: [item.id])
            if let before, goOn(item.id, from: before) { continue }
            newcomers.append(item.id)
        }
        return newcomers
    }

    // MARK: A region whose content has changed

    private struct KnownRegion {
        let entry: ScheduleEntry
        let region: CircularRegion
        let state: RegionProgress?
    }

    /// Returns the region and its state; nil if no fix has determined yet whether the device is inside.
    private func knownRegion(of id: String) -> KnownRegion? {
        guard let slot = entries.slot(of: id), let entry = entries[slot], let region = regions.index.region(of: slot),
            regions.isKnown(slot, region, revision: entry.revision)
        else { return nil }
        return KnownRegion(entry: entry, region: region, state: regions.states[slot])
    }

    /// Carries the state over if region and rule are unchanged. Returns false if the request starts anew.
    private mutating func goOn(_ id: String, from old: KnownRegion) -> Bool {
        guard let slot = entries.slot(of: id), var entry = entries[slot], regions.index.region(of: slot) == old.region,
            case .region(let rule) = entry.timing, case .region(let oldRule) = old.entry.timing, rule.key == oldRule.key
        else { return false }
        setRegion(slot, entry, old.state ?? RegionProgress(isInside: false))
        (entry.deadline, entry.progress) = (old.entry.deadline, old.entry.progress)
        setEntry(entry)
        store(.updateProgress(revision: entry.revision, entry.progress))
        return true
    }

    // MARK: Initial evaluation of new regions

    /// Evaluates new regions: the first fix that counts determines the side of the border, later ones cross it. O(fixes
    /// × newcomers).
    ///
    /// - Parameter wereAllKnown: no other region waits for its first evaluation.
    private mutating func evaluate(_ newcomers: [String], by track: [LocationFix], wereAllKnown: Bool) {
        guard !newcomers.isEmpty else { return }
        let slots = newcomers.compactMap { entries.slot(of: $0) }
        var unknown = Set(slots)
        for fix in track {
            let (point, accuracy, at) = (EarthPoint(fix), fix.accuracy ?? 0, instant(of: fix))
            for slot in slots {
                // Nil if it has fired and ended.
                guard let entry = entries[slot], let site = regions.index.site(of: slot),
                    RegionTable.counts(accuracy, for: site.region)
                else { continue }
                let crossing = regions.crossing(of: site, at: point, accuracy: accuracy)
                let isFirst = unknown.remove(slot) != nil
                guard let crossing else { continue }
                if !isFirst {
                    cross(slot, crossing, at: at)
                } else if crossing == .entered {
                    setRegion(slot, entry, RegionProgress(isInside: true))
                }
            }
        }
        var marks = regions.marks
        if let last = track.last { marks.lastFix = instant(of: last).wall }
        if wereAllKnown, unknown.isEmpty {
            marks.evaluate(through: regions.newest, accuracy: RegionMarks.finest)
        } else {
            // The marks can't express that only these regions are known.
            for slot in slots where !unknown.contains(slot) && regions.states[slot] == nil {
                if let entry = entries[slot] { setRegion(slot, entry, RegionProgress(isInside: false)) }
            }
        }
        setMarks(marks)
    }

    private mutating func report(_ ignored: [String], of name: String) {
        guard let first = ignored.first else { return }
        let more = ignored.count > 1 ? " So were \(ignored.count - 1) more." : ""
        let message = "A region for the feed '\(name)' was left out: \(first)\(more)"
        emit(.report(NoticeError(.regionIgnored, message)))
    }
}
