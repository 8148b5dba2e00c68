public import FoundationEssentials

extension NoticeResponse {
    /// Puts off the notice that was answered, as ``NoticeCenter/snooze(_:for:)`` does, at the center that handed the
    /// response over: to the app's delegate or to a listener of ``NoticeCenter/responses()``.
    ///
    /// ```swift
    /// func handle(_ response: NoticeResponse) async {
    ///     if response.actionID == "later" { try? await response.snooze(for: .seconds(300)) }
    /// }
    /// ```
    ///
    /// Throws what that does, and ``NoticeError/Code/noCenter`` where the response was decoded or made by hand, or its
    /// center is gone; permanent: call the center's own.
    public func snooze(for span: Duration) async throws(NoticeError) {
        try await snooze(.after(span))
    }

    /// The same until an instant; throws ``NoticeError/Code/neverFires`` where that is not after now.
    public func snooze(until date: Date) async throws(NoticeError) {
        try await snooze(.until(date))
    }

    /// The same by a choice such as `.tomorrow(hour: 9)`, which follows the machine's zone.
    public func snooze(_ choice: SnoozeChoice) async throws(NoticeError) {
        try await origin.center(of: self).snooze(self, choice)
    }

    /// The same answer, as it is handed over by a center.
    package func handedOver(by engine: any CenterEngine) -> NoticeResponse {
        var response = self
        response.origin = ResponseOrigin(engine)
        return response
    }
}

/// The way from a response back to the center that handed it over.
///
/// No part of the response's value: all are equal, and none is stored or sent. It keeps no center alive.
package struct ResponseOrigin: Sendable, Hashable {
    private let engine: (@Sendable () -> (any CenterEngine)?)?

    /// Of a response that was read from somewhere, or made by hand.
    package init() { engine = nil }

    package init(_ engine: any CenterEngine) { self.engine = { [weak engine] in engine } }

    package static func == (_: ResponseOrigin, _: ResponseOrigin) -> Bool { true }
    package func hash(into hasher: inout Hasher) {}

    /// Throws ``NoticeError/Code/noCenter``.
    func center(of response: NoticeResponse) throws(NoticeError) -> any CenterEngine {
        if let engine = engine?() { return engine }
        throw NoticeError(
            .noCenter,
            engine == nil
                ? "The response '\(response.id)' was not handed over by a center of this process: call snooze on the center, "
                    + "with the response."
                : "The center that handed over the response '\(response.id)' is gone: keep it, or call snooze on another "
                    + "one of the app, with the response."
        )
    }
}
