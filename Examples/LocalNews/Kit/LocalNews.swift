import Belfry

/// Tells each story once, when its place is near.
///
/// The center keeps only the few stories pending that are nearest, however many there are.
public struct LocalNews: Sendable {
    public let archive: StoryArchive
    private let center: NoticeCenter

    public static let feedName = "stories"

    public init(_ archive: StoryArchive, on center: NoticeCenter) {
        self.archive = archive
        self.center = center
    }

    /// From now on, until ``stop()`` or the end of the center; after a restart it goes on where it was. Throws `NoticeError`.
    public func start() async throws(NoticeError) {
        let archive = archive
        let stories = RegionFeed(Self.feedName, nearest: 12, largestRadius: Story.largestRadius) { fix, count in
            archive.nearest(count, to: fix).map(\.request)
        }
        try await center.startMonitoring(stories)
    }

    /// Nothing is pending any more, and every story counts as untold. Throws `NoticeError`.
    public func stop() async throws(NoticeError) { try await center.stopMonitoring(Self.feedName) }
}
