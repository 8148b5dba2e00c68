import Belfry
import BelfryAgentService
import BelfryRecorder
import BelfryTestSupport
import Testing

@Suite("The agent asks by a popup", .takesTurns, .timeLimit(.minutes(5)))
struct PopupPromptTests {
    private static let app = AppIdentity(id: "org.example.Tea", name: "Tea")
    private static let id = "org.belfry.authorization"

    /// What stood on the screen, and what came of it.
    private func ask(
        _ answer: SimulatedResponse?,
        in language: String = "en",
        on recorder: RecorderBackend = RecorderBackend()
    ) async throws -> (content: NoticeContent, answer: AuthorizationStatus.Decision) {
        let prompt = PopupPrompt(languages: [language]) { _ in recorder }
        async let given = prompt.ask(for: Self.app)
        await recorder.waitForDeliveries(1)
        if let answer { try recorder.simulate(answer, on: Self.id) } else { recorder.removeServer() }
        let content = try recorder.expectDelivery(of: Self.id).content
        let value = await given
        #expect(recorder.shown == [])
        return (content, value)
    }

    @Test(
        "The buttons mean what they say; all else is no answer",
        arguments: [
            (.action("allow"), .allowed), (.action("deny"), .denied), (.dismiss, .undecided), (.expire, .undecided),
            (nil, .undecided),
        ] as [(SimulatedResponse?, AuthorizationStatus.Decision)]
    )
    func answers(response: SimulatedResponse?, expected: AuthorizationStatus.Decision) async throws {
        #expect(try await ask(response).answer == expected)
    }

    @Test(
        "The question is in the person's language; English where it is none of ours",
        arguments: [
            (
                "en", "Tea wants to show notices",
                "They also come while Tea is not open. Close this message to decide another time.",
                ["Allow", "Don't allow"]
            ),
            (
                "de-AT", "Tea möchte Hinweise zeigen",
                "Sie kommen auch, wenn Tea nicht offen ist. Wer diese Frage schließt, entscheidet später.",
                ["Erlauben", "Nicht erlauben"]
            ),
            (
                "fr", "Tea souhaite afficher des notifications",
                "Elles arrivent aussi quand Tea n’est pas ouvert. Fermez ce message pour décider plus tard.",
                ["Autoriser", "Ne pas autoriser"]
            ),
            (
                "es", "Tea quiere mostrar notificaciones",
                "También llegan cuando Tea no está abierto. Cierre este mensaje para decidir más tarde.",
                ["Permitir", "No permitir"]
            ),
            (
                "xx", "Tea wants to show notices",
                "They also come while Tea is not open. Close this message to decide another time.",
                ["Allow", "Don't allow"]
            ),
        ]
    )
    func languages(language: String, title: String, body: String, buttons: [String]) async throws {
        let content = try await ask(.dismiss, in: language).content
        #expect(content.title == title)
        #expect(content.body == body)
        #expect(content.actions.map(\.title) == buttons)
        #expect(content.actions.map(\.id) == ["allow", "deny"])
    }

    @Test("The question is put to a user: it names no command", arguments: ["en", "de", "fr", "es"])
    func noCommand(language: String) async throws {
        let content = try await ask(.dismiss, in: language).content
        #expect(!content.body.contains("belfry") && !content.body.contains(Self.app.id), "\(content.body)")
    }

    @Test("Whoever is canceled while the question stands takes it down") func cancelled() async throws {
        let recorder = RecorderBackend()
        let asking = Task { await PopupPrompt { _ in recorder }.ask(for: Self.app) }
        await recorder.waitForDeliveries(1)
        asking.cancel()
        #expect(await asking.value == .undecided)
        #expect(recorder.shown == [])
    }

    @Test("Where the server draws no buttons nobody can be asked") func noButtons() async throws {
        let recorder = RecorderBackend()
        recorder.offered = recorder.offered.without(.actions)
        #expect(await PopupPrompt { _ in recorder }.ask(for: Self.app) == .cannotAsk)
        #expect(recorder.attempts == [])
    }
}
