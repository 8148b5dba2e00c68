import FoundationEssentials

extension NoticeResponse {
    /// Puts off the notice that was answered, as ``NoticeCenter/snooze(_:for:)`` does, at the center that handed the response
    /// over: to the app's delegate or to a listener of ``NoticeCenter/responses()``.
    ///
    /// ```swift
    /// func handle(_ response: NoticeResponse) async {
    ///     if response.actionID == "later" { try? await response.snooze(for: .seconds(300)) }
    /// }
    /// ```
    ///
    /// Throws what that does, and ``NoticeError/Code/noCenter`` where the response was decoded or made by hand, or its center
    /// is gone; permanent: call the center's own.
    public nonisolated(nonsending) func snooze(for span: Duration) async throws(NoticeError) {
        try await snooze(.after(span))
    }

    /// The same until an instant; throws ``NoticeError/Code/neverFires`` where that is not after now.
    public nonisolated(nonsending) func snooze(until date: Date) async throws(NoticeError) {
        try await snooze(.until(date))
    }

    /// The same by a choice such as `.tomorrow(hour: 9)`, which follows the machine's zone.
    public nonisolated(nonsending) func snooze(_ choice: SnoozeChoice) async throws(NoticeError) {
        try await origin.center(of: self).snooze(self, choice)
    }

    /// The same answer, as it is handed over by a center.
    package func handedOver(by engine: any CenterEngine) -> NoticeResponse {
        var response = self
        response.origin = ResponseOrigin(engine)
        return response
    }
}
