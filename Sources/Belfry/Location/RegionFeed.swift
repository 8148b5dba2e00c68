/// A source with more regions than an app wants to register, such as a service, a file or a database. Only the nearest
/// regions are monitored.
///
/// ```swift
/// func monitor(
///     _ shops: @escaping @Sendable (LocationFix, Int) async throws -> [String: CircularRegion]
/// ) async throws {
///     let feed = RegionFeed("shops", nearest: 20) { fix, count in
///         try await shops(fix, count).map { name, region in
///             NoticeRequest(id: name, title: "\(name) is near", trigger: LocationTrigger(region: region))
///         }
///     }
///     try await center.startMonitoring(feed)
/// }
/// ```
///
/// The center keeps the nearest regions pending as ordinary requests, and calls the source again as the device moves.
/// <doc:regions> has the rules.
public struct RegionFeed: Sendable, Identifiable {
    /// Returns the requests whose regions have the centers nearest to a fix, `count` at most. Fewer mean that there are
    /// no others. It is called on an app thread, which it may block.
    public typealias Source = @concurrent @Sendable (_ fix: LocationFix, _ count: Int) async throws -> [NoticeRequest]

    /// The identifier of the feed's requests, also across restarts; 1 to 256 bytes of UTF-8.
    public var id: String
    /// How many regions are kept pending; 1 to 1,000.
    public var count: Int
    /// Meters of movement after which the source is called again, at the latest; 10 to 100,000.
    public var stride: Double
    /// Meters: the largest radius of a region of the source. Nil if it is not known. Then the largest radius in the
    /// last result is used, and a larger region beyond it is registered late.
    public var largestRadius: Double?
    /// The timeout of the source; over 0 and up to 10 minutes.
    public var timeout: Duration
    /// Returns the nearest regions, as requests.
    public var source: Source

    /// The usual stride for a significant change of location.
    public static let defaultStride = 500.0

    /// Creates a feed; its values are checked when a center begins to monitor it.
    public init(
        _ id: String,
        nearest count: Int = 20,
        stride: Double = defaultStride,
        largestRadius: Double? = nil,
        timeout: Duration = .seconds(30),
        source: @escaping Source
    ) {
        self.id = id
        self.count = count
        self.stride = stride
        self.largestRadius = largestRadius
        self.timeout = timeout
        self.source = source
    }

    /// Checks the values. Throws ``NoticeError/Code/invalidFeed`` with the value that is out of range; permanent.
    func validate() throws(NoticeError) {
        func require(_ isRight: Bool, _ message: String) throws(NoticeError) {
            if !isRight { throw NoticeError(.invalidFeed, message) }
        }
        let bytes = id.utf8.count
        try require(
            (1...256).contains(bytes) && !id.unicodeScalars.contains(where: \.isControl),
            "A region feed's identifier of \(bytes) bytes, or with a control character: it must be 1 to 256 bytes "
                + "without one."
        )
        try require((1...1_000).contains(count), "A feed of \(count) regions: it must be 1 to 1,000.")
        try require((10...100_000).contains(stride), "A stride of \(stride) m: it must be 10 m to 100 km.")
        let largest = largestRadius ?? 1
        try require((1...1_000_000).contains(largest), "A largest radius of \(largest) m: it must be 1 m to 1,000 km.")
        let seconds = timeout.seconds
        try require(
            timeout > .zero && timeout <= .seconds(600),
            "A timeout of \(seconds) s: it must be over 0 and at most 10 minutes."
        )
    }
}

extension NoticeError.Code {
    /// The identifier, count, stride, radius or timeout of a region feed is out of range. Permanent.
    public static let invalidFeed = Self(rawValue: "invalidFeed")
    /// The source of a region feed failed or timed out. Transient: it is called again after 10 s, 20 s and so on up to
    /// 10 minutes.
    public static let feedUnavailable = Self(rawValue: "feedUnavailable")
    /// The source of a region feed returned requests that can't be registered; the others are. Permanent for these.
    public static let regionIgnored = Self(rawValue: "regionIgnored")
}
