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
