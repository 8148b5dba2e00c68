import Belfry
import BelfryRecorder
import BelfryTesting
import BirthdayTrackerKit
import Foundation
import Testing

@Suite("Permission for birthday notices")
struct PermissionTests {
    @Test("Where it is denied nothing is scheduled, the tracker says so, and the people are kept")
    func denied() async throws {
        let prompt = ScriptedPrompt(.denied)
        try await TrackerWorld.run(prompt: prompt) { world in
            #expect(try await world.add("Ada", "1990-05-10") == .notAllowed)
            #expect(try await world.add("Grace", "1985-12-09") == .notAllowed)
            #expect(try await world.pendingIDs() == [])
            #expect(try world.file.load().map(\.name) == ["Ada", "Grace"])
            try await world.clock.advance(by: .seconds(366 * 86_400))
            #expect(world.recorder.attempts == [])
            #expect(prompt.asked.count == 1)
        }
    }

    @Test("It is asked once, before the first notice is scheduled") func askedOnce() async throws {
        let prompt = ScriptedPrompt(.allowed)
        try await TrackerWorld.run(prompt: prompt) { world in
            #expect(try await world.tracker.synchronize() == .scheduled(count: 0, next: nil))
            #expect(prompt.asked.count == 1)
            try await world.add("Ada", "1990-05-10")
            try await world.add("Grace", "1985-12-09")
            try await world.clock.advance(by: .seconds(366 * 86_400))
            #expect(world.recorder.deliveries.count == 2)
            #expect(prompt.asked.count == 1)
        }
    }

    @Test("Denied in the settings later, nothing stays pending; allowed again, all is scheduled")
    func changed() async throws {
        try await TrackerWorld.run(prompt: ScriptedPrompt(.allowed)) { world in
            try await world.add("Ada", "1990-05-10")
            try await world.center.setAuthorization(.denied)
            #expect(try await world.tracker.synchronize() == .notAllowed)
            #expect(try await world.pendingIDs() == [])
            try await world.center.setAuthorization(.authorized)
            #expect(try await world.tracker.synchronize() == .scheduled(count: 1, next: date("2026-05-10T08:00:00Z")))
        }
    }

    @Test("Where nobody can be asked the notice comes quietly") func cannotAsk() async throws {
        try await TrackerWorld.run(prompt: ScriptedPrompt(.cannotAsk)) { world in
            try await world.add("Ada", "1990-05-10")
            try await world.clock.advance(to: date("2026-05-10T08:00:00Z"))
            #expect(try world.recorder.expectDelivery(of: "birthday/Ada").content.level == .passive)
        }
    }
}
