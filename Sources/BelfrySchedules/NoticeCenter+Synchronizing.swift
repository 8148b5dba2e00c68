public import Belfry
public import BelfryRecurrence
public import FoundationEssentials

extension NoticeCenter {
    /// Makes the owner's requests equal to the schedule, in one transaction: new entries are added, changed ones
    /// replaced, missing ones removed. Requests of other owners, and those that were added individually, are not
    /// changed.
    ///
    /// An unchanged entry is left as it is, even after its last notice was shown. Anything that counts from its
    /// beginning ("next Tuesday, 4 times", every hour) continues from there, also after a restart. A request that was
    /// removed by hand is added again. Entries without a future date are listed in the report and are no error.
    ///
    /// - Parameters:
    ///   - schedule: The new entries of the owner.
    ///   - owner: A permanent name for the schedule, such as its file's path.
    ///   - isTrial: If true, nothing is changed; the report contains the changes that would be made.
    ///   - now: The beginning of entries that count from it; by default, the time of the center's clock.
    ///   - zone: The zone of times that name none; by default, the zone of the center's clock.
    ///
    /// The entries are planned off the caller's actor. Throws ``ScheduleError`` if an entry can't begin (permanent),
    /// and the errors of `add`, each with its own ``Belfry/NoticeError/isTransient``.
    @concurrent @discardableResult
    public func synchronize(
        with schedule: NoticeSchedule,
        owner: String,
        isTrial: Bool = false,
        at now: Date? = nil,
        in zone: ZoneRules? = nil
    ) async throws -> SynchronizationReport {
        let clock = engine.clock
        var attempts = 0
        while true {
            do {
                let known = try await engine.fingerprints(of: owner)
                let (now, zone) = (now ?? clock.now().date, zone ?? clock.systemZone())
                let wanted = try schedule.requests(of: owner, known: known, beginningAt: now, in: zone)
                var report = try await engine.synchronize(wanted, isTrial: isTrial)
                report.warnings = schedule.warnings + report.warnings
                return report
            } catch NoticeError.Code.ownerChanged where attempts < 3 {
                attempts += 1
            }
        }
    }
}

extension NoticeSchedule {
    /// Returns the requests of the schedule if it begins now. Entries whose fingerprint is in `known` under their key
    /// continue unchanged.
    package func requests(
        of owner: String,
        known: [String: String] = [:],
        beginningAt now: Date,
        in zone: ZoneRules
    ) throws(ScheduleError) -> OwnedRequests {
        var wanted = OwnedRequests(owner: owner, entries: [])
        var diagnostics: [ScheduleDiagnostic] = []
        for entry in entries {
            var outcome: PlanOutcome?
            if known[entry.key] != entry.fingerprint {
                do throws(ScheduleDiagnostic) {
                    outcome = try entry.outcome(beginningAt: now, in: zone, owner: owner)
                } catch { diagnostics.append(error) }
            }
            wanted.entries.append(
                .init(
                    key: entry.key,
                    fingerprint: entry.fingerprint,
                    requests: outcome?.requests,
                    name: entry.id(for: owner),
                    remark: outcome?.remark
                )
            )
        }
        guard diagnostics.isEmpty else {
            throw ScheduleError(source: source, diagnostics: Array(diagnostics.prefix(ScheduleError.limit)))
        }
        return wanted
    }
}

extension NoticeCenter {
    /// Synchronizes the owner's requests with a watched file until the task is canceled. Errors in an edit are
    /// reported, and the last valid state stays. Times without a zone use the zone of the center's clock, unless the
    /// watch's options name one. The file is read, and `report` called, off the caller's actor.
    ///
    /// After a transient error, the same schedule is tried again after a second, then with increasing delays up to a
    /// minute, until it is stored or the file changes. Each attempt is reported. Throws only what `report` throws.
    @concurrent public func synchronize<Failure: Error>(
        following watch: ScheduleWatch,
        owner: String,
        reporting report: @escaping @Sendable (Result<SynchronizationReport, any Error>) async throws(Failure) -> Void
    ) async throws(Failure) {
        var watch = watch
        watch.systemZone = engine.clock.systemZone
        var files = watch.makeAsyncIterator()
        var delay = Duration.seconds(1)
        while let news = await files.next() {
            let result = await Result { try await synchronize(with: try news.get(), owner: owner) }
            if case .failure(let error as NoticeError) = result, error.isTransient {
                files.repeatElement(news, after: delay)
                delay = min(delay * 2, .seconds(60))
            } else {
                delay = .seconds(1)
            }
            try await report(result)
        }
    }
}
