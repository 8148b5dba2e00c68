import Belfry
import BelfryRecorder
import BelfryTestSupport
import BelfryTesting
import Foundation
import Testing

@Suite("A permission that is set while the prompt is open", .takesTurns, .timeLimit(.minutes(5)))
struct PromptOvertakenTests {
    @Test(
        "It stays what the app's settings say, whatever the prompt is answered with",
        arguments: [AuthorizationStatus.Decision.allowed, .denied, .cannotAsk, .undecided]
    )
    func overtaken(answer: AuthorizationStatus.Decision) async throws {
        for status in [AuthorizationStatus.authorized, .denied] {
            let prompt = ScriptedPrompt(answer)
            try await World.run(prompt: prompt) { world in
                prompt.stall()
                async let asked = world.center.requestAuthorization()
                await prompt.waitUntilAsked()
                try await world.center.setAuthorization(status)
                prompt.release()
                #expect(try await asked == status)
                let kept = try await world.center.authorizationStatus()
                #expect(kept == status)
            }
        }
    }
}
