import Belfry
import BelfryLocationReplay
import BelfryRecorder
import BelfryTesting
import Foundation
import LocalNewsKit
import Testing

@Suite("An hour through Berlin")
struct RideTests {
    /// A line for each story that is told: its time and its identifier.
    static let expected: [String] = {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "ride.expected")
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("#") }
    }()

    private func line(_ date: Date, _ id: String) -> String {
        "\(date.formatted(Date.ISO8601FormatStyle(timeZone: .gmt))) \(id)"
    }

    private func ride() throws -> [LocationFix] { try LocationTrack(contentsOf: BundledFiles.ride.path).fixes }

    /// By another formula than Belfry's: on a sphere. In meters.
    private func distance(_ fix: LocationFix, _ story: Story) -> Double {
        func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }
        let (north, east) = (radians(story.latitude - fix.latitude), radians(story.longitude - fix.longitude))
        let half =
            pow(sin(north / 2), 2) + cos(radians(fix.latitude)) * cos(radians(story.latitude)) * pow(sin(east / 2), 2)
        return 2 * 6_371_008.8 * asin(half.squareRoot())
    }

    @Test("The list is what a loop over all positions and all places finds: outside before, and inside then")
    func list()
        throws
    {
        let (fixes, stories) = (try ride(), try StoryArchive.berlin().stories)
        // Who is inside has left when farther than the radius and 20 m more: before that a border is only trembled at.
        let cushion = 20.0
        var isInside: [String: Bool] = [:]
        var found: [String] = []
        var closest = Double.infinity
        for fix in fixes {
            for story in stories.sorted(by: { $0.id < $1.id })
            where !found.contains(where: { $0.hasSuffix(" \(story.id)") }) {
                let meters = distance(fix, story)
                let border = story.region.radius + (isInside[story.id] == true ? cushion : 0)
                closest = min(closest, abs(meters - border))
                if meters <= border, isInside[story.id] == false { found.append(line(fix.date, story.id)) }
                isInside[story.id] = meters <= border
            }
        }
        #expect(closest > 0.5, "where the formulas differ by as much as that, the list would be a matter of opinion")
        #expect(found.sorted() == Self.expected.sorted(), "\(found.joined(separator: "\n"))")
        #expect(found.count == 29)
    }

    @Test("What is told on the ride is the list, once each, with never more than a few stories pending") func told()
        async throws
    {
        let (fixes, archive) = (try ride(), try StoryArchive.berlin())
        let clock = ManualTriggerClock(date: fixes[0].date)
        let recorder = RecorderBackend()
        let center = NoticeCenter(
            app: AppIdentity(id: "org.example.LocalNews"),
            backend: recorder,
            clock: .manual(clock),
            location: try ReplayLocationProvider(fixes, clock: .manual(clock))
        )
        try await center.run { center in
            try await LocalNews(archive, on: center).start()
            while clock.date < fixes[fixes.count - 1].date {
                try await clock.advance(by: .seconds(60))
                let pending = try await center.pending().count
                #expect((1...20).contains(pending))
            }
            let told = recorder.deliveries.map { line($0.dueDate, $0.requestID) }
            #expect(told.sorted() == Self.expected.sorted())
            #expect(recorder.deliveries.allSatisfy { $0.late == .zero })
            // The same way back, and everything is told already.
            let feeds = try await center.monitoredFeeds()
            #expect(feeds.map(\.done) == [told.count] && feeds[0].error == nil)
        }
    }

    @Test("In another process the ride goes on, and nothing is told twice") func twoRuns() async throws {
        let (fixes, archive) = (try ride(), try StoryArchive.berlin())
        let clock = ManualTriggerClock(date: fixes[0].date)
        let store = NoticeStore.memory
        let position = try ReplayLocationProvider(fixes, clock: .manual(clock))
        let told = ToldStories()
        for minutes in [20, 15, 30] {
            let recorder = RecorderBackend()
            let center = NoticeCenter(
                app: AppIdentity(id: "org.example.LocalNews"),
                backend: recorder,
                store: store,
                clock: .manual(clock),
                location: position
            )
            try await center.run { center in
                try await LocalNews(archive, on: center).start()
                try await clock.advance(by: .seconds(minutes * 60))
            }
            await told.add(recorder.deliveries.map(\.requestID))
        }
        let ids = Self.expected.compactMap { $0.split(separator: " ").last.map(String.init) }
        #expect(await told.all.sorted() == ids.sorted())
    }

    @Test("A file that can't be right is told by name") func badFiles() throws {
        let path = NSTemporaryDirectory() + "stories-\(UUID().uuidString).json"
        defer { try? FileManager.default.removeItem(atPath: path) }
        func error(_ text: String) throws -> StoryError? {
            try text.write(toFile: path, atomically: true, encoding: .utf8)
            return #expect(throws: StoryError.self) { try StoryArchive(contentsOf: URL(fileURLWithPath: path)) }
        }
        func story(_ id: String, _ latitude: Double, radius: Double = 10) -> String {
            """
            {"id": "\(id)", "headline": "h", "place": "p", "kind": "k", "latitude": \(latitude), "longitude": 13,
             "radius": \(radius)}
            """
        }
        #expect(try error("[\(story("a", 1)), \(story("a", 2))]") == .sameTwice("a"))
        #expect(try error("[\(story("a", 91))]") == .noSuchPlace("a"))
        #expect(try error("[\(story("a", 1, radius: 301))]") == .noSuchPlace("a"))
        guard case .unreadable = try error("no JSON") else {
            Issue.record("read it")
            return
        }
    }
}

private actor ToldStories {
    private(set) var all: [String] = []
    func add(_ ids: [String]) { all += ids }
}
