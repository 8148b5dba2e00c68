public import Belfry
import BelfryConsole
import Dispatch

/// Shows notices through the terminal that the program runs in, also over SSH: they appear on the terminal's desktop.
///
/// ```swift
/// let center = NoticeCenter(app: app, backend: TerminalBackend())
/// ```
///
/// The terminal is queried once for its name and features, within ``Timeouts/reply``. If it doesn't reply, it is
/// recognized by variables such as TERM and LC_TERMINAL. Calls throw ``Belfry/NoticeError/Code/unsupported`` if there
/// is no terminal, or none that is known to show notices. A ``Belfry/BackendChain`` then uses the next backend.
///
/// Terminals that announce reports in OSC 99 report responses while the backend runs in the foreground and ``listens``.
/// Nothing is reported through tmux or screen, which would send it to their active window.
public final class TerminalBackend: DeliveryBackend {
    /// The timeouts of the terminal.
    public struct Timeouts: Sendable, Hashable {
        /// The timeout of its replies, and of closing its notices when the run ends.
        public var reply: Duration
        /// The timeout of writing.
        public var write: Duration

        /// Creates timeouts; each default suits a terminal on the other side of the world.
        public init(reply: Duration = .milliseconds(500), write: Duration = .seconds(10)) {
            self.reply = reply
            self.write = write
        }
    }

    public let name = "terminal"
    public var mayBlock: Bool { false }
    /// Whether the backend reads the terminal's reports, and with them everything typed, while it runs. Notices that
    /// could still get a response are closed when the run ends, because a shell would read the reports as keys. If
    /// false, notices outlive the program.
    public let listens: Bool

    let timeouts: Timeouts
    let listener = BackendListener("This terminal backend")
    /// Never locked while writing or reporting.
    let state: AwaitedState<State>
    /// Writes one command after another.
    let queue = DispatchQueue(label: "org.belfry.terminal")
    private let sequence: TerminalSequence?
    private let device: String

    /// Creates a backend; it opens the terminal when it is first needed.
    ///
    /// - Parameters:
    ///   - sequence: The command to use; nil for the best that the terminal is known to support.
    ///   - listens: Whether the terminal's reports are read.
    ///   - device: The terminal's path.
    ///   - environment: The variables that identify the terminal; nil for the program's, when it is first needed.
    ///   - timeouts: The timeouts.
    public init(
        sequence: TerminalSequence? = nil,
        listens: Bool = true,
        device: String = "/dev/tty",
        environment: [String: String]? = nil,
        timeouts: Timeouts = Timeouts()
    ) {
        self.sequence = sequence
        self.listens = listens
        self.device = device
        state = AwaitedState(State(environment: environment))
        self.timeouts = timeouts
    }

    public func capabilities() async throws(NoticeError) -> DeliveryCapabilities {
        try await found().profile.capabilities
    }

    public func deliver(_ delivery: Delivery) async throws(NoticeError) -> DeliveryReceipt {
        let (terminal, profile) = try await found()
        let handle = handle(for: delivery, profile)
        let message = TerminalMessage(delivery, id: Self.id(of: handle), for: profile)
        if profile.support != nil {
            state.withLock { $0.open(delivery.content, as: handle, isReported: profile.reports) }
        }
        do throws(NoticeError) {
            try await write(message.commands, through: profile.multiplexer, to: terminal)
        } catch {
            state.withLock { _ = $0.close(handle) }
            throw error
        }
        return DeliveryReceipt(backend: name, handle: String(handle), lost: message.lost)
    }

    public func preview(_ delivery: Delivery) async throws(NoticeError) -> Delivery.Preview {
        let profile = try await found().profile
        let message = TerminalMessage(delivery, id: Self.id(of: 0), for: profile)
        return preview(of: delivery, on: profile.capabilities.server, lost: message.lost)
    }

    /// Closes the notice if the terminal supports that; also one of an earlier process.
    ///
    /// - Throws: ``Belfry/NoticeError/Code/unsupported`` (permanent) if the terminal is gone or shows no notices,
    ///   ``Belfry/NoticeError/Code/systemFailure`` (permanent) if it can't be written to, and
    ///   ``Belfry/NoticeError/Code/serverBusy`` (transient) if it takes nothing within ``Timeouts/write``.
    public func withdraw(_ receipt: DeliveryReceipt) async throws(NoticeError) {
        guard receipt.backend == name, let handle = UInt32(receipt.handle) else { return }
        let (terminal, profile) = try await found()
        guard profile.support?.payloads.contains("close") == true else { return }
        let wasOpen = state.withLock { $0.takeBack(handle) }
        try await write([TerminalMessage.closing(Self.id(of: handle))], through: profile.multiplexer, to: terminal)
        if wasOpen { listener.report([.closed(DeliveryReceipt.Reference(receipt), .withdrawn)]) }
    }

    // MARK: the terminal

    /// Returns the terminal and its profile. After the first query, this only waits for tmux.
    private func found() async throws(NoticeError) -> (terminal: TerminalDevice, profile: TerminalProfile) {
        let (terminal, environment) = try state.withLock { (state) throws(NoticeError) in
            (try state.open(at: device), state.variables())
        }
        let kind = environment["TERM"]
        guard sequence != nil || !KnownTerminal.isPlain(kind) else {
            throw NoticeError(.unsupported, "The terminal '\(kind ?? "")' (TERM) shows no notices.")
        }
        let found: TerminalProfile?
        if environment.hasValue("TMUX") {
            found = TerminalProfile(
                asked: sequence,
                try await TmuxClient.current(in: environment, within: timeouts.write)
            )
        } else {
            let reply = environment.hasValue("STY") ? nil : await reply(of: terminal)
            found = TerminalProfile(asked: sequence, reply, environment: environment)
        }
        guard var profile = found else {
            throw NoticeError(
                .unsupported,
                "This terminal is not known to show notices. Where it does, say how: \(Self.ways)."
            )
        }
        profile.isListening = canListen(on: terminal)
        return (terminal, profile)
    }

    private static let ways =
        "--backend terminal:" + TerminalSequence.allCases.map(\.rawValue).joined(separator: " or :")

    /// Returns the terminal's reply, and queries it if that is possible and was not done yet.
    private func reply(of terminal: TerminalDevice) async -> TerminalReply? {
        if let reply = state.withLock({ $0.reply }) { return reply }
        guard terminal.isInFront else { return nil }
        let question = TerminalQuestion(device: terminal, limit: timeouts.reply)
        return await TerminalTurn.ask {
            // A caller that waited meanwhile uses the first one's reply.
            let reply = self.state.withLock { $0.reply } ?? question.ask()
            self.state.withLock { state in
                state.reply = reply
                if reply?.isComplete == false { state.late = question }
            }
            return reply
        }
    }

    func write(
        _ commands: [TerminalCommand],
        through multiplexer: Multiplexer?,
        to terminal: TerminalDevice
    ) async throws(NoticeError) {
        let bytes = commands.flatMap { $0.bytes(through: multiplexer) }
        // Counted from the call, not from its turn: whoever has given up will write the notice again.
        let deadline = ContinuousClock.now + timeouts.write
        let failure = await queue.perform { terminal.write(bytes, until: deadline) }
        if let failure { throw failure }
    }

    // MARK: names

    /// Returns the terminal's id for a notice, distinct from those of all other programs.
    static func id(of handle: UInt32) -> String { "\(idPrefix)\(handle)" }
    private static let idPrefix = "belfry-"

    /// Returns nil for an id that isn't Belfry's.
    static func handle(of id: String) -> UInt32? {
        id.hasPrefix(idPrefix) ? UInt32(id.dropFirst(idPrefix.count)) : nil
    }

    /// Returns a number, for scripts that read and pass on the output of `send -p`.
    private func handle(for delivery: Delivery, _ profile: TerminalProfile) -> UInt32 {
        guard let old = delivery.replaces, old.backend == name, old.server == nil, profile.support != nil,
            let handle = UInt32(old.handle)
        else { return UInt32.random(in: 1...UInt32.max) }
        return handle
    }
}
