import Belfry
import BelfryRecorder
import BelfryTestSupport
import Foundation
import Testing

@testable import BelfryCommand

/// On the system's clock: its series takes two seconds.
@Suite("The demo", .takesTurns)
struct DemoTests {
    private let recorder = RecorderBackend()

    private func running(
        _ captured: CapturedOutput,
        hook: DemoHook? = nil,
        responseTimeout: Duration = .seconds(60),
        _ body: @escaping @Sendable (DemoScript) async throws -> Void
    ) async throws {
        let chosen = ChosenBackend(backend: recorder)
        let center = NoticeCenter(app: AppIdentity(id: "org.example.Demo"), backend: recorder)
        try await center.runInterruptibly { center in
            try await body(
                DemoScript(
                    center: center,
                    chosen: chosen,
                    output: captured.output,
                    hook: hook,
                    pause: .zero,
                    responseTimeout: responseTimeout
                )
            )
        }
    }

    @Test("It shows every kind, a bar as one popup, runs the hook after each step, and tells the answer")
    func whole() async throws {
        let folder = try TemporaryFolder()
        let program = try folder.writeScript("hook", "echo \"$1\" >>'\(folder.path)/steps'; exit 3")
        let captured = try CapturedOutput()
        let hook = try #require(DemoHook.named(in: ["BELFRY_DEMO_HOOK": program], output: captured.output))
        try await running(captured, hook: hook) { [recorder] script in
            async let ending = script.perform()
            // Two plain ones, an urgent one, one with buttons, five states of the bar, three of the series, the
            // question.
            await recorder.waitForDeliveries(13)
            try recorder.simulate(.action("no"), on: "demo-answer")
            let told = try await ending
            #expect(told == .responded(action: "no"))
        }
        let names = DemoStep.allCases.map(\.rawValue)
        #expect(try captured.lines.map { String($0.prefix { $0 != " " }) } == names)
        let steps = try String(contentsOfFile: folder.path + "/steps", encoding: .utf8)
        #expect(steps.split(separator: "\n").map(String.init) == names)
        let notes = try captured.noteLines
        #expect(notes.contains { $0.contains("status 3") }, "its failure is told and stops nothing")

        let progress = recorder.deliveries(of: "demo-progress")
        #expect(progress.map(\.content.progress) == [0, 0.25, 0.5, 0.75, 1])
        #expect(progress.dropFirst().allSatisfy { $0.replaces != nil })
        #expect(recorder.deliveries.count { $0.series == "demo-series" } == 3)
        #expect(recorder.deliveries.contains { $0.content.level == .critical })
        #expect(recorder.deliveries.contains { $0.content.icon != nil })
        #expect(recorder.shown.isEmpty, "what is left is taken down")
    }

    @Test("A question that is closed without a response is told as such, at once")
    func closed() async throws {
        try await running(try CapturedOutput(quiet: true)) { [recorder] script in
            async let ending = script.ask()
            await recorder.waitForDeliveries(1)
            try recorder.simulate(.dismiss, on: "demo-answer")
            let told = try await ending
            #expect(told == .noResponse(reason: "the question was closed without a response"))
        }
    }

    @Test("A question that nobody answers ends with its time")
    func unanswered() async throws {
        try await running(try CapturedOutput(quiet: true), responseTimeout: .milliseconds(10)) { script in
            let told = try await script.ask()
            #expect(told == .noResponse(reason: "no response came within 0 seconds"))
        }
    }

    @Test("A hook that never ends is ended, one that is not there is told of, none is none")
    func badHooks() async throws {
        let captured = try CapturedOutput()
        let folder = try TemporaryFolder()
        let endless = try folder.writeScript("endless", "exec sleep 600")
        await DemoHook(program: endless, output: captured.output, timeout: .milliseconds(50)).run(.plain)
        await DemoHook(program: "/nonexistent/hook", output: captured.output).run(.plain)
        #expect(DemoHook.named(in: [:], output: captured.output) == nil)
        let notes = try captured.noteLines
        #expect(notes.count == 2)
        #expect(notes.first?.contains("took too long") == true)
        #expect(notes.last?.contains("/nonexistent/hook") == true)
    }
}
