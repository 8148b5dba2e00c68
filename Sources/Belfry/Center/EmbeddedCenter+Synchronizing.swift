extension EmbeddedCenter {
    func fingerprints(of owner: String) async throws(NoticeError) -> [String: String] {
        try await settle()
        return schedule.owners[.app(owner)].mapValues(\.fingerprint)
    }

    func synchronize(_ wanted: OwnedRequests, isTrial: Bool) async throws(NoticeError) -> SynchronizationReport {
        if !isTrial { try await checkAuthorization() }
        let known = try await fingerprints(of: wanted.owner)
        var warnings: [String] = []
        // What is there already was looked at when it came.
        let changed = wanted.entries.filter { known[$0.key] != $0.fingerprint }
        for entry in changed {
            for request in entry.requests ?? [] {
                try validate(request)
                warnings += self.warnings(request).map { "\(entry.key): \($0)" }
            }
        }
        await compile(changed.lazy.compactMap(\.requests).joined().compactMap(\.trigger))
        guard case .synchronized(var report) = try await call({ .synchronized(wanted, isTrial: isTrial, $0) }) else {
            throw NoticeError(.centerStopped, "The center answered something else than a synchronization.")
        }
        report.warnings += warnings
        return report
    }
}
