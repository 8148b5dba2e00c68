import Belfry
import BelfryTestSupport
import CBelfryConsole
import Foundation
import Testing

@testable import BelfryTerminal

@Suite("Terminals are asked what they can do", .takesTurns, .sharesTerminal, .serialized, .timeLimit(.minutes(5)))
struct DetectionTests {
    private func capabilities(
        of script: ScriptedTerminal.Script,
        environment: [String: String] = ["TERM": "xterm-256color"],
        reply: Duration = .seconds(30)
    ) async throws -> DeliveryCapabilities {
        let terminal = try ScriptedTerminal(script)
        let backend = terminal.backend(environment: environment, reply: reply)
        let found = try await backend.capabilities()
        #expect(!terminal.terminal.givesSingleKeys, "put back")
        return found
    }

    @Test("kitty has all that it says, whether it answers at once, in single bytes or amid other things")
    func kitty() async throws {
        var slow = ScriptedTerminal.Script.kitty
        slow.isSlow = true
        var odd = ScriptedTerminal.Script.kitty
        odd.garbage = "x\u{1B}]99;i=other:p=?;p=title\u{1B}\\\u{1B}[200~\u{1B}]11;rgb:0/0/0\u{07}\u{1B}P1$r\u{1B}\\"
        for script in [.kitty, slow, odd] {
            let found = try await capabilities(of: script)
            #expect(found.server == "kitty(0.42.1) (OSC 99)")
            #expect(found.features == [.actions, .body, .expiry, .icon, .replacing, .sound, .urgency])
            #expect(found.reportsClosing)
        }
    }

    @Test("One that says less has less")
    func less() async throws {
        let found = try await capabilities(of: .init(support: "p=title", name: "mine 1"))
        #expect(found.features == [.replacing])
        #expect(!found.reportsClosing)
        let buttons = try await capabilities(of: .init(support: "p=title,body,buttons", name: "mine 1"))
        #expect(!buttons.features.contains(.actions), "nobody would hear of them")
    }

    @Test(
        "Terminals without OSC 99 are known by name",
        arguments: ["WezTerm 20240203", "ghostty 1.2.0", "iTerm2 3.5.0"]
    )
    func named(_ name: String) async throws {
        let found = try await capabilities(of: .init(name: name))
        #expect(found.features == [.body])
        #expect(!found.reportsClosing)
        #expect(found.server == "\(name) (\(name.hasPrefix("iTerm2") ? "OSC 9" : "OSC 777"))")
    }

    @Test("foot is not asked what it can do with OSC 99: version 1.21 aborts")
    func foot() async throws {
        var script = ScriptedTerminal.Script.kitty
        script.name = "foot(1.21.0)"
        let terminal = try ScriptedTerminal(script)
        let found = try await terminal.backend(environment: ["TERM": "xterm-256color"]).capabilities()
        #expect(found.server == "foot(1.21.0) (OSC 777)" && found.features == [.body])
        #expect(terminal.commands.isEmpty)
    }

    @Test("One that shows no notices is passed over, and so is one that only claims to be another")
    func unknown() async throws {
        for name in ["XTerm(379)", nil] {
            let environment = ["TERM": "xterm", "KITTY_WINDOW_ID": "1"]
            let error = await #expect(throws: NoticeError.self) {
                _ = try await capabilities(of: .init(name: name), environment: environment)
            }
            #expect(error?.code == .unsupported && error?.message.contains("terminal:osc99") == true)
        }
    }

    @Test("One that does not answer in time is known by its variables")
    func silent() async throws {
        let environment = ["TERM": "xterm-kitty"]
        let found = try await capabilities(of: .silent, environment: environment, reply: .milliseconds(50))
        #expect(found.server == "kitty (OSC 99)")
        #expect(found.features == [.body], "without an answer there are no buttons")
        await #expect(throws: NoticeError.self) {
            _ = try await capabilities(of: .silent, reply: .milliseconds(50))
        }
    }

    @Test("An answer that comes late is read before the run ends, and not by the shell")
    func late() async throws {
        let terminal = try ScriptedTerminal(.silent)
        let backend = terminal.backend(environment: ["TERM": "foot"], reply: .milliseconds(50))
        try await running(backend) { _ in
            let capabilities = try await backend.capabilities()
            #expect(capabilities.server == "foot (OSC 777)")
            terminal.send("\u{1B}P>|foot(1.13.1)\u{1B}\\\u{1B}[?62;4c")
        }
        #expect(terminal.unread == 0)
    }

    @Test("Plain terminals are sent nothing", arguments: [nil, "", "dumb", "linux", "unknown"])
    func plain(kind: String?) async throws {
        let terminal = try ScriptedTerminal(.kitty)
        let backend = terminal.backend(environment: kind.map { ["TERM": $0] } ?? [:])
        await #expect(throws: NoticeError.self) { _ = try await backend.capabilities() }
        #expect(terminal.bytes.isEmpty)
    }

    @Test(
        "What was typed already is left for whoever reads next, and nothing is asked",
        arguments: [("make\nls", "make\n"), ("ls", "ls")]
    )
    func typedAhead(typed: String, first: String) async throws {
        let terminal = try ScriptedTerminal(.kitty)
        terminal.send(typed)
        let backend = terminal.backend(environment: ["TERM": "foot"])
        #expect(try await backend.capabilities().server == "foot (OSC 777)")
        var buffer = [UInt8](repeating: 0, count: 64)
        let count = read(terminal.terminal.slave, &buffer, buffer.count)
        #expect(String(decoding: buffer.prefix(max(0, count)), as: UTF8.self) == first)
        #expect(!terminal.commands.contains { $0.contains("p=?") })
    }

    @Test("No terminal is no backend")
    func none() async throws {
        for path in ["/dev/null", "/nonexistent"] {
            let backend = TerminalBackend(device: path, environment: ["TERM": "xterm-kitty"])
            let error = await #expect(throws: NoticeError.self) { _ = try await backend.capabilities() }
            #expect(error?.code == .unsupported && error?.isTransient == false)
        }
    }

    @Test("A signal during the question puts the terminal back first", arguments: [SIGTERM, SIGINT, SIGHUP])
    func signals(_ signal: Int32) async throws {
        let terminal = try PseudoTerminal()
        await #expect(processExitsWith: .signal(signal)) { [path = terminal.path as String, signal = signal as Int32] in
            let backend = TerminalBackend(
                device: path,
                environment: ["TERM": "xterm"],
                timeouts: .init(reply: .seconds(60))
            )
            _ = Task { try await backend.capabilities() }
            let slave = open(path, O_RDWR | O_NOCTTY)
            var settings = termios()
            repeat {
                await Task.yield()
                tcgetattr(slave, &settings)
            } while settings.c_lflag & tcflag_t(ICANON) != 0
            kill(getpid(), signal)
            while true { pause() }
        }
        #expect(!terminal.givesSingleKeys)
    }
}
