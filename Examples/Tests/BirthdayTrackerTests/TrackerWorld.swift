import Belfry
import BelfryRecorder
import BelfryRecurrence
import BelfryTesting
import BirthdayTrackerKit
import Foundation

/// The tracker on a recorder and a manual clock, with a file of its own: time stands still until a test moves it.
struct TrackerWorld: Sendable {
    /// 1 May 2026, 0:00 UTC.
    static let start = date("2026-05-01T00:00:00Z")

    let clock: ManualTriggerClock
    let recorder = RecorderBackend()
    let center: NoticeCenter
    let file: PeopleFile
    let tracker: BirthdayTracker

    static func run(
        at start: Date = start,
        zone: String = "UTC",
        prompt: (any AuthorizationPrompt)? = nil,
        leapDay: MissingDatePolicy = .nextDay,
        _ body: @escaping @Sendable (TrackerWorld) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "birthdays-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let world = try TrackerWorld(at: start, zone: zone, prompt: prompt, leapDay: leapDay, folder: folder)
        try await world.center.run { center in
            await world.recorder.waitUntilReported()
            await center.setDelegate(AgeInTheNotice(zone: TimeZone(identifier: zone) ?? .gmt))
            try await body(world)
        }
    }

    private init(
        at start: Date,
        zone: String,
        prompt: (any AuthorizationPrompt)?,
        leapDay: MissingDatePolicy,
        folder: String
    ) throws {
        clock = ManualTriggerClock(date: start, zone: try .named(zone))
        center = NoticeCenter(
            app: AppIdentity(id: "org.example.BirthdayTracker"),
            backend: recorder,
            clock: .manual(clock),
            prompt: prompt
        )
        file = PeopleFile(path: folder + "/people.json")
        tracker = BirthdayTracker(center: center, file: file, leapDay: leapDay)
    }

    @discardableResult
    func add(_ name: String, _ birthday: String) async throws -> BirthdayTracker.Outcome {
        try await tracker.add(Person(name: name, birthday: Birthday(reading: birthday)))
    }

    func pendingIDs() async throws -> [String] { try await center.pending().map(\.id) }

    /// When the notices were due, in order.
    func dueDates() -> [Date] { recorder.deliveries.map(\.dueDate) }
}

/// Reads a date that the test itself writes down.
func date(_ text: String) -> Date {
    guard let date = try? Date(text, strategy: .iso8601) else { preconditionFailure("\(text) is no date") }
    return date
}
