public import FoundationEssentials

extension NoticeCenter {
    /// Snoozes the notice of a response: it is pending again under its identifier, with its content, and is shown after
    /// `span` (longer than zero). It is stored when this returns.
    ///
    /// For the app's own buttons. Their response has already ended the series, or a request with
    /// ``NoticeRequest/endsWhenAnswered``. ``NoticeAction/snooze(_:)`` ends neither, and needs no code. A repeating
    /// request continues independently. Attachments that a store has copied were removed with the response.
    ///
    /// Throws ``NoticeError/Code/invalidInterval``, ``NoticeError/Code/notFound`` for a response that an earlier
    /// version has stored (permanent), and ``NoticeError/Code/storeFailed`` (transient).
    public func snooze(_ response: NoticeResponse, for span: Duration) async throws(NoticeError) {
        try await engine.snooze(response, .after(span))
    }

    /// Snoozes the notice until a date; throws ``NoticeError/Code/neverFires`` if that is not after now.
    public func snooze(_ response: NoticeResponse, until date: Date) async throws(NoticeError) {
        try await engine.snooze(response, .until(date))
    }

    /// Snoozes the notice by a choice such as `.tomorrow(hour: 9)`, which follows the machine's time zone.
    public func snooze(_ response: NoticeResponse, _ choice: SnoozeChoice) async throws(NoticeError) {
        try await engine.snooze(response, choice)
    }

    /// Sets and stores the quiet hours. Deferred notices are evaluated again at once: nil releases all of them.
    ///
    /// ``show(_:)`` ignores quiet hours. Throws ``NoticeError/Code/invalidComponent`` (permanent) and
    /// ``NoticeError/Code/storeFailed`` (transient).
    public func setQuietHours(_ hours: QuietHours?) async throws(NoticeError) {
        try await engine.setQuietHours(hours)
    }

    /// Returns the quiet hours; nil if there are none.
    public func quietHours() async throws(NoticeError) -> QuietHours? {
        try await engine.quietHours()
    }

    /// Returns the series with pending notices, sorted by their next notice. O(elements).
    public func pendingSeries() async throws(NoticeError) -> [NoticeSeries.Pending] {
        try await engine.pendingSeries()
    }
}
