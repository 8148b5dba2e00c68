public import Belfry
import BelfryConsole
import Dispatch
public import FoundationEssentials
import Synchronization

/// Shows notices through the terminal that the program runs in, also over SSH: they appear on the terminal's desktop.
///
/// ```swift
/// let center = NoticeCenter(app: app, backend: TerminalBackend())
/// ```
///
/// The terminal is asked what it is and what it can do, once, and within ``Limits/reply``. One that does not say it is
/// known by variables such as TERM and LC_TERMINAL. Calls throw ``Belfry/NoticeError/Code/unsupported`` where there is no
/// terminal, or none that is known to show notices: a ``Belfry/BackendChain`` then takes the next backend.
///
/// What the user does is reported by terminals with OSC 99 that say so, while the backend runs in the foreground and
/// ``listens``. Nothing is reported through tmux or screen, which would give it to the window that is in front there.
public final class TerminalBackend: NonblockingBackend {
    /// How long the terminal is waited for.
    public struct Limits: Sendable, Hashable {
        /// For what it says of itself, and for the end of its notices when the run ends.
        public var reply: Duration
        /// Until it takes what is written.
        public var write: Duration

        /// Creates limits; each default suits a terminal at the other end of the world.
        public init(reply: Duration = .milliseconds(500), write: Duration = .seconds(10)) {
            self.reply = reply
            self.write = write
        }
    }

    public let name = "terminal"
    /// Reads what the terminal reports, and with it all that is typed, while it runs. Notices that could still be
    /// answered are taken off the screen when the run ends: a shell would take the reports for keys. Without it,
    /// notices outlive the program.
    public let listens: Bool

    let limits: Limits
    /// Never held while something is written or reported.
    let state = Mutex(State())
    /// Writes one command after another.
    let queue = DispatchQueue(label: "org.belfry.terminal")
    private let sequence: TerminalSequence?
    private let device: String
    private let environment: [String: String]

    /// - Parameters:
    ///   - sequence: The way that the terminal is told by; nil takes the best that it is known to have.
    ///   - listens: Whether what the terminal reports is read.
    ///   - device: The terminal's path.
    ///   - environment: The variables that tell which terminal it is.
    ///   - limits: How long it is waited for.
    public init(
        sequence: TerminalSequence? = nil,
        listens: Bool = true,
        device: String = "/dev/tty",
        environment: [String: String] = ProcessInfo.processInfo.environment,
        limits: Limits = Limits()
    ) {
        self.sequence = sequence
        self.listens = listens
        self.device = device
        self.environment = environment
        self.limits = limits
    }

    public func capabilities() async throws(NoticeError) -> DeliveryCapabilities {
        let (terminal, profile) = try await found()
        return profile.capabilities(isListening: canListen(on: terminal), isUntracked: isUntracked)
    }

    public func deliver(_ delivery: Delivery) async throws(NoticeError) -> DeliveryReceipt {
        let (terminal, profile) = try await found()
        let isListening = canListen(on: terminal)
        let handle = handle(for: delivery, profile)
        let message = message(delivery, handle, profile, isListening)
        state.withLock { $0.willReportClosing = isListening && profile.reportsClosing }
        if profile.support != nil {
            state.withLock { $0.open(delivery.content, as: handle, isReported: isListening && profile.reports) }
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
        let (terminal, profile) = try await found()
        let isListening = canListen(on: terminal)
        return Delivery.Preview(
            content: delivery.content,
            backend: name,
            server: profile.capabilities(isListening: isListening, isUntracked: isUntracked).server,
            lost: message(delivery, 0, profile, isListening).lost
        )
    }

    /// Takes it off the screen where the terminal can; also one of an earlier process.
    public func withdraw(_ receipt: DeliveryReceipt) async throws(NoticeError) {
        guard receipt.backend == name, let handle = UInt32(receipt.handle) else { return }
        let (terminal, profile) = try await found()
        guard profile.support?.payloads.contains("close") == true else { return }
        let wasOpen = state.withLock { $0.takeBack(handle) }
        try await write([KittyMessage.closing(Self.id(of: handle))], through: profile.multiplexer, to: terminal)
        if wasOpen { report([.closed(DeliveryReceipt.Reference(receipt), .withdrawn)]) }
    }

    /// Whether the end of what was delivered last is reported.
    package var willReportClosing: Bool { state.withLock { $0.willReportClosing && !$0.isUntracked } }

    // MARK: the terminal

    /// The terminal and what it can show. Once it has been asked, this waits for nothing but tmux.
    private func found() async throws(NoticeError) -> (TerminalDevice, TerminalProfile) {
        let terminal = try state.withLock { (state) throws(NoticeError) in try state.terminal(at: device) }
        let kind = environment["TERM"]
        guard sequence != nil || !KnownTerminal.isPlain(kind) else {
            throw NoticeError(.unsupported, "The terminal '\(kind ?? "")' (TERM) shows no notices.")
        }
        let profile: TerminalProfile?
        if environment.hasValue("TMUX") {
            profile = TerminalProfile(
                asked: sequence,
                try await TmuxClient.current(in: environment, within: limits.write)
            )
        } else {
            let reply = environment.hasValue("STY") ? nil : await reply(of: terminal)
            profile = TerminalProfile(asked: sequence, reply, environment: environment)
        }
        guard let profile else {
            throw NoticeError(
                .unsupported,
                "This terminal is not known to show notices. Where it does, say how: \(Self.ways)."
            )
        }
        return (terminal, profile)
    }

    private static let ways =
        "--backend terminal:" + TerminalSequence.allCases.map(\.rawValue).joined(separator: " or :")

    /// What it has said; asked for it where that can be, and was not yet.
    private func reply(of terminal: TerminalDevice) async -> TerminalReply? {
        if let reply = state.withLock({ $0.reply }) { return reply }
        guard let turn = TerminalTurn.Terminal(terminal.descriptor) else { return nil }
        let question = TerminalQuestion(terminal, limit: limits.reply)
        return await withCheckedContinuation { continuation in
            // Where questions to the user wait for each other as well.
            TerminalTurn.queue(of: turn).async {
                // Whoever waited meanwhile finds the answer.
                let reply = self.state.withLock { $0.reply } ?? question.ask()
                self.state.withLock { state in
                    state.reply = reply
                    if reply?.isComplete == false { state.late = question }
                }
                continuation.resume(returning: reply)
            }
        }
    }

    func write(
        _ commands: [TerminalCommand],
        through multiplexer: Multiplexer?,
        to terminal: TerminalDevice
    ) async throws(NoticeError) {
        let bytes = commands.flatMap { $0.bytes(through: multiplexer) }
        let failure = await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: terminal.write(bytes, within: self.limits.write)) }
        }
        if let failure { throw failure }
    }

    // MARK: names

    /// As the terminal knows the notice; it is to be unlike those of all other programs.
    static func id(of handle: UInt32) -> String { "\(idPrefix)\(handle)" }
    private static let idPrefix = "belfry-"

    /// Nil for what is no notice of Belfry's.
    static func handle(of id: String) -> UInt32? {
        id.hasPrefix(idPrefix) ? UInt32(id.dropFirst(idPrefix.count)) : nil
    }

    /// A number, for scripts that read and pass on what `send -p` prints.
    private func handle(for delivery: Delivery, _ profile: TerminalProfile) -> UInt32 {
        guard let old = delivery.replaces, old.backend == name, old.server == nil, profile.support != nil,
            let handle = UInt32(old.handle)
        else { return UInt32.random(in: 1...UInt32.max) }
        return handle
    }

    private func message(
        _ delivery: Delivery,
        _ handle: UInt32,
        _ profile: TerminalProfile,
        _ isListening: Bool
    ) -> TerminalMessage {
        TerminalMessage(delivery, id: Self.id(of: handle), for: profile, isListening: isListening)
    }
}
