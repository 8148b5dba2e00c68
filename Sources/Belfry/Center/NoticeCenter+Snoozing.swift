public import FoundationEssentials

extension NoticeCenter {
    /// Snoozes the notice of a response: it is pending again under its identifier, with its content, and is shown after
    /// `span` (longer than zero). It is stored when this returns.
    ///
    /// Use it for the app's own buttons. Their response has already ended the series, or a request with
    /// ``NoticeRequest/endsWhenAnswered``. After a dismissal that has ended neither, a response to the snoozed notice
    /// does. ``NoticeAction/snooze(_:)`` ends neither, and needs no code. A repeating request continues independently.
    /// Attachments that a store has copied were removed with the response.
    ///
    /// - Throws: ``NoticeError/Code/invalidInterval`` if `span` is not above zero and at most 100 years, and
    ///   ``NoticeError/Code/notFound`` for a response that an earlier version has stored; permanent.
    ///   ``NoticeError/Code/storeFailed`` if the snooze can't be stored; transient.
    public func snooze(_ response: NoticeResponse, for span: Duration) async throws(NoticeError) {
        try await engine.snooze(response, .after(span))
    }

    /// Snoozes the notice until a date.
    ///
    /// - Throws: ``NoticeError/Code/neverFires`` if the date is not after now, and
    ///   ``NoticeError/Code/invalidComponent`` if it is outside the years 1 to 9999; permanent. Otherwise as
    ///   ``snooze(_:for:)``.
    public func snooze(_ response: NoticeResponse, until date: Date) async throws(NoticeError) {
        try await engine.snooze(response, .until(date))
    }

    /// Snoozes the notice by a choice such as `.tomorrow(hour: 9)`, which follows the machine's time zone.
    ///
    /// - Throws: ``NoticeError/Code/invalidInterval``, ``NoticeError/Code/invalidComponent`` or
    ///   ``NoticeError/Code/neverFires`` for a choice that is out of range or not after now; permanent. Otherwise as
    ///   ``snooze(_:for:)``.
    public func snooze(_ response: NoticeResponse, _ choice: SnoozeChoice) async throws(NoticeError) {
        try await engine.snooze(response, choice)
    }

    /// Sets and stores the quiet hours. Deferred notices are evaluated again at once: nil releases all of them.
    /// ``show(_:)`` ignores quiet hours.
    ///
    /// - Throws: ``NoticeError/Code/invalidComponent`` for a time or a number of periods that is out of range;
    ///   permanent. ``NoticeError/Code/storeFailed`` if they can't be stored; transient.
    public func setQuietHours(_ hours: QuietHours?) async throws(NoticeError) {
        try await engine.setQuietHours(hours)
    }

    /// Returns the quiet hours; nil if there are none.
    ///
    /// - Throws: ``NoticeError/Code/storeFailed`` if the store can't be opened; transient.
    public func quietHours() async throws(NoticeError) -> QuietHours? {
        try await engine.quietHours()
    }

    /// Returns the series with pending notices, sorted by their next notice. O(elements).
    ///
    /// - Throws: ``NoticeError/Code/storeFailed`` if the store can't be opened or read; transient.
    public func pendingSeries() async throws(NoticeError) -> [NoticeSeries.Pending] {
        try await engine.pendingSeries()
    }
}
