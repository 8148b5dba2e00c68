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
        for entry in wanted.entries where known[entry.key] != entry.fingerprint {
            for request in entry.requests ?? [] {
                try validate(request)
                await compile(request.trigger)
                warnings += self.warnings(request).map { "\(entry.key): \($0)" }
            }
        }
        guard case .synchronized(var report) = try await call({ .synchronized(wanted, isTrial: isTrial, $0) }) else {
            throw NoticeError(.centerStopped, "The center answered something else than a synchronization.")
        }
        report.warnings += warnings
        return report
    }
}
