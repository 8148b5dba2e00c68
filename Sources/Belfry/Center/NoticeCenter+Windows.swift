extension NoticeCenter {
    /// Keeps the nearest places of an app's own source pending, from now until ``endWindow(_:)`` or the end of this center. A
    /// window of the same name is replaced.
    ///
    /// The source is asked at the next position, and again as that moves; an answer is one commit. What it gives are ordinary
    /// requests under their own identifiers, each fired once unless its trigger repeats, over restarts too. Requests that were
    /// added otherwise are left alone. What an earlier run of the app left pending stays until the first answer.
    ///
    /// What goes wrong later is told as ``CenterEvent/problem(_:)``: ``NoticeError/Code/placesUnavailable``,
    /// ``NoticeError/Code/placeIgnored``. Throws ``NoticeError/Code/invalidWindow``, ``NoticeError/Code/locationUnavailable``
    /// where the center has no provider, ``NoticeError/Code/notAuthorized`` (permanent), ``NoticeError/Code/storeFailed``
    /// (transient), and `needsEmbeddedCenter` over the agent, which can't ask the app's code.
    public nonisolated(nonsending) func keep(_ window: PlaceWindow) async throws(NoticeError) {
        try await engine.keep(window)
    }

    /// Removes a window's pending requests, in one commit, and forgets which of its places have fired; also those of a window
    /// that this run has not kept. Unknown names are no error. Throws ``NoticeError/Code/storeFailed`` (transient).
    public nonisolated(nonsending) func endWindow(_ name: String) async throws(NoticeError) {
        try await engine.endWindow(name)
    }

    /// The windows that are kept, and those that an earlier run has left, by their names.
    public nonisolated(nonsending) func windows() async throws(NoticeError) -> [PlaceWindowReport] {
        try await engine.windows()
    }
}
