extension NoticeCenter {
    /// Returns the last location fix, statistics of all fixes, and the demand on the provider.
    ///
    /// - Throws: ``NoticeError/Code/storeFailed`` if the store can't be opened; transient. From the agent's client
    ///   ``NoticeError/Code/unsupported``, because the agent has its own provider; permanent.
    public func locationReport() async throws(NoticeError) -> LocationReport {
        try await engine.locationReport()
    }

    /// Keeps the nearest regions of an app's own source pending, from now until ``stopMonitoring(_:)`` or the end of
    /// this center. A feed with the same ``RegionFeed/id`` is replaced.
    ///
    /// The source is called at the next fix, and again as the device moves; each result is one transaction. Its
    /// requests are ordinary ones under their own identifiers. Each fires once unless its trigger repeats, also across
    /// restarts. Requests that were added otherwise are left alone. Requests of an earlier run of the app stay until
    /// the first result.
    ///
    /// Later errors are reported as ``CenterEvent/error(_:)``: ``NoticeError/Code/feedUnavailable`` and
    /// ``NoticeError/Code/regionIgnored``.
    ///
    /// - Throws: Permanent: ``NoticeError/Code/invalidFeed``, ``NoticeError/Code/locationUnavailable`` if the center
    ///   has no provider, and ``NoticeError/Code/notAuthorized``. From the agent's client `needsEmbeddedEngine`,
    ///   because the agent can't call the app's code. Transient: ``NoticeError/Code/storeFailed``.
    public func startMonitoring(_ feed: RegionFeed) async throws(NoticeError) {
        try await engine.startMonitoring(feed)
    }

    /// Removes a feed's pending requests in one transaction, and discards which of its regions have fired. This
    /// includes feeds that only an earlier run has monitored. Unknown identifiers are no error.
    ///
    /// - Throws: ``NoticeError/Code/storeFailed`` if the removal can't be stored; transient. From the agent's client
    ///   `needsEmbeddedEngine`; permanent.
    public func stopMonitoring(_ id: String) async throws(NoticeError) {
        try await engine.stopMonitoring(id)
    }

    /// Returns the monitored feeds, and those that an earlier run has left, sorted by identifier.
    ///
    /// - Throws: ``NoticeError/Code/storeFailed`` if the store can't be opened; transient.
    public func monitoredFeeds() async throws(NoticeError) -> [RegionFeed.Report] {
        try await engine.monitoredFeeds()
    }
}
