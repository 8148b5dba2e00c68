import Belfry
import BelfryTestSupport
import BelfryTesting
import Foundation
import Testing

@testable import BelfryConsole

extension ConsoleKeysTests {
    /// Beside the keys: one of these rules is about both, and a process holds one terminal at a time.
    @Suite("On a terminal a person is asked for permission", .takesTurns, .timeLimit(.minutes(5)))
    struct ConsolePromptTests {
        private static let app = AppIdentity(id: "org.example.Tea", name: "Tea\u{1B}[2J")

        private func prompt(
            on terminal: PseudoTerminal,
            timeout: Duration = .seconds(3_600),
            languages: [String] = ["en"]
        ) -> ConsolePrompt {
            ConsolePrompt(input: terminal.slave, output: terminal.slave, timeout: timeout, languages: languages)
        }

        /// Asks, and types when the question is there.
        private func answer(_ typed: String, languages: [String] = ["en"], question: String = "[y/n] ") async throws
            -> AuthorizationStatus.Decision
        {
            let terminal = try PseudoTerminal()
            async let answer = prompt(on: terminal, languages: languages).ask(for: Self.app)
            _ = try terminal.read(until: question)
            terminal.press(typed)
            return await answer
        }

        @Test(
            "An answer is a word and Enter, in any case, with blanks around it",
            arguments: [
                ("y\n", .allowed), ("  Yes \n", .allowed), ("n\n", .denied), ("NO\n", .denied),
                // Taken back and typed anew.
                ("y\u{7F}n\n", .denied),
            ] as [(String, AuthorizationStatus.Decision)]
        )
        func answers(typed: String, expected: AuthorizationStatus.Decision) async throws {
            #expect(try await answer(typed) == expected)
        }

        @Test(
            "Question and answers are in the person's language; y and n are understood everywhere",
            arguments: [
                ("de", "Darf Tea\u{FFFD}[2J Hinweise zeigen? [j/n] ", "Ja"), ("fr-CA", "[o/n] ", "o"),
                ("es", "[s/n] ", "SÍ"), ("fr", "[o/n] ", "y"), ("xx", "May Tea\u{FFFD}[2J show notices? [y/n] ", "y"),
            ]
        )
        func languages(language: String, question: String, yes: String) async throws {
            #expect(try await answer(yes + "\n", languages: [language], question: question) == .allowed)
            #expect(try await answer("n\n", languages: [language], question: question) == .denied)
        }

        @Test("What is no answer is asked again with a hint, five times at most; nothing is allowed by it")
        func asksAgain() async throws {
            let terminal = try PseudoTerminal()
            async let answer = prompt(on: terminal).ask(for: Self.app)
            _ = try terminal.read(until: "[y/n] ")
            for typed in ["\n", "perhaps\n", String(repeating: "y", count: 600) + "\n"] {
                terminal.press(typed)
                #expect(try terminal.read(until: "[y/n] ").contains("Type y or n, then press Enter."))
            }
            terminal.press("y\n")
            #expect(await answer == .allowed)

            async let none = prompt(on: terminal).ask(for: Self.app)
            for _ in 0..<5 {
                _ = try terminal.read(until: "[y/n] ")
                terminal.press("?\n")
            }
            #expect(await none == .undecided)
        }

        @Test("Without a terminal on both sides nobody can be asked") func noTerminal() async throws {
            let terminal = try PseudoTerminal()
            var ends: [Int32] = [-1, -1]
            try #require(pipe(&ends) == 0)
            defer { for end in ends { close(end) } }
            let (read, write) = (ends[0], ends[1])
            terminal.press("y\n")
            for (input, output) in [(read, terminal.slave), (terminal.slave, write), (-1, terminal.slave)] {
                #expect(await ConsolePrompt(input: input, output: output).ask(for: Self.app) == .cannotAsk)
            }
        }

        @Test("Closed input is no answer: ^D, and a terminal that goes away") func closedInput() async throws {
            #expect(try await answer("\u{4}") == .undecided)
            let (terminal, screen) = (try PseudoTerminal(), try PseudoTerminal())
            async let answer = ConsolePrompt(input: terminal.slave, output: screen.slave, languages: [])
                .ask(for: Self.app)
            _ = try screen.read(until: "[y/n] ")
            terminal.hangUp()
            #expect(await answer == .undecided)
        }

        @Test("Only what is typed after the question counts") func typedBefore() async throws {
            let terminal = try PseudoTerminal()
            terminal.press("y\n")
            async let answer = prompt(on: terminal).ask(for: Self.app)
            _ = try terminal.read(until: "[y/n] ")
            terminal.press("n\n")
            #expect(await answer == .denied)
        }

        @Test("The limit and a canceled task end the question without an answer") func bounds() async throws {
            let terminal = try PseudoTerminal()
            #expect(await prompt(on: terminal, timeout: .milliseconds(200)).ask(for: Self.app) == .undecided)
            _ = try terminal.read(until: "[y/n] \r\n")
            let asking = Task { [prompt = prompt(on: terminal)] in await prompt.ask(for: Self.app) }
            _ = try terminal.read(until: "[y/n] ")
            asking.cancel()
            #expect(await asking.value == .undecided)
            // What comes behind is the program's.
            terminal.press("rest\n")
            var buffer = [UInt8](repeating: 0, count: 16)
            #expect(Foundation.read(terminal.slave, &buffer, 16) == 5)
        }

        @Test("A question that nobody waits for any more is not asked, and leaves what was typed to the program")
        func cancelledBefore() async throws {
            let terminal = try PseudoTerminal()
            let first = Task { [prompt = prompt(on: terminal)] in await prompt.ask(for: Self.app) }
            _ = try terminal.read(until: "[y/n] ")
            let second = Task { [prompt = prompt(on: terminal)] in
                await prompt.ask(for: AppIdentity(id: "org.example.Coffee", name: "Coffee"))
            }
            second.cancel()
            terminal.press("n\nrest\n")
            #expect(await first.value == .denied)
            #expect(await second.value == .undecided)
            var buffer = [UInt8](repeating: 0, count: 16)
            #expect(Foundation.read(terminal.slave, &buffer, 16) == 5)
            terminal.press("end\n")
            #expect(try !terminal.read(until: "end").contains("Coffee"))
        }

        @Test("Two questions stand one after the other") func oneAfterTheOther() async throws {
            let terminal = try PseudoTerminal()
            let first = Task { [prompt = prompt(on: terminal)] in await prompt.ask(for: Self.app) }
            _ = try terminal.read(until: "[y/n] ")
            let second = Task { [prompt = prompt(on: terminal)] in
                await prompt.ask(for: AppIdentity(id: "org.example.Coffee", name: "Coffee"))
            }
            terminal.press("n\n")
            #expect(try terminal.read(until: "[y/n] ").contains("Coffee"))
            terminal.press("y\n")
            #expect(await first.value == .denied)
            #expect(await second.value == .allowed)
        }

        @Test(
            "While a question stands, on the same terminal or another, a backend takes no keys; then it does again",
            arguments: [true, false]
        )
        func standsOverKeys(isOnSame: Bool) async throws {
            let terminal = try PseudoTerminal()
            let asked = try isOnSame ? terminal : PseudoTerminal()
            let backend = ConsoleBackend(output: .descriptor(terminal.slave), input: terminal.slave)
            let tea = NoticeContent(title: "Tea?", actions: [NoticeAction("yes", title: "Yes")])
            try await running(backend) { reports in
                _ = try await backend.deliver(makeDelivery("tea", tea))
                terminal.press("1")
                _ = await reports.first(2)
                #expect(terminal.givesSingleKeys)
                _ = try await backend.deliver(makeDelivery("more", tea))
                async let answer = prompt(on: asked).ask(for: Self.app)
                _ = try asked.read(until: "[y/n] ")
                #expect(!terminal.givesSingleKeys)
                asked.press("1\n")
                _ = try asked.read(until: "[y/n] ")
                asked.press("y\n")
                #expect(await answer == .allowed)
                #expect(terminal.givesSingleKeys)
                terminal.press("d")
                let events = await reports.first(3)
                guard case .closed(_, .dismissed) = events[2] else {
                    Issue.record("a key was lost or taken for an answer: \(events)")
                    return
                }
            }
            #expect(!terminal.givesSingleKeys)
        }

        @Test("A backend that begins or ends while a question stands leaves it alone") func keysMeanwhile() async throws
        {
            let terminal = try PseudoTerminal()
            for answered in [false, true] {
                let backend = ConsoleBackend(output: .descriptor(terminal.slave), input: terminal.slave)
                let asking = Task { [prompt = prompt(on: terminal)] in await prompt.ask(for: Self.app) }
                _ = try terminal.read(until: "[y/n] ")
                try await running(backend) { reports in
                    _ = try await backend.deliver(makeDelivery("tea"))
                    _ = try terminal.read(until: "Tea is ready")
                    #expect(!terminal.givesSingleKeys)
                    guard answered else { return }
                    terminal.press("y\n")
                    #expect(await asking.value == .allowed)
                    terminal.press("d")
                    #expect(await reports.first(1).count == 1)
                }
                #expect(!terminal.givesSingleKeys)
                guard !answered else { continue }
                terminal.press("n\n")
                #expect(await asking.value == .denied)
            }
        }

        @Test("^C at the question ends the program as anywhere else") func interrupted() async throws {
            let terminal = try PseudoTerminal()
            async let exit = #expect(processExitsWith: .signal(SIGINT)) {
                [path = terminal.path as String] in
                // A session of its own: the terminal is its controlling one.
                setsid()
                let slave = open(path, O_RDWR)
                _ = await ConsolePrompt(input: slave, output: slave, languages: ["en"])
                    .ask(for: AppIdentity(id: "org.example.Tea"))
            }
            _ = try terminal.read(until: "[y/n] ")
            terminal.press("\u{3}")
            _ = await exit
        }

        @Test("A center with it: denied on the terminal, add throws; the next start does not ask again")
        func inACenter() async throws {
            let terminal = try PseudoTerminal()
            let store = MemoryRequestStore()
            for start in 0..<2 {
                let center = NoticeCenter(
                    app: AppIdentity(id: "org.example.Tea", name: "Tea"),
                    backend: ConsoleBackend(output: .writer { _ in }),
                    store: NoticeStore(store),
                    prompt: prompt(on: terminal)
                )
                async let status = center.requestAuthorization()
                if start == 0 {
                    _ = try terminal.read(until: "May Tea show notices? [y/n] ")
                    terminal.press("n\n")
                }
                #expect(try await status == .denied)
                await #expect(throws: NoticeError.self) { try await center.add(NoticeRequest(id: "x", title: "X")) }
            }
        }
    }
}
