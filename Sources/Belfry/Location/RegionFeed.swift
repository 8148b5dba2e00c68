/// The nearest places of an app's own source, which has more of them than one wants to register: a service, a file, a database.
///
/// ```swift
/// let stories = RegionFeed("stories", nearest: 20) { fix, count in
///     try await service.stories(near: fix.latitude, fix.longitude, atMost: count).map(\.request)
/// }
/// try await center.keep(stories)
/// ```
///
/// The center keeps the nearest of them pending as ordinary requests, and asks the source again as the position moves.
/// `docs/places.md` has the rules ("More places than one wants to register").
public struct RegionFeed: Sendable {
    /// Answers the places nearest to a position by their centres, at most so many: requests that wait for a place. Fewer than
    /// so many means that there are no others.
    public typealias Source = @Sendable (_ position: PositionFix, _ count: Int) async throws -> [NoticeRequest]

    /// What the feed's requests are known by, over restarts too; 1 to 256 bytes of UTF-8.
    public var name: String
    /// How many places are kept pending; 1 to 1,000.
    public var count: Int
    /// Metres after which the source is asked again, at the latest; 10 to 100,000.
    public var stride: Double
    /// Metres: no place of the source has a larger radius. Nil where that is not known; then the largest one of the last
    /// answer counts, and a larger one beyond it comes in late.
    public var largestRadius: Double?
    /// How long the source may take over an answer; up to 10 minutes.
    public var timeLimit: Duration
    public var source: Source

    /// The stride that is usual for a significant change of position.
    public static let usualStride = 500.0

    public init(
        _ name: String,
        nearest count: Int = 20,
        stride: Double = usualStride,
        largestRadius: Double? = nil,
        timeLimit: Duration = .seconds(30),
        source: @escaping Source
    ) {
        self.name = name
        self.count = count
        self.stride = stride
        self.largestRadius = largestRadius
        self.timeLimit = timeLimit
        self.source = source
    }

    func validate() throws(NoticeError) {
        guard (1...256).contains(name.utf8.count), !name.unicodeScalars.contains(where: \.isControl) else {
            throw NoticeError(
                .invalidFeed,
                "The feed's name has \(name.utf8.count) bytes, or a control character: 1 to 256 bytes without one are right."
            )
        }
        guard (1...1_000).contains(count) else {
            throw NoticeError(.invalidFeed, "A feed of \(count) places: it must be 1 to 1,000.")
        }
        guard (10...100_000).contains(stride) else {
            throw NoticeError(.invalidFeed, "A stride of \(stride) m: it must be 10 m to 100 km.")
        }
        if let largestRadius, !(1...1_000_000).contains(largestRadius) {
            throw NoticeError(.invalidFeed, "A largest radius of \(largestRadius) m: it must be 1 m to 1,000 km.")
        }
        guard timeLimit > .zero, timeLimit <= .seconds(600) else {
            throw NoticeError(
                .invalidFeed,
                "A time limit of \(timeLimit.seconds) s: it must be over 0 and at most 10 minutes."
            )
        }
    }
}

extension NoticeError.Code {
    /// A feed whose name, count, stride, radius or time limit is out of its range. Permanent.
    public static let invalidFeed = Self(rawValue: "invalidFeed")
    /// A feed's source failed, or took too long. Transient: it is asked again after 10 s, 20 s and so on up to 10 minutes.
    public static let feedUnavailable = Self(rawValue: "feedUnavailable")
    /// A feed's source gave places that can't be registered; the others are. Permanent for these.
    public static let regionIgnored = Self(rawValue: "regionIgnored")
}
