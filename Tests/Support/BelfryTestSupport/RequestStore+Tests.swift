package import Belfry

extension RequestStore {
    /// One by one, for the stores of tests.
    package func requests(revisions: [Int64]) async throws(NoticeError) -> [Int64: NoticeRequest] {
        var found: [Int64: NoticeRequest] = [:]
        for revision in revisions {
            do throws(NoticeError) { found[revision] = try await request(revision: revision) } catch {
                guard error.code == .contentUnreadable else { throw error }
            }
        }
        return found
    }
}

/// For what a test reports.
extension DeliveryRecord: CustomStringConvertible {
    package var description: String {
        let shown = self.shownAt.map { "shown \($0) as \(self.receipt.map { "\($0)" } ?? "nothing")" } ?? "not shown"
        return "\(id) of '\(self.requestID)' (\(self.revision)), due \(self.dueAt), \(shown), \(self.traits)"
    }
}
