public import Foundation

/// What is on the private desktop's screen.
public enum Screen {
    /// A file of its own: later pictures don't change it.
    public struct Picture: Sendable { public let url: URL }

    private static var folder: URL {
        URL(fileURLWithPath: ProcessInfo.processInfo.environment["BELFRY_TEST_DESKTOP_STATE"] ?? "/tmp")
    }

    /// The popups alone, when two pictures in a row are the same: nothing fades in any more.
    static func settledPicture(_ name: String) async throws -> Picture {
        var before: Picture?
        let end = ContinuousClock.now + .seconds(60)
        while true {
            let url = folder.appendingPathComponent("\(name)-\(UUID().uuidString.prefix(8)).png")
            try await Desktop.tool("screenshot", "--crop", url.path)
            let now = Picture(url: url)
            if let before, try await differ(before, now) == false { return now }
            guard ContinuousClock.now < end else {
                throw Desktop.Failure(description: "The screen does not come to rest within 60 s.")
            }
            before = now
        }
    }

    /// Whether two pictures differ in size or in any pixel.
    static func differ(_ first: Picture, _ second: Picture) async throws -> Bool {
        let sizes = try await [size(first), size(second)]
        guard sizes[0] == sizes[1] else { return true }
        return try await Desktop.differentPixels(first.url, second.url) > 0
    }

    private static func size(_ picture: Picture) async throws -> String {
        try await Desktop.run("/usr/bin/identify", ["-format", "%wx%h", picture.url.path])
    }

    /// How many pixels have exactly this color, as `#RRGGBB`.
    static func pixels(_ picture: Picture, of color: String) async throws -> Int {
        let printed = try await Desktop.convertPicture([
            picture.url.path, "-fill", "black", "+opaque", color, "-fill", "white", "-opaque", color, "-format",
            "%[fx:mean*w*h]", "info:",
        ])
        return try Desktop.count(printedByImageMagick: printed)
    }

    /// Returns when no popup is on the screen any more; gives up after a minute.
    static func waitUntilEmpty() async throws {
        try await Desktop.tool("screen-empty")
    }
}
