import Belfry
import BelfryConsole
import CBelfryConsole

/// What the terminal said when it was asked.
struct TerminalReply: Sendable, Hashable {
    /// Nil where it has no OSC 99.
    var support: KittySupport?
    /// Its name and version (XTVERSION); over SSH no variable tells them.
    var name: String?
    /// It has answered the last question, which every terminal does.
    var isComplete = false
}

/// Asks the terminal what it is and what it can do. Blocks its thread for the limit at most.
struct TerminalQuestion: Sendable {
    let device: TerminalDevice
    let limit: Duration
    private let id = "belfry-\(UInt32.random(in: 1...UInt32.max))"

    init(_ device: TerminalDevice, limit: Duration) {
        (self.device, self.limit) = (device, limit)
    }

    /// The device attributes (DA1), which mark the end of what is asked: as the specification of OSC 99 has it under
    /// "Querying for support".
    private static let end = Array("\u{1B}[c".utf8)
    /// The name (XTVERSION) first: it says whether more can be asked.
    private static let nameQuestion = Array("\u{1B}[>0q".utf8) + end
    /// OSC 99's own question.
    private var supportQuestion: [UInt8] { TerminalCommand(99, "i=\(id):p=?;").bytes(through: nil) + Self.end }

    /// Nil where it can't be asked now: this program is in the background, another reads the terminal, or something was
    /// typed already, which is for whoever reads next.
    func ask() -> TerminalReply? {
        guard device.isInFront, let terminal = TerminalTurn.Terminal(device.descriptor) else { return nil }
        TerminalTurn.beginQuestion(on: terminal)
        defer { TerminalTurn.endQuestion(on: terminal) }
        // Lines first: they would be one line after the terminal was changed.
        guard !device.hasInput, belfry_console_keys_begin(device.descriptor) == 0 else { return nil }
        defer { belfry_console_keys_end() }
        let deadline = ContinuousClock.now + limit
        // Then a line that was begun.
        guard !device.hasInput, device.write(Self.nameQuestion, within: limit) == nil else { return nil }
        var reply = TerminalReply()
        read(into: &reply, until: deadline)
        guard reply.isComplete, KnownTerminal.bearsSupportQuestion(reply.name),
            device.write(supportQuestion, within: limit) == nil
        else { return reply }
        reply.isComplete = false
        read(into: &reply, until: deadline)
        return reply
    }

    /// Reads away what comes late, which a shell would take for keys.
    func readLateReply() {
        guard device.isInFront, let terminal = TerminalTurn.Terminal(device.descriptor) else { return }
        TerminalTurn.beginQuestion(on: terminal)
        defer { TerminalTurn.endQuestion(on: terminal) }
        guard belfry_console_keys_begin(device.descriptor) == 0 else { return }
        defer { belfry_console_keys_end() }
        var reply = TerminalReply()
        read(into: &reply, until: .now + limit)
    }

    private func read(into reply: inout TerminalReply, until deadline: ContinuousClock.Instant) {
        var parser = ReplyParser()
        while !reply.isComplete, let bytes = device.read(until: deadline) {
            for byte in bytes {
                switch parser.reply(after: byte) {
                case .command(let text):
                    guard let report = KittyReport(text), report.id == id, case .support(let support) = report.event
                    else { continue }
                    reply.support = support
                case .deviceControl(let text) where text.hasPrefix(">|"): reply.name = String(text.dropFirst(2))
                case .sequence(let text) where text.hasPrefix("?") && text.hasSuffix("c"): reply.isComplete = true
                default: break
                }
            }
        }
    }
}
