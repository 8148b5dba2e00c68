public import FoundationEssentials

extension NoticeResponse {
    /// Snoozes the notice of the response, as ``NoticeCenter/snooze(_:for:)`` does, at the center that delivered the
    /// response to the app's delegate or to a listener of ``NoticeCenter/responses()``.
    ///
    /// ```swift
    /// func handle(_ response: NoticeResponse) async {
    ///     if response.actionID == "later" { try? await response.snooze(for: .seconds(300)) }
    /// }
    /// ```
    ///
    /// - Throws: What ``NoticeCenter/snooze(_:for:)`` throws. ``NoticeError/Code/noCenter`` if the app decoded or
    ///   created the response, or if its center is gone; permanent: call the method of a center.
    public func snooze(for span: Duration) async throws(NoticeError) {
        try await snooze(.after(span))
    }

    /// Snoozes the notice until a date.
    ///
    /// - Throws: ``NoticeError/Code/neverFires`` if the date is not after now; permanent. Otherwise as
    ///   ``snooze(for:)``.
    public func snooze(until date: Date) async throws(NoticeError) {
        try await snooze(.until(date))
    }

    /// Snoozes the notice by a choice such as `.tomorrow(hour: 9)`, which follows the machine's time zone.
    ///
    /// - Throws: ``NoticeError/Code/invalidInterval``, ``NoticeError/Code/invalidComponent`` or
    ///   ``NoticeError/Code/neverFires`` for a choice that is out of range or not after now; permanent. Otherwise as
    ///   ``snooze(for:)``.
    public func snooze(_ choice: SnoozeChoice) async throws(NoticeError) {
        try await origin.center(of: self).snooze(self, choice)
    }

    /// Returns the same response with `engine` as its origin.
    package func attached(to engine: any CenterEngine) -> NoticeResponse {
        var response = self
        response.origin = ResponseOrigin(engine)
        return response
    }
}

/// A reference from a response to the center that delivered it.
///
/// It is not part of the response's value: all origins are equal, and none is stored or sent. The reference is weak.
package struct ResponseOrigin: Sendable, Hashable {
    private let engine: (@Sendable () -> (any CenterEngine)?)?

    /// Creates the origin of a response that was decoded or created by the app.
    package init() { engine = nil }

    package init(_ engine: any CenterEngine) { self.engine = { [weak engine] in engine } }

    package static func == (_: ResponseOrigin, _: ResponseOrigin) -> Bool { true }
    package func hash(into hasher: inout Hasher) {}

    /// Returns the center of the response. Throws ``NoticeError/Code/noCenter``.
    func center(of response: NoticeResponse) throws(NoticeError) -> any CenterEngine {
        if let engine = engine?() { return engine }
        throw NoticeError(
            .noCenter,
            engine == nil
                ? "The response '\(response.id)' was not delivered by a center of this process: call snooze on the "
                    + "center, with the response."
                : "The center that delivered the response '\(response.id)' is gone: keep it, or call snooze on another "
                    + "one of the app, with the response."
        )
    }
}
