extension EmbeddedEngine {
    func fingerprints(of owner: String) async throws(NoticeError) -> [String: String] {
        try await settle()
        return schedule.owners[.app(owner)].mapValues(\.fingerprint)
    }

    func synchronize(_ wanted: OwnedRequests, isTrial: Bool) async throws(NoticeError)
        -> NoticeCenter.SynchronizationReport
    {
        if !isTrial { try await checkAuthorization() }
        let known = try await fingerprints(of: wanted.owner)
        var warnings: [String] = []
        // What is there already was looked at when it came.
        let news = wanted.entries.filter { known[$0.key] != $0.fingerprint }
        for entry in news {
            for request in entry.requests ?? [] {
                try validate(request)
                warnings += self.warnings(request).map { "\(entry.key): \($0)" }
            }
        }
        await compile(news.lazy.compactMap(\.requests).joined().compactMap(\.trigger))
        var report = try await changed { schedule, now throws(NoticeError) in
            try schedule.synchronize(wanted, isTrial: isTrial, at: now)
        }
        report.warnings += warnings
        return report
    }
}
