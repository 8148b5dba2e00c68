public import FoundationEssentials

extension NoticeCenter {
    /// Puts off the notice that was answered: it is pending again under its identifier, with its content, and comes
    /// after `span` (longer than zero). Durable when this returns.
    ///
    /// For buttons of the app's own. An answer by them has ended a series, or a request that comes until it is
    /// answered, by then; a button that is no answer is ``NoticeAction/snooze(_:)``, which needs no code. A request
    /// that repeats goes on beside it. Attachments that a store has copied are gone with the answer.
    ///
    /// Throws ``NoticeError/Code/invalidInterval``, and ``NoticeError/Code/notFound`` for a response that an earlier
    /// version has stored (permanent), ``NoticeError/Code/storeFailed`` (transient).
    public func snooze(_ response: NoticeResponse, for span: Duration) async throws(NoticeError) {
        try await engine.snooze(response, .after(span))
    }

    /// The same until an instant; throws ``NoticeError/Code/neverFires`` where that is not after now.
    public func snooze(_ response: NoticeResponse, until date: Date) async throws(NoticeError) {
        try await engine.snooze(response, .until(date))
    }

    /// The same by a choice such as `.tomorrow(hour: 9)`, which follows the machine's zone.
    public func snooze(_ response: NoticeResponse, _ choice: SnoozeChoice) async throws(NoticeError) {
        try await engine.snooze(response, choice)
    }

    /// When the user is to be left alone; stored. What waits now is looked at again at once: nil lets all of it go.
    ///
    /// ``show(_:)`` is not held back. Throws ``NoticeError/Code/invalidComponent`` (permanent) and
    /// ``NoticeError/Code/storeFailed`` (transient).
    public func setQuietHours(_ hours: QuietHours?) async throws(NoticeError) {
        try await engine.setQuietHours(hours)
    }

    /// Nil where there are none.
    public func quietHours() async throws(NoticeError) -> QuietHours? {
        try await engine.quietHours()
    }

    /// The series of which something is pending, those that come first at the front. O(elements).
    public func pendingSeries() async throws(NoticeError) -> [NoticeSeries.Pending] {
        try await engine.pendingSeries()
    }
}
