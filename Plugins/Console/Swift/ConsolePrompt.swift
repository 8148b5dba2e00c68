public import Belfry
import BelfryLoop
import CBelfryConsole
import FoundationEssentials
public import Glibc

/// Asks the user in the terminal in which the program was started.
///
/// ```swift
/// let center = NoticeCenter(app: app, backend: DBusBackend(), prompt: ConsolePrompt())
/// // May Tea show notices? [y/n]
/// ```
///
/// The question and its replies are in the user's language; y and n are understood everywhere. Only input typed after
/// the question counts. Other input repeats the question, with a hint.
///
/// | event | result |
/// |---|---|
/// | there is no terminal, or the program is in its background | ``Belfry/AuthorizationStatus/Decision/cannotAsk`` |
/// | ^D, hang-up, timeout, cancellation, five invalid lines | ``Belfry/AuthorizationStatus/Decision/undecided`` |
///
/// ^C has its usual effect on the program. During the question, no ``ConsoleBackend`` reads keys.
public struct ConsolePrompt: AuthorizationPrompt {
    private let text: (@Sendable (AppIdentity) -> String)?
    private let input: Int32
    private let output: Int32
    private let timeout: Duration
    private let languages: [String]?

    /// Creates a prompt.
    ///
    /// - Parameters:
    ///   - question: The app's own question instead of "May … show notices?", without the letters to type.
    ///   - input: The descriptor of a terminal; the caller keeps owning it.
    ///   - output: The same. Standard error by default, which keeps the program's standard output clean.
    ///   - timeout: The timeout of the question. A center waits no longer than ``Belfry/CenterOptions/promptTimeout``.
    ///   - languages: Best first; nil for the user's at the time of asking.
    public init(
        question: (@Sendable (AppIdentity) -> String)? = nil,
        input: Int32 = STDIN_FILENO,
        output: Int32 = STDERR_FILENO,
        timeout: Duration = .seconds(120),
        languages: [String]? = nil
    ) {
        text = question
        self.input = input
        self.output = output
        self.timeout = timeout
        self.languages = languages
    }

    public func ask(for app: AppIdentity) async -> AuthorizationStatus.Decision {
        guard isatty(output) == 1, isatty(input) == 1 else { return .cannotAsk }
        let words = PermissionWords.best(for: languages ?? LanguagePreference.current())
        let question = (text?(app) ?? words.question(about: app.name)).oneLine
        // Nil if the process has no descriptors left.
        guard let ending = WakeSignal() else { return .undecided }
        // Nothing raises it any more: the removal of the cancellation handler waits for one that is running.
        defer { ending.close() }
        return await withTaskCancellationHandler {
            await TerminalTurn.ask {
                // Canceled while another question was open.
                ending.clear() ? .undecided : decision(on: "\(question) \(words.choice) ", words, unless: ending)
            }
        } onCancel: {
            ending.raise()
        }
    }
}

/// The dialogue on a terminal in line mode. Blocks its thread for at most the timeout.
extension ConsolePrompt {
    private static let tries = 5
    /// More than the longest line of a terminal.
    private static let lengthLimit = 4_096

    private func decision(
        on question: String,
        _ words: PermissionWords,
        unless ending: WakeSignal
    ) -> AuthorizationStatus.Decision {
        // Writing to a terminal, or changing it, may stop a program in the background.
        guard TerminalReader.isInFront(input) else { return .cannotAsk }
        let writer = DescriptorWriter(output)
        let deadline = ContinuousClock.now + timeout
        // Input typed before the question is no reply to it.
        tcflush(input, TCIFLUSH)
        var prefix = ""
        for _ in 0..<Self.tries {
            guard writer.write(Array((prefix + question).utf8), until: deadline) == 0 else { return .undecided }
            guard let line = readLine(until: deadline, unless: ending) else {
                // The cursor is still on the line of the question.
                _ = writer.write([UInt8(ascii: "\n")], until: .now + .seconds(1))
                return .undecided
            }
            if let decision = words.decision(typed: String(line.trimmed)) { return decision }
            prefix = words.hint + "\n"
        }
        return .undecided
    }

    /// Returns nil if the question ends without a line.
    private func readLine(until deadline: ContinuousClock.Instant, unless ending: WakeSignal) -> String? {
        var line: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 256)
        while true {
            var waits = [
                pollfd(fd: input, events: Int16(POLLIN), revents: 0),
                pollfd(fd: ending.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            let count = poll(&waits, 2, deadline.millisecondsLeft)
            if count < 0, errno == EINTR { continue }
            guard count > 0, waits[1].revents == 0 else { return nil }
            // Reads at most one line: later input is for the program.
            let length = belfry_console_keys_read(input, &buffer, buffer.count)
            if length == -EAGAIN { continue }
            guard length > 0 else { return nil }
            if line.count < Self.lengthLimit { line += buffer[..<Int(length)] }
            if buffer[Int(length) - 1] == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
        }
    }
}
