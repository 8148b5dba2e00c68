import Belfry
import BelfryConsole
import CBelfryConsole

/// The terminal's reply to the queries.
struct TerminalReply: Sendable, Hashable {
    /// Nil if the terminal doesn't support OSC 99.
    var support: KittySupport?
    /// The name and version (XTVERSION), which no variable contains over SSH.
    var name: String?
    /// Whether the terminal replied to the last query; every terminal replies to that one.
    var isComplete = false
}

/// Queries the terminal for its name and features, in a turn of its own (``TerminalTurn/ask(_:)``). Blocks its thread
/// for at most the timeout.
struct TerminalQuestion: Sendable {
    let device: TerminalDevice
    let limit: Duration
    let id = "belfry-\(UInt32.random(in: 1...UInt32.max))"

    /// The device attributes (DA1), which mark the end of the replies (specification of OSC 99, "Querying for
    /// support").
    private static let end = Array("\u{1B}[c".utf8)
    /// The name (XTVERSION) comes first: it decides whether OSC 99 can be queried.
    private static let nameQuestion = Array("\u{1B}[>0q".utf8) + end
    /// The support query of OSC 99.
    private var supportQuestion: [UInt8] { TerminalCommand(99, "i=\(id):p=?;").bytes(through: nil) + Self.end }

    /// Queries the terminal. Returns nil if that is impossible now: this program is in the background, another program
    /// reads the terminal, or typed input waits, which belongs to the next reader.
    func ask() -> TerminalReply? {
        // Check for complete lines first: changing the terminal's mode would join them into one.
        guard !device.hasInput, belfry_console_keys_begin(device.descriptor) == 0 else { return nil }
        defer { belfry_console_keys_end() }
        let deadline = ContinuousClock.now + limit
        // Then check for an incomplete line.
        guard !device.hasInput, device.write(Self.nameQuestion, until: deadline) == nil else { return nil }
        var reply = TerminalReply()
        read(into: &reply, until: deadline)
        guard reply.isComplete, KnownTerminal.bearsSupportQuestion(reply.name),
            device.write(supportQuestion, until: .now + limit) == nil
        else { return reply }
        reply.isComplete = false
        read(into: &reply, until: deadline)
        return reply
    }

    /// Reads and drops late replies, which a shell would take for keys.
    func readLateReply() {
        guard belfry_console_keys_begin(device.descriptor) == 0 else { return }
        defer { belfry_console_keys_end() }
        var reply = TerminalReply()
        read(into: &reply, until: .now + limit)
    }

    private func read(into reply: inout TerminalReply, until deadline: ContinuousClock.Instant) {
        var parser = TerminalInputParser()
        while !reply.isComplete, let bytes = device.read(until: deadline) {
            for byte in bytes {
                switch parser.input(after: byte) {
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
