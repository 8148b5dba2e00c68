public import Belfry
public import BelfryRecurrence
public import FoundationEssentials

extension NoticeCenter {
    /// Makes the owner's requests what the schedule says, in one transaction: what is new is added, what has changed
    /// replaced, what is gone removed. Requests of other owners, and those that were added by themselves, are left
    /// alone.
    ///
    /// An entry that has not changed is left as it is, also when its last notice was shown: what counts from its
    /// beginning ("next Tuesday, 4 times", every hour) goes on from where it began, over restarts too. What was removed
    /// by hand is added again. Entries without a coming date are in the report, and are no error.
    ///
    /// - Parameters:
    ///   - schedule: The entries that the owner has from now on.
    ///   - owner: A name for the schedule that stays, such as its file's path.
    ///   - isTrial: Nothing is changed; the report has what would be.
    ///   - now: When entries begin that count from their beginning; the center's own clock by default.
    ///   - zone: The zone of times that name none; the zone of the center's clock by default.
    ///
    /// The entries are planned off the caller's actor. Throws ``ScheduleError`` where an entry can't begin, and what
    /// `add` does.
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
    /// What the schedule wants pending where it begins now; entries whose fingerprint is known by their key go on
    /// instead.
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
                    name: entry.identifier(for: owner),
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
    /// Keeps the owner's requests what a watched file says, until the task is cancelled. Errors in an edit are
    /// reported, and the last good state stays. Times that name no zone are those of the zone of the center's clock,
    /// unless the watch's options name one. The file is read, and `report` called, off the caller's actor.
    @concurrent public func synchronize(
        following watch: ScheduleWatch,
        owner: String,
        reporting report: @escaping @Sendable (Result<SynchronizationReport, any Error>) async -> Void
    ) async {
        var watch = watch
        watch.systemZone = engine.clock.systemZone
        for await news in watch {
            do {
                await report(.success(try await synchronize(with: try news.get(), owner: owner)))
            } catch {
                await report(.failure(error))
            }
        }
    }
}
