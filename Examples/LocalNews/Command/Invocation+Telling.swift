import Belfry
import BelfryConsole
import BelfryDesktop
import BelfryGPSD
import BelfryGeoClue
import BelfryLocationReplay
import BelfryRecurrence
import BelfrySQLite
import BelfryTesting
import Foundation
import LocalNewsKit
import Terminal

extension Invocation {
    private var app: AppIdentity { AppIdentity(id: "org.example.LocalNews", name: "Local News") }

    private var backend: any DeliveryBackend {
        if isOnDesktop { return BackendChain.auto(for: app) }
        return ConsoleBackend()
    }

    /// Returns at the end of the track, or at ^C.
    func tell() async throws {
        let archive = try stories.map { try StoryArchive(contentsOf: URL(fileURLWithPath: $0)) } ?? .berlin()
        guard let track else { return try await follow(archive) }
        let fixes = try LocationTrack(contentsOf: track == "ride" ? BundledFiles.ride.path : track).fixes
        guard let last = fixes.last, let first = fixes.first else { return }
        writeLine("\(archive.stories.count) stories, a track of \(fixes.count) positions.")
        let length = last.date.timeIntervalSince(first.date)
        if let speed {
            try await play(fixes, archive, speed: speed, for: length / speed)
        } else {
            try await playAtOnce(fixes, archive, from: first.date, for: length)
        }
    }

    /// The machine's own positions. What was told is remembered.
    private func follow(_ archive: StoryArchive) async throws {
        let position = LocationProviderChain([GeoClueProvider(for: app), GPSDProvider()])
        let store = try await SQLiteRequestStore.open(for: app)
        let center = NoticeCenter(app: app, backend: backend, store: .sqlite(store), location: position)
        try await run(center, archive) { _ in
            writeLine("\(archive.stories.count) stories; ^C ends.")
            for await _ in processSignals(SIGINT, SIGTERM) { return }
        }
        try await store.close()
    }

    private func play(_ fixes: [LocationFix], _ archive: StoryArchive, speed: Double, for length: Double) async throws {
        let position = try ReplayLocationProvider(fixes, speed: speed)
        let center = NoticeCenter(app: app, backend: backend, location: position)
        try await run(center, archive) { center in
            try await Task.sleep(for: .seconds(length))
            await center.quiet()
        }
    }

    /// By a clock that doesn't wait, and shows what it was then.
    private func playAtOnce(
        _ fixes: [LocationFix],
        _ archive: StoryArchive,
        from start: Date,
        for length: Double
    ) async throws {
        let clock = ManualTriggerClock(date: start, zone: .system())
        let position = try ReplayLocationProvider(fixes, clock: .manual(clock))
        let center = NoticeCenter(app: app, backend: backend, clock: .manual(clock), location: position)
        try await run(center, archive) { _ in try await clock.advance(by: .seconds(length)) }
    }

    private func run(
        _ center: NoticeCenter,
        _ archive: StoryArchive,
        _ body: @escaping @Sendable (NoticeCenter) async throws -> Void
    ) async throws {
        try await center.run { center in
            async let _: Void = writeErrors(of: await center.events())
            try await LocalNews(archive, on: center).start()
            try await body(center)
        }
    }
}
