extension NoticeCenter {
    /// The last position, what became of all that were told, and what the provider is asked for.
    ///
    /// Throws ``NoticeError/Code/storeFailed`` where the store can't be opened (transient), and
    /// ``NoticeError/Code/unsupported`` over the agent, which has positions of its own (permanent).
    public func position() async throws(NoticeError) -> LocationReport {
        try await engine.position()
    }

    /// Keeps the nearest regions of an app's own source pending, from now until ``stopMonitoring(_:)`` or the end of
    /// this center. A feed of the same ``RegionFeed/id`` is replaced.
    ///
    /// The source is asked at the next fix, and again as the device moves; a result is one transaction. What it gives
    /// are ordinary requests under their own identifiers, each fired once unless its trigger repeats, over restarts
    /// too. Requests that were added otherwise are left alone. What an earlier run of the app left pending stays until
    /// the first result.
    ///
    /// What goes wrong later is reported as ``CenterEvent/error(_:)``: ``NoticeError/Code/feedUnavailable``,
    /// ``NoticeError/Code/regionIgnored``. Throws ``NoticeError/Code/invalidFeed``,
    /// ``NoticeError/Code/locationUnavailable`` where the center has no provider, ``NoticeError/Code/notAuthorized``
    /// (permanent), ``NoticeError/Code/storeFailed`` (transient), and `needsEmbeddedEngine` over the agent, which can't
    /// ask the app's code.
    public func startMonitoring(_ feed: RegionFeed) async throws(NoticeError) {
        try await engine.startMonitoring(feed)
    }

    /// Removes a feed's pending requests, in one transaction, and forgets which of its regions have fired; also those
    /// of a feed that this run has not monitored. Unknown identifiers are no error. Throws
    /// ``NoticeError/Code/storeFailed`` (transient).
    public func stopMonitoring(_ id: String) async throws(NoticeError) {
        try await engine.stopMonitoring(id)
    }

    /// The feeds that are monitored, and those that an earlier run has left, sorted by identifier.
    public func monitoredFeeds() async throws(NoticeError) -> [RegionFeed.Report] {
        try await engine.monitoredFeeds()
    }
}
