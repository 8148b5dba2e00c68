import Belfry
import BelfryRecurrence
import BelfryTestSupport
import BelfryTesting
import Foundation
import Testing

@testable import BelfryConsole

@Suite("On a terminal a person answers by key", .takesTurns, .sharesTerminal, .serialized, .timeLimit(.minutes(5)))
struct ConsoleKeysTests {
    private let question = NoticeContent(
        title: "Tea?",
        actions: [NoticeAction("yes", title: "Yes"), NoticeAction("no", title: "No\u{1B}[2J")]
    )

    private func backend(on terminal: PseudoTerminal) -> ConsoleBackend {
        ConsoleBackend(output: .descriptor(terminal.slave), input: terminal.slave)
    }

    /// Shows the question and presses keys; what is reported of it.
    private func answer(_ keys: String, events count: Int, _ content: NoticeContent? = nil) async throws
        -> [BackendEvent]
    {
        let terminal = try PseudoTerminal()
        let backend = backend(on: terminal)
        var events: [BackendEvent] = []
        try await running(backend) { reports in
            let receipt = try await backend.deliver(makeDelivery("tea", content ?? question))
            #expect(receipt.lost.isEmpty)
            terminal.press(keys)
            events = await reports.first(count)
        }
        return events
    }

    @Test("Where asked to, nothing is shown unless somebody can read it") func onlyOnTerminal() async throws {
        let terminal = try PseudoTerminal()
        let onTerminal = ConsoleBackend(output: .descriptor(terminal.slave), input: nil, onlyOnTerminal: true)
        _ = try await onTerminal.deliver(makeDelivery("tea", question))
        let log = TextLog()
        let elsewhere = ConsoleBackend(output: log.output, input: nil, onlyOnTerminal: true)
        await #expect { try await elsewhere.capabilities() } throws: { ($0 as? NoticeError)?.code == .noServer }
        await #expect { try await elsewhere.deliver(makeDelivery("tea", question)) } throws: { error in
            guard let error = error as? NoticeError else { return false }
            return error.code == .noServer && error.isTransient
        }
        #expect(log.text.isEmpty)
    }

    private func reference(_ event: BackendEvent) -> DeliveryReceipt.Reference? {
        switch event {
        case .responded(let reference, _, _, _), .closed(let reference, _): reference
        default: nil
        }
    }

    private func action(_ event: BackendEvent) -> String? {
        if case .responded(_, let action, _, _) = event { action } else { nil }
    }

    @Test(
        "A key answers, and the notice is closed",
        arguments: [
            ("1", "yes"), ("2", "no"), ("o", "default"), ("\r", "default"), ("9x2", "no"),
            // Home, arrow, F1 and Alt-1 are no digits.
            ("\u{1B}[1~\u{1B}[A\u{1B}OP\u{1B}12", "no"),
            // Nor are late replies to a query of the terminal: its name, and what it supports.
            ("\u{1B}P>|foot(1.21.1)\u{1B}\\2", "no"), ("\u{1B}]99;i=1:p=?;w=1\u{07}2", "no"),
            ("\u{1B}_Gi=1;OK\u{1B}\\2", "no"),
            // Alt-P begins no reply that would hold Enter.
            ("\u{1B}P\r", "default"),
        ]
    )
    func answers(keys: String, expected: String) async throws {
        let events = try await answer(keys, events: 2)
        #expect(events.count == 2)
        #expect(action(events[0]) == expected)
        #expect(events[1] == .closed(try #require(reference(events[0])), .dismissed))
    }

    @Test("d dismisses")
    func dismisses() async throws {
        let events = try await answer("d", events: 1)
        #expect(events == [.closed(try #require(reference(events[0])), .dismissed)])
    }

    @Test("A resident notice stays, and can be answered again")
    func staysResident() async throws {
        var resident = question
        resident.desktop.isResident = true
        let events = try await answer("12d", events: 3, resident)
        #expect(events.map(action) == ["yes", "no", nil])
    }

    @Test("Keys mean the latest notice that is open, and then the one before")
    func meansTheLatest() async throws {
        let terminal = try PseudoTerminal()
        let backend = backend(on: terminal)
        try await running(backend) { reports in
            let first = try await backend.deliver(makeDelivery("first", question))
            let second = try await backend.deliver(makeDelivery("second", question))
            let replaced = try await backend.deliver(makeDelivery("first", question, replaces: first))
            #expect(DeliveryReceipt.Reference(replaced) == DeliveryReceipt.Reference(first))
            terminal.press("1d1")
            let events = await reports.first(3)
            #expect(events.map(reference) == [first, first, second].map(DeliveryReceipt.Reference.init))
        }
    }

    @Test("Actions are shown with their keys, in color, without anything else that a terminal obeys")
    func showsKeys() async throws {
        let terminal = try PseudoTerminal()
        let backend = ConsoleBackend(output: .descriptor(terminal.slave), input: terminal.slave, zone: .utc)
        #expect(backend.takesKeys)
        let capabilities = try await backend.capabilities()
        #expect(capabilities.features.contains(.actions) && capabilities.reportsClosing)
        _ = try await backend.deliver(makeDelivery("tea", question))
        let text = try terminal.read(until: "dismisses)")
        #expect(text.contains("[1]"))
        #expect(text.contains("No\u{FFFD}[2J"))
        let isColored = LineStyle.wantsColor
        #expect(text.contains("\u{1B}[1mTea?\u{1B}[0m") == isColored)
        #expect(!text.contains("\u{1B}[2J"))
    }

    @Test("More actions than there are keys: nine are shown, and the receipt says so")
    func limitsActions() async throws {
        let terminal = try PseudoTerminal()
        let backend = backend(on: terminal)
        var content = question
        content.actions = (1...12).map { NoticeAction("\($0)", title: "A\($0)") }
        content.actions[0].kind = .reply(placeholder: "")
        // The click on the notice itself has Enter, and takes no other key.
        content.actions.insert(NoticeAction(NoticeAction.defaultID, title: "Show"), at: 0)
        let delivery = makeDelivery("tea", content).prepared(for: try await backend.capabilities())
        let receipt = try await backend.deliver(delivery)
        #expect(receipt.lost.map(\.feature) == [.actions, .reply])
        let text = try terminal.read(until: "dismisses)")
        #expect(text.contains("A9") && !text.contains("A10") && !text.contains("Show"))
    }

    @Test("While it runs, keys come one by one; afterwards the terminal is as it was, again and again")
    func putsTheTerminalBack() async throws {
        let terminal = try PseudoTerminal()
        #expect(!terminal.givesSingleKeys)
        for _ in 0..<3 {
            let backend = backend(on: terminal)
            try await running(backend) { reports in
                _ = try await backend.deliver(makeDelivery("tea", question))
                terminal.press("1")
                _ = await reports.first(2)
                #expect(terminal.givesSingleKeys)
            }
            #expect(!terminal.givesSingleKeys)
        }
    }

    @Test("A second backend gets no keys while the first has them, and says so")
    func takesOneTerminal() async throws {
        let terminal = try PseudoTerminal()
        let other = try PseudoTerminal()
        let first = backend(on: terminal)
        let second = backend(on: other)
        try await running(first) { reports in
            _ = try await first.deliver(makeDelivery("tea", question))
            terminal.press("1")
            _ = await reports.first(2)
            try await running(second) { reports in
                guard case .error(let error)? = await reports.first(1).first else {
                    Issue.record("nothing was reported")
                    return
                }
                #expect(error.code == .unsupported)
                let features = try await second.capabilities().features
                #expect(!second.takesKeys && !features.contains(.actions))
                // A center knows the capabilities from before.
                #expect(try await second.deliver(makeDelivery("tea", question)).lost.map(\.feature) == [.actions])
                _ = try await second.deliver(makeDelivery())
                #expect(try !other.read(until: "Tea is ready").contains("[1]"))
            }
            #expect(terminal.givesSingleKeys)
        }
    }

    @Test("A terminal that goes away ends the keys and nothing else")
    func survivesHangUp() async throws {
        let terminal = try PseudoTerminal()
        let keys = dup(terminal.slave)
        defer { close(keys) }
        let gone = try PseudoTerminal()
        let backend = ConsoleBackend(output: .descriptor(gone.slave), input: keys)
        try await running(backend) { reports in
            _ = try await backend.deliver(makeDelivery("tea", question))
            terminal.press("1")
            _ = await reports.first(2)
            terminal.hangUp()
            _ = try await backend.deliver(makeDelivery("tea", question))
        }
    }

    @Test("A terminal obeys every rule of backends, with a person who presses keys")
    func conforms() async throws {
        let terminal = try PseudoTerminal()
        let drain = terminal.drain()
        defer { drain.cancel() }
        let suite = DeliveryBackendConformance(
            timeout: .seconds(60),
            pressAction: { _, _, action in terminal.press(action == "yes" ? "1" : "2") },
            closeByHand: { _, _ in terminal.press("d") }
        ) { ConsoleBackend(output: .descriptor(terminal.slave), input: terminal.slave) }
        let report = await suite.runAll()
        try report.verify()
        // The screen isn't read back here, and no server can be taken away.
        #expect(report.skipped.count == 2, "\(report)")
    }

    @Test(
        "A signal that ends the process puts the terminal back first",
        arguments: [
            SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGALRM, SIGXCPU, SIGABRT, SIGSEGV, SIGTRAP,
        ]
    )
    func survivesSignals(signal: Int32) async throws {
        let terminal = try PseudoTerminal()
        await #expect(processExitsWith: .signal(signal)) { [path = terminal.path as String, signal = signal as Int32] in
            let slave = open(path, O_RDWR | O_NOCTTY)
            let backend = ConsoleBackend(output: .descriptor(slave), input: slave)
            _ = Task { try await backend.run { _ in } }
            try await singleKeys(of: slave)
            kill(getpid(), signal)
            while true { pause() }
        }
        #expect(!terminal.givesSingleKeys)
    }

    @Test("The end of the process puts the terminal back too")
    func survivesExit() async throws {
        let terminal = try PseudoTerminal()
        await #expect(processExitsWith: .exitCode(7)) { [path = terminal.path as String] in
            let slave = open(path, O_RDWR | O_NOCTTY)
            let backend = ConsoleBackend(output: .descriptor(slave), input: slave)
            _ = Task { try await backend.run { _ in } }
            try await singleKeys(of: slave)
            exit(7)
        }
        #expect(!terminal.givesSingleKeys)
    }

    @Test("NO_COLOR is obeyed")
    func obeysNoColor() async throws {
        let terminal = try PseudoTerminal()
        await #expect(processExitsWith: .success) { [path = terminal.path as String] in
            setenv("NO_COLOR", "1", 1)
            let slave = open(path, O_RDWR | O_NOCTTY)
            _ = try await ConsoleBackend(output: .descriptor(slave), input: slave).deliver(makeDelivery())
        }
        #expect(try !terminal.read(until: "Tea is ready").contains("\u{1B}"))
    }
}
