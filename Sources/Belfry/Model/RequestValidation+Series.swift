import FoundationEssentials

extension RequestValidation {
    /// Returns the elements of a series that is added at `now`, after validating them.
    func elements(of series: NoticeSeries, addedAt now: Date) throws(NoticeError) -> [NoticeRequest] {
        try validate(series.escalation, of: series.content, series.id)
        let elements = try series.requests(startingAt: now)
        if let first = elements.first { try validate(first) }
        if let last = elements.last { try validate(last) }
        let first = series.first ?? now
        guard now.timeIntervalSince(first) < series.spacing.seconds else {
            throw NoticeError(
                .neverFires,
                "The series '\(series.id)' begins at \(first.formatted(.iso8601)), more than one spacing ago: "
                    + "begin it now or later."
            )
        }
        return elements
    }
}
