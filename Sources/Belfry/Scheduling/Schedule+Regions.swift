import FoundationEssentials

// A location fix moves pending requests across the borders of their regions. The changes are stored in one transaction
// with the resulting deliveries. If it fails, everything is restored, and the fix is evaluated again later.
extension Schedule {
    /// Handles a location fix of the provider.
    mutating func receive(_ fix: LocationFix) {
        guard isRunning else { return }
        let jump = clock.wasSet(at: now) ? clock.jump : 0
        if let reason = positions.reasonToIgnore(fix, at: now, jump: jump) { return ignore(reason, fix) }
        positions.accept(fix, at: now)
        feeds.append(fix)
        let excess = positions.wait([fix])
        if excess > 0 { ignore(.tooMany, fix, count: excess) }
        // While the store fails, earlier fixes that could not be stored come first.
        if positions.waiting.count > 1, log.pausedUntil != nil { return }
        evaluateWaitingFixes()
    }

    /// Records fixes that were dropped because they came too fast.
    mutating func positionsDropped(_ count: Int) {
        guard isRunning, count > 0 else { return }
        if positions.ignore(.tooMany, count: count) {
            let message = "\(count) positions came faster than they could be processed: the oldest were ignored."
            emit(.report(NoticeError(.positionIgnored, message)))
        }
    }

    /// Handles an error of the provider. It is run again at ``nextWake``.
    mutating func positionLost(_ error: NoticeError) {
        if positions.lose(error, at: now.boot) { emit(.report(error)) }
    }

    private mutating func ignore(_ reason: NoticeCenter.LocationReport.Reason, _ fix: LocationFix, count: Int = 1) {
        guard positions.ignore(reason, count: count) else { return }
        let what =
            switch reason {
            case .invalidPosition: "its latitude or longitude is out of range"
            case .invalidAccuracy: "its accuracy is \(fix.accuracy ?? 0) m"
            case .fromTheFuture: "it was made at \(fix.date.formatted(.iso8601)), which is after now"
            case .outOfOrder: "it was made at \(fix.date.formatted(.iso8601)), which is before the last one"
            case .tooMany: "the store accepts nothing, and newer ones wait"
            }
        let message =
            "The position \(fix.latitude)°, \(fix.longitude)° was ignored: \(what). Later ones of this kind are "
            + "counted, and not reported until a position is accepted."
        emit(.report(NoticeError(.positionIgnored, message)))
    }

    /// Evaluates the waiting fixes in the order of their arrival.
    mutating func evaluateWaitingFixes() {
        guard !positions.waiting.isEmpty else { return }
        let fixes = positions.takeWaiting()
        log.current.fixes += fixes
        for fix in fixes { evaluate(fix) }
    }

    private mutating func evaluate(_ fix: LocationFix) {
        guard !regions.isEmpty else { return }
        let at = instant(of: fix)
        let accuracy = fix.accuracy ?? 0
        let before = log.current.records.count
        let inOrder = changes(causedBy: fix).compactMap { item in entries[item.slot].map { (item, $0.revision) } }
            .sorted { $0.1 < $1.1 }
        for (item, _) in inOrder {
            if let crossing = item.crossing {
                cross(item.slot, crossing, at: at)
            } else if let entry = entries[item.slot] {
                setRegion(item.slot, entry, RegionProgress(isInside: true))
            }
        }
        var marks = regions.marks
        if accuracy <= max(regions.largest, RegionMarks.finest) {
            marks.evaluate(through: regions.newest, accuracy: accuracy)
        }
        guard marks != regions.marks || log.current.records.count > before else { return }
        marks.lastFix = at.wall
        setMarks(marks)
    }

    /// Returns the changes that an acceptable fix causes, unordered: all, or `limit` of them.
    private func changes(causedBy fix: LocationFix, upTo limit: Int = .max) -> [RegionTable.Found] {
        regions.found(at: EarthPoint(fix), accuracy: fix.accuracy ?? 0, upTo: limit) { entries[$0]?.revision ?? .max }
    }

    /// The number of regions whose border a fix is across, counted up to `limit`, with the time that it takes to look
    /// at those that the device is inside of.
    func size(of fix: LocationFix, at now: TriggerInstant, upTo limit: Int) -> Int {
        guard positions.reasonToIgnore(fix, at: now, jump: 0) == nil else { return 0 }
        let looks = min(limit, regions.states.count / Self.looksPerChange)
        return looks + changes(causedBy: fix, upTo: limit - looks).count
    }

    /// Returns when a fix was made, by the current clocks; a fix ahead of the clock counts as made now.
    func instant(of fix: LocationFix) -> TriggerInstant {
        let age = max(0, now.wall - fix.date.microsecondsSince1970)
        return TriggerInstant(wall: now.wall - age, boot: now.boot - age)
    }

    mutating func cross(_ slot: Int32, _ crossing: CircularRegion.Crossing, at: TriggerInstant) {
        guard let before = entries[slot] else { return }
        if let deadline = before.deadline, deadline <= at.boot {
            // The dwell time had passed by then, but the schedule has not been woken for it yet.
            endDwell(slot)
        }
        guard var entry = entries[slot], entry.revision == before.revision, case .region(let rule) = entry.timing else {
            return
        }
        let isWanted = rule.wants(crossing)
        let waits = isWanted && rule.dwell > 0
        let fires = isWanted && !waits && rule.holds(at: at.wall, in: context)
        // A request that ends with this firing needs no region state.
        if fires, !rule.repeats { return fire(slot, entry, rule, crossing, at: at) }
        let isInside = crossing == .entered
        setRegion(
            slot,
            entry,
            isInside || waits ? RegionProgress(isInside: isInside, since: waits ? at : nil) : nil
        )
        let deadline = waits ? at.boot + rule.dwell : nil
        if entry.deadline != deadline {
            entry.deadline = deadline
            setEntry(entry)
        }
        if fires { fire(slot, entry, rule, crossing, at: at) }
    }

    /// Ends a dwell time: the device has stayed across the border.
    mutating func endDwell(_ slot: Int32) {
        guard var entry = entries[slot], case .region(let rule) = entry.timing, let deadline = entry.deadline else {
            return
        }
        let isInside = regions.states[slot]?.isInside ?? false
        let late = now.boot - deadline
        let at = TriggerInstant(wall: now.wall - late, boot: deadline)
        setRegion(slot, entry, isInside ? RegionProgress(isInside: true) : nil)
        entry.deadline = nil
        setEntry(entry)
        guard rule.holds(at: at.wall, in: context) else { return }
        fire(slot, entry, rule, isInside ? .entered : .left, at: at)
    }

    private mutating func fire(
        _ slot: Int32,
        _ entry: ScheduleEntry,
        _ rule: RegionRule,
        _ crossing: CircularRegion.Crossing,
        at: TriggerInstant
    ) {
        var entry = entry
        entry.count(1, until: at.wall, in: context)
        conclude(slot, entry, dueAt: at, late: now.boot - at.boot, goesOn: rule.repeats, crossing: crossing)
    }

    // MARK: The demand for location fixes

    /// The current demand for location fixes; nil if none are needed. O(1) without regions or feeds, otherwise as long
    /// as the evaluation of a fix.
    mutating func positionDemand() -> LocationDemand? {
        guard isRunning, !regions.isEmpty || !feeds.isEmpty else {
            positions.rest()
            return nil
        }
        guard positions.retryAt == nil else { return nil }
        var demand = LocationDemand.first
        if let fix = positions.last, regions.areKnown, feeds.haveFix {
            let distance = regions.index.distanceToNearestBorder(of: EarthPoint(fix), limit: LocationDemand.horizon)
            let slack = min(distance, feeds.unknown(from: fix)) - (fix.accuracy ?? 0)
            demand = .toward(border: slack, stride: feeds.stride, replacing: positions.demand)
        }
        positions.demand = demand
        return demand
    }

    /// The location report, without the name of the provider, which the center adds.
    var positionReport: NoticeCenter.LocationReport {
        NoticeCenter.LocationReport(
            fix: positions.last,
            accepted: positions.accepted,
            coarse: positions.coarse,
            ignored: positions.ignored,
            demand: positions.demand,
            error: positions.error,
            regions: regions.index.count,
            inside: regions.states.values.count { $0.isInside }
        )
    }
}
