import Belfry
import BelfryRecorder
import BelfryTestSupport
import BelfryTesting
import Foundation
import Testing

@Suite("Authorization", .takesTurns, .timeLimit(.minutes(5)))
struct AuthorizationTests {
    @Test("Without a prompt nobody is asked, and everything is delivered") func noPrompt() async throws {
        try await World.run { world in
            let (status, answer) = (
                try await world.center.authorizationStatus(), try await world.center.requestAuthorization()
            )
            #expect(status == .authorized && answer == .authorized)
        }
    }

    @Test("Add stores while not determined; the first delivery asks at the latest, once") func asksOnce()
        async throws
    {
        let prompt = ScriptedPrompt(.allowed)
        try await World.run(prompt: prompt) { world in
            try await world.center.add([.sample("a", .after(.seconds(10))), .sample("b", .after(.seconds(20)))])
            #expect(try await world.center.authorizationStatus() == .notDetermined)
            #expect(prompt.asked == [])
            try await world.clock.advance(by: .seconds(30))
            #expect(prompt.asked == [World.app])
            #expect(world.deliveredIDs() == ["a", "b"])
            #expect(try await world.center.authorizationStatus() == .authorized)
        }
    }

    @Test(
        "The answer is stored: another start does not ask again",
        arguments: [AuthorizationStatus.Decision.allowed, .denied]
    )
    func stored(answer: AuthorizationStatus.Decision) async throws {
        let (store, clock) = (MemoryRequestStore(), ManualTriggerClock())
        let status: AuthorizationStatus = answer == .allowed ? .authorized : .denied
        for start in 0..<2 {
            let prompt = ScriptedPrompt(answer)
            // Asked before anything else: the store must be read first.
            let center = NoticeCenter(
                app: World.app,
                backend: RecorderBackend(),
                store: NoticeStore(store),
                clock: .manual(clock),
                prompt: prompt
            )
            #expect(try await center.requestAuthorization() == status)
            #expect(prompt.asked.count == (start == 0 ? 1 : 0))
        }
    }

    @Test("Denied, add throws, what was pending is suppressed; it can be changed in the app's settings")
    func denied() async throws {
        let prompt = ScriptedPrompt(.denied)
        try await World.run(prompt: prompt) { world in
            try await world.center.add([.sample("a", .after(.seconds(10))), .sample("b", .after(.seconds(20)))])
            try await world.clock.advance(by: .seconds(10))
            #expect(world.recorder.attempts == [])
            #expect(try await world.history(of: "a") == [.suppressed])
            #expect(try await world.lastDetail(of: "a", .suppressed) == "the user denied notices of 'Test'")
            let error = await expectError(.notAuthorized) { try await world.center.add(.sample("c")) }
            #expect(error?.message.contains("Test") == true)
            await expectError(.notAuthorized) { _ = try await world.center.show(.sample("c")) }
            await expectError(.notAuthorized) {
                try await world.center.add(
                    NoticeSeries(id: "s", content: NoticeContent(title: "!"), spacing: .seconds(1), count: 1)
                )
            }
            try await world.center.setAuthorization(.authorized)
            try await world.clock.advance(by: .seconds(10))
            #expect(world.deliveredIDs() == ["b"])
        }
    }

    @Test("A question closed without an answer leaves it not determined, and is asked again") func unanswered()
        async throws
    {
        let prompt = ScriptedPrompt(.undecided, .allowed)
        try await World.run(prompt: prompt) { world in
            let first = try await world.center.requestAuthorization()
            #expect(first == .notDetermined)
            #expect(try await world.center.authorizationStatus() == .notDetermined)
            #expect(try await world.center.requestAuthorization() == .authorized)
            #expect(prompt.asked.count == 2)
        }
    }

    @Test("The app can take the answer back: the question is asked again, also after a restart") func reset()
        async throws
    {
        let (store, clock) = (MemoryRequestStore(), ManualTriggerClock())
        let prompt = ScriptedPrompt(.denied, .allowed, .denied)
        try await World.run(on: clock, store: store, prompt: prompt) { world in
            let first = try await world.center.requestAuthorization()
            #expect(first == .denied)
            try await world.center.setAuthorization(.notDetermined)
            #expect(try await world.center.authorizationStatus() == .notDetermined)
            #expect(try await world.center.requestAuthorization() == .authorized)
            try await world.center.setAuthorization(.notDetermined)
        }
        try await World.run(on: clock, store: store, prompt: prompt) { world in
            let status = try await world.center.authorizationStatus()
            #expect(status == .notDetermined)
            #expect(try await world.center.requestAuthorization() == .denied)
            #expect(prompt.asked.count == 3)
        }
    }

    @Test("A question that nobody answers in time delays one notice, and not each; the app may ask at any time")
    func unattended() async throws {
        let prompt = ScriptedPrompt(.allowed)
        prompt.stall()
        // The answer to the last question has to come within it.
        let options = CenterOptions(promptTimeout: .milliseconds(500))
        try await World.run(prompt: prompt, options: options) { world in
            try await world.center.add(["a", "b", "c"].map { .sample($0) })
            await world.center.quiet()
            #expect(world.deliveredIDs() == ["a", "b", "c"])
            #expect(world.recorder.deliveries.allSatisfy { $0.content.level == .passive })
            #expect(prompt.asked.count == 1)
            let asked = try await world.center.requestAuthorization()
            #expect(asked == .notDetermined)
            #expect(prompt.asked.count == 2)
            prompt.release()
            try await world.clock.advance(by: .seconds(3_600))
            try await world.center.add(.sample("d"))
            await world.center.quiet()
            #expect(prompt.asked.count == 3)
            #expect(try await world.center.authorizationStatus() == .authorized)
        }
    }

    @Test("What comes while the question is not answered comes quietly, and asks again") func silence() async throws {
        let prompt = ScriptedPrompt(.undecided, .allowed)
        try await World.run(prompt: prompt) { world in
            for id in ["first", "second"] {
                var request = NoticeRequest.sample(id)
                (request.content.level, request.content.sound) = (.timeSensitive, .standard)
                try await world.center.add(request)
                try await world.clock.settle()
            }
            let shown = try ["first", "second"].map { try world.recorder.expectDelivery(of: $0).content }
            #expect(shown.map(\.level) == [.passive, .timeSensitive])
            #expect(shown.map(\.sound) == [.silent, .standard])
            #expect(prompt.asked.count == 2)
        }
    }

    @Test("A notice that is taken down while the question is open delays neither the answer nor later notices")
    func withdrawnMeanwhile() async throws {
        let prompt = ScriptedPrompt(.undecided, .allowed)
        try await World.run(prompt: prompt) { world in
            try await world.center.add(.sample("first"))
            try await world.clock.settle()
            let events = await world.center.events()
            prompt.stall()
            try await world.center.add(.sample("second"))
            await prompt.waitUntilAsked()
            try world.recorder.simulate(.open, on: "first")
            // The response is stored together with the order to take the notice down.
            for await event in events { if case .history(let entry) = event, entry.outcome == .responded { break } }
            prompt.release()
            try await world.clock.settle()
            #expect(world.deliveredIDs() == ["first", "second"])
            #expect(world.recorder.shown.map(\.id) == ["second"])
            #expect(try await world.center.authorizationStatus() == .authorized)
        }
    }

    @Test("Where nobody can be asked it is provisional: delivered quietly") func provisional() async throws {
        let (store, clock) = (MemoryRequestStore(), ManualTriggerClock())
        try await World.run(on: clock, store: store, prompt: ScriptedPrompt(.cannotAsk)) { world in
            var request = NoticeRequest.sample("x")
            (request.content.level, request.content.sound) = (.critical, .standard)
            try await world.center.add(request)
            try await world.clock.settle()
            #expect(try world.recorder.expectDelivery(of: "x").content.level == .passive)
            #expect(try world.recorder.expectDelivery(of: "x").content.sound == .silent)
            #expect(try await world.center.authorizationStatus() == .provisional)
        }
        // On another day there may be buttons.
        try await World.run(on: clock, store: store, prompt: ScriptedPrompt(.allowed)) { world in
            let status = try await world.center.requestAuthorization()
            #expect(status == .authorized)
        }
    }

    @Test("Whoever asks while the question stands waits for the same answer") func oneQuestion() async throws {
        let prompt = ScriptedPrompt(.allowed)
        try await World.run(prompt: prompt) { world in
            prompt.stall()
            try await world.center.add(.sample("a"))
            async let first = world.center.requestAuthorization()
            async let second = world.center.requestAuthorization()
            await prompt.waitUntilAsked()
            prompt.release()
            #expect(try await [first, second] == [.authorized, .authorized])
            try await world.clock.settle()
            #expect(prompt.asked.count == 1)
            #expect(world.deliveredIDs() == ["a"])
        }
    }

    @Test("A person who takes too long holds nothing up; the answer counts when it comes") func slowPerson()
        async throws
    {
        let (prompt, store) = (SlowPrompt(), FailingRequestStore())
        let options = CenterOptions(promptTimeout: .milliseconds(30))
        try await World.run(store: store, prompt: prompt, options: options) { world in
            let atFirst = try await world.center.requestAuthorization()
            #expect(atFirst == .notDetermined)
            store.stallTransactions()
            prompt.gate.open()
            await store.waitUntilStalled()
            store.release()
            await world.center.quiet()
            #expect(try await world.center.authorizationStatus() == .denied)
        }
    }

    @Test("A late answer that can't be stored is an event, because nobody waits for it") func lateAnswerLost()
        async throws
    {
        let (prompt, store) = (SlowPrompt(), FailingRequestStore())
        let options = CenterOptions(promptTimeout: .milliseconds(30))
        try await World.run(store: store, prompt: prompt, options: options) { world in
            let events = await world.center.events()
            let atFirst = try await world.center.requestAuthorization()
            #expect(atFirst == .notDetermined)
            store.failNextTransactions()
            prompt.gate.open()
            for await case .error(let error) in events {
                #expect(error.code == .storeFailed)
                break
            }
        }
    }

    @Test("An answer that can't be stored is an error, and the question stands") func storeFails() async throws {
        let store = FailingRequestStore()
        try await World.run(store: store, prompt: ScriptedPrompt(.allowed)) { world in
            store.failNextTransactions()
            await expectError(.storeFailed) { try await world.center.requestAuthorization() }
            let status = try await world.center.authorizationStatus()
            #expect(status == .notDetermined)
            #expect(try await world.center.requestAuthorization() == .authorized)
        }
    }
}
