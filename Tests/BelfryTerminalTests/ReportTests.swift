import Belfry
import BelfryTestSupport
import BelfryTesting
import Foundation
import Testing

@testable import BelfryTerminal

@Suite(
    "What the user does at the terminal's desktop",
    .takesTurns,
    .sharesTerminal,
    .serialized,
    .timeLimit(.minutes(5))
)
struct ReportTests {
    private let question = NoticeContent(
        title: "Tea?",
        body: "Now; or\nlater",
        actions: [
            NoticeAction("yes", title: "Yes"), NoticeAction(NoticeAction.defaultID, title: "Open"),
            NoticeAction("no", title: ""),
        ]
    )

    @Test("A notice is shown whole, and its buttons answer by number; the click on it is none of them")
    func answers() async throws {
        let terminal = try ScriptedTerminal(.kitty)
        let backend = terminal.backend()
        for (button, action) in [(1, "yes"), (2, "no"), (nil, NoticeAction.defaultID)] as [(Int?, String)] {
            try await running(backend) { events in
                let receipt = try await backend.deliver(makeDelivery(question))
                #expect(receipt.lost.isEmpty)
                await terminal.wait { !$0.open.isEmpty }
                let notice = try #require(terminal.open.first)
                #expect(notice.title == "Tea?" && notice.body == "Now; or\nlater" && notice.buttons == ["Yes", "no"])
                #expect(notice.id == "belfry-\(receipt.handle)" && notice.keys["u"] == "1")
                terminal.activate(notice, button: button)
                let reference = DeliveryReceipt.Reference(receipt)
                #expect(
                    await events.next(2) == [
                        .responded(reference, action: action, text: nil, activationToken: nil),
                        .closed(reference, .unknown),
                    ]
                )
            }
            #expect(!terminal.terminal.givesSingleKeys)
        }
    }

    @Test("Without close reports an answer closes the notice; where closing is not tracked, none is claimed")
    func withoutClosing() async throws {
        var script = ScriptedTerminal.Script(support: "a=report:p=title,body,buttons,close", name: "mine")
        for isUntracked in [false, true] {
            if isUntracked { script = .kitty }
            script.isUntracked = isUntracked
            let terminal = try ScriptedTerminal(script)
            let backend = terminal.backend()
            try await running(backend) { events in
                #expect(try await backend.capabilities().reportsClosing == isUntracked)
                let receipt = try await backend.deliver(makeDelivery(question))
                await terminal.wait { !$0.open.isEmpty }
                terminal.activate(try #require(terminal.open.first), button: 1)
                let reported = await events.next(2)
                #expect(reported.last == .closed(DeliveryReceipt.Reference(receipt), .dismissed))
                #expect(try await !backend.capabilities().reportsClosing)
                // It is not asked for again, and who wants to know is told that it is lost.
                var content = question
                content.reportsDismissal = true
                let lost = try await backend.deliver(makeDelivery(content)).lost
                await terminal.wait { $0.shown.count == 2 }
                #expect(terminal.open.allSatisfy { !$0.reportsClosing } && lost.map(\.feature) == [.dismissal])
            }
        }
    }

    @Test("Closing is reported; strangers' notices, second reports and buttons that there are not are none of ours")
    func strangers() async throws {
        let terminal = try ScriptedTerminal(.kitty)
        let backend = terminal.backend()
        try await running(backend) { events in
            let receipt = try await backend.deliver(makeDelivery(question))
            await terminal.wait { !$0.open.isEmpty }
            let notice = try #require(terminal.open.first)
            for stranger in ["belfry-", "belfry-0", "0", "vim", "belfry-99999999999999"] {
                terminal.send("\u{1B}]99;i=\(stranger);1\u{1B}\\\u{1B}]99;i=\(stranger):p=close;\u{1B}\\")
            }
            terminal.send("\u{1B}]99;i=\(notice.id);3\u{1B}\\\u{1B}]99;i=\(notice.id);0\u{1B}\\")
            terminal.close(notice)
            terminal.send("\u{1B}]99;i=\(notice.id):p=close;\u{1B}\\\u{1B}]99;i=\(notice.id);1\u{1B}\\")
            let second = try await backend.deliver(makeDelivery(question))
            await terminal.wait { $0.shown.count == 2 }
            terminal.close(try #require(terminal.open.first))
            let references = [receipt, second].map(DeliveryReceipt.Reference.init)
            #expect(await events.next(2) == references.map { .closed($0, .unknown) })
        }
    }

    @Test("Replaced in place, also by another process; withdrawn, and gone")
    func replaces() async throws {
        let terminal = try ScriptedTerminal(.kitty)
        let receipt = try await terminal.backend(listens: false).deliver(makeDelivery())
        let other = terminal.backend(listens: false)
        let again = try await other.deliver(makeDelivery(NoticeContent(title: "Again"), replaces: receipt))
        #expect(again.handle == receipt.handle)
        await terminal.wait { $0.shown.count == 2 }
        #expect(terminal.open.map(\.title) == ["Again"])
        try await other.withdraw(again)
        await terminal.wait { $0.open.isEmpty }
    }

    @Test("What could be answered goes with the run, and its last reports are not left to the shell")
    func takesDown() async throws {
        let terminal = try ScriptedTerminal(.kitty)
        let backend = terminal.backend()
        var (receipts, log): ([DeliveryReceipt], EventLog?) = ([], nil)
        try await running(backend) { events in
            log = events.log
            for _ in 1...3 { receipts.append(try await backend.deliver(makeDelivery(question))) }
        }
        #expect(terminal.shown.count == 3)
        await terminal.wait { $0.open.isEmpty }
        #expect(terminal.unread == 0)
        #expect(log?.all == receipts.map { .closed(DeliveryReceipt.Reference($0), .withdrawn) })
    }

    @Test("A notice that went with the run is closed to the next run of the program")
    func closedAfterRestart() async throws {
        let terminal = try ScriptedTerminal(.kitty)
        let app = AppIdentity(id: "org.example.Tea")
        let store = NoticeStore(MemoryRequestStore())
        try await NoticeCenter(app: app, backend: terminal.backend(), store: store).run { center in
            _ = try await center.show(NoticeRequest(id: "tea", content: question))
        }
        await terminal.wait { $0.open.isEmpty }
        let next = NoticeCenter(app: app, backend: terminal.backend(), store: store)
        #expect(try await next.delivered().isEmpty)
        #expect(try await next.history().contains { $0.outcome == .closed })
    }

    @Test("Where nobody listens, nothing is asked for, and the notice stays")
    func silentNotices() async throws {
        let terminal = try ScriptedTerminal(.kitty)
        let backend = terminal.backend(listens: false)
        var content = question
        content.reportsDismissal = true
        let delivery = makeDelivery(content)
        try await running(backend) { _ in
            let capabilities = try await backend.capabilities()
            #expect(!capabilities.features.contains(.actions) && !capabilities.reportsClosing)
            let receipt = try await backend.deliver(delivery.prepared(for: capabilities))
            #expect(receipt.lost.map(\.feature) == [.actions, .dismissal])
        }
        await terminal.wait { !$0.open.isEmpty }
        #expect(terminal.open.allSatisfy { !$0.reports && !$0.reportsClosing && $0.buttons.isEmpty })
    }

    @Test("Reports that come before the run begins are not lost")
    func early() async throws {
        let terminal = try ScriptedTerminal(.kitty)
        let backend = terminal.backend()
        let receipt = try await backend.deliver(makeDelivery(question))
        await terminal.wait { !$0.open.isEmpty }
        try await running(backend) { events in
            terminal.activate(try #require(terminal.open.first), button: 2)
            let answer = await events.next(1).first
            let reference = DeliveryReceipt.Reference(receipt)
            #expect(answer == .responded(reference, action: "no", text: nil, activationToken: nil))
        }
    }

    @Test("What terminals can't be told is in the receipt, as in the preview")
    func losses() async throws {
        let terminal = try ScriptedTerminal(.init(name: "ghostty 1.2.0"))
        let backend = terminal.backend()
        var content = NoticeContent(title: "Tea", level: .critical)
        content.desktop.expiry = .never
        content.desktop.isTransient = true
        content.desktop.isResident = true
        content.desktop.hints = ["x-mine": .bool(true)]
        content.reportsDismissal = true
        let delivery = makeDelivery(content)
        let lost = try await backend.deliver(delivery).lost
        #expect(lost.map(\.feature) == [.level, .expiry, .resident, .transient, .hint, .dismissal])
        #expect(try await backend.preview(delivery).lost == lost)
    }

    @Test("A dismissal that is not reported is lost once")
    func losesDismissalOnce() async throws {
        let terminal = try ScriptedTerminal(.init(name: "WezTerm 2024"))
        let center = NoticeCenter(app: AppIdentity(id: "org.example.Tea"), backend: terminal.backend())
        var content = NoticeContent(title: "Tea")
        content.reportsDismissal = true
        let shown = try await center.show(NoticeRequest(id: "tea", content: content))
        #expect(shown.receipt.lost.map(\.feature) == [.dismissal])
    }

    @Test("A terminal that is paused is busy; a command that was begun is ended when it goes on")
    func paused() async throws {
        let terminal = try PseudoTerminal()
        let device = try TerminalDevice(terminal.path)
        let text = String(repeating: "x", count: 100_000)
        let long = TerminalCommand(9, text).bytes(through: nil)
        let failure = await offThePool { device.write(long, until: .now + .milliseconds(500)) }
        #expect(failure?.code == .serverBusy && failure?.isTransient == true)
        let source = Task { try await offThePool { try terminal.read(until: "Tea\u{1B}\\") } }
        let next = TerminalCommand(9, "Tea").bytes(through: nil)
        #expect(await offThePool { device.write(next, until: .now + .seconds(30)) } == nil)
        var stream = TerminalStream()
        stream.take(try await source.value.utf8)
        #expect(stream.commands == ["9;" + text, "9;Tea"])
        #expect(stream.screen.isEmpty)
    }

    @Test("A notice that waits for its turn too long is not shown: its delivery has failed and is repeated")
    func late() async throws {
        let terminal = try ScriptedTerminal(.init(name: "iTerm2 3.5.0"))
        let limit = Duration.milliseconds(20)
        let backend = TerminalBackend(
            sequence: .osc9,
            device: terminal.path,
            // Nothing is asked through screen, so the delivery comes to its turn at once.
            environment: ["TERM": "screen", "STY": "1.pts"],
            timeouts: .init(write: limit)
        )
        let turn = DispatchSemaphore(value: 0)
        backend.queue.async { turn.wait() }
        let delivery = Task.immediate { try await backend.deliver(makeDelivery()) }
        let end = ContinuousClock.now + limit
        while ContinuousClock.now < end { await Task.yield() }
        turn.signal()
        let failure = await #expect(throws: NoticeError.self) { try await delivery.value }
        #expect(failure?.code == .serverBusy)
        #expect(terminal.bytes.isEmpty)
    }

    @Test("A terminal with OSC 99 obeys every rule of backends", .timeLimit(.minutes(5)))
    func conforms() async throws {
        let terminal = try ScriptedTerminal(.kitty)
        let suite = DeliveryBackendConformance(
            timeout: .seconds(60),
            pressAction: { _, receipt, action in
                await terminal.wait { $0.open.contains { $0.id == "belfry-\(receipt.handle)" } }
                let notice = try #require(terminal.open.first { $0.id == "belfry-\(receipt.handle)" })
                terminal.activate(notice, button: action == "yes" ? 1 : 2)
            },
            closeByHand: { _, receipt in
                await terminal.wait { $0.open.contains { $0.id == "belfry-\(receipt.handle)" } }
                terminal.close(try #require(terminal.open.first { $0.id == "belfry-\(receipt.handle)" }))
            },
            shownTitles: { _ in terminal.titles }
        ) { terminal.backend() }
        let report = await suite.runAll()
        try report.verify()
        // No server can be taken away.
        #expect(report.skipped.count == 1, "\(report)")
    }

    @Test("One without reports obeys them as well", arguments: ["WezTerm 2024", "iTerm2 3.5.0"])
    func conformsPlainly(name: String) async throws {
        let terminal = try ScriptedTerminal(.init(name: name))
        try await DeliveryBackendConformance(timeout: .seconds(60)) { terminal.backend() }.runAll().verify()
    }
}
