import Belfry
import Foundation

/// All stories there are, from a file; a newspaper would ask its server.
public struct StoryArchive: Sendable {
    public let stories: [Story]

    /// Throws ``StoryError`` where the file can't be read, says the same identifier twice, or has a place that can't be.
    public init(contentsOf file: URL) throws(StoryError) {
        let data: Data
        do { data = try Data(contentsOf: file) } catch { throw .unreadable(file.path, "\(error)") }
        do { stories = try JSONDecoder().decode([Story].self, from: data) } catch {
            throw .unreadable(file.path, "\(error)")
        }
        var seen: Set<String> = []
        for story in stories {
            guard seen.insert(story.id).inserted else { throw .sameTwice(story.id) }
            guard (-90...90).contains(story.latitude), (-180...180).contains(story.longitude),
                (1...Story.largestRadius).contains(story.region.radius)
            else { throw .noSuchPlace(story.id) }
        }
    }

    /// The stories of Berlin that come with this example.
    public static func berlin() throws(StoryError) -> StoryArchive {
        try StoryArchive(contentsOf: BundledFiles.stories)
    }

    /// The stories whose places are nearest, nearest first. O(stories).
    public func nearest(_ count: Int, to fix: LocationFix) -> [Story] {
        // Good enough to tell near from far within a city; what counts as near to a place is the center's business.
        let shrink = cos(fix.latitude * .pi / 180)
        func square(_ story: Story) -> Double {
            let north = story.latitude - fix.latitude
            let east = (story.longitude - fix.longitude).remainder(dividingBy: 360) * shrink
            return north * north + east * east
        }
        let near = stories.map { (square($0), $0) }.sorted { ($0.0, $0.1.id) < ($1.0, $1.1.id) }
        return near.prefix(count).map(\.1)
    }
}

/// What comes with the example.
public enum BundledFiles {
    static var stories: URL { file("berlin-stories.json") }
    /// A ride by bus and a walk through Berlin, an hour long.
    public static var ride: URL { file("berlin-ride.gpx") }

    private static func file(_ name: String) -> URL { Bundle.module.bundleURL.appending(path: "Data/\(name)") }
}

/// What was wrong with the stories. All of it is permanent: mend the file.
public enum StoryError: Error, Sendable, Hashable, CustomStringConvertible {
    case unreadable(String, String)
    case sameTwice(String)
    case noSuchPlace(String)

    public var description: String {
        switch self {
        case .unreadable(let path, let reason): "The stories in '\(path)' can't be read: \(reason)"
        case .sameTwice(let id): "There are two stories '\(id)': give each an identifier of its own."
        case .noSuchPlace(let id):
            "The place of the story '\(id)' can't be: look at its latitude, its longitude and its radius, which is 1 to 300 m."
        }
    }
}
