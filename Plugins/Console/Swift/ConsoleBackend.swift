public import Belfry
public import BelfryRecurrence
import CBelfryConsole
import FoundationEssentials
public import Glibc
import Synchronization

/// Writes notices as lines, for people or for programs; on a terminal, users respond with keys.
///
/// ```swift
/// let center = NoticeCenter(app: AppIdentity(id: "org.example.Tea"), backend: ConsoleBackend())
/// ```
///
/// Keys work while the center runs, with ``Format/lines``, if input and output are terminals and this process is in the
/// foreground. They apply to the latest open notice: 1 to 9 select its actions, Enter or o opens it, d closes it. The
/// terminal is restored at the end, even if a signal ends the process.
///
/// Without keys there is no way to respond, so ``Belfry/DeliveryCapabilities/Feature/actions`` is not offered, and no
/// closing by the user is reported. Written lines can't be removed: replacing writes a new line, to which the keys
/// apply from then on.
public final class ConsoleBackend: DeliveryBackend {
    /// The format of the output.
    public enum Format: String, Sendable, CaseIterable {
        /// A few lines for each notice.
        case lines
        /// A JSON object for each notice, on a line of its own, with sorted keys; empty fields are omitted.
        ///
        /// `id` is the request's identifier, `at` the date of showing (RFC 3339 with the offset), `late` is in seconds,
        /// `lost` lists what the object lacks. A withdrawn notice is `{"withdrawn": {"id": …}}`.
        case json
    }

    struct State {
        /// Notices that can receive responses and be withdrawn, oldest first.
        var open: [OpenNotice] = []
        var lastHandle = 0
        /// Whether the reader of keys has given up.
        var cannotRead = false
    }

    struct OpenNotice {
        let handle: String
        let delivery: Delivery
    }

    public let name = "console"
    public var mayBlock: Bool { false }
    /// Whether a user can respond with keys.
    public var takesKeys: Bool { terminal != nil && !state.withLock { $0.cannotRead } }

    let format: Format
    let writer: ConsoleWriter
    /// The terminal to read keys from; nil for no keys.
    private let terminal: Int32?
    /// Never locked while writing or reporting.
    let state = Mutex(State())
    let listener = BackendListener("This console backend")
    /// Identifies this backend in receipts: the handles of an earlier process are not ours.
    let server = UUID().uuidString.lowercased()
    private let style: LineStyle
    /// Why nothing is shown; nil if notices are.
    private let refusal: NoticeError?
    private let zone: ZoneRules?
    private let languages: [String]?

    /// The maximum number of notices that can receive responses or be withdrawn; older ones are dropped.
    static let openLimit = 1000
    /// One for each of the keys 1 to 9.
    static let actionLimit = 9

    /// Creates a backend; keys work if the process is in the foreground now.
    ///
    /// - Parameters:
    ///   - format: Lines for people, or JSON for programs.
    ///   - output: The output to write to.
    ///   - input: The descriptor of a terminal to read keys from; nil for no keys.
    ///   - zone: The time zone of the output; nil for the system's.
    ///   - languages: The languages of Belfry's own words, best first; nil for the user's.
    ///   - writeLimit: The timeout of writing to a slow reader.
    ///   - onlyOnTerminal: Whether nothing is shown, with ``Belfry/NoticeError/Code/noServer``, if the output is no
    ///     terminal. A notice counts as shown when it is written, even where nobody reads it.
    public init(
        format: Format = .lines,
        output: ConsoleOutput = .standard,
        input: Int32? = STDIN_FILENO,
        zone: ZoneRules? = nil,
        languages: [String]? = nil,
        writeLimit: Duration = .seconds(10),
        onlyOnTerminal: Bool = false
    ) {
        self.format = format
        self.zone = zone
        self.languages = languages
        writer = ConsoleWriter(output, limit: writeLimit)
        let isTerminal = output.isTerminal
        style = LineStyle(onTerminal: isTerminal)
        refusal =
            onlyOnTerminal && !isTerminal
            ? NoticeError(.noServer, "The program's output is no terminal, so nobody may read notices there.") : nil
        let hasKeys =
            format == .lines && isTerminal && input.map { isatty($0) == 1 && TerminalReader.isInFront($0) } ?? false
        terminal = hasKeys ? input : nil
    }

    public func capabilities() async throws(NoticeError) -> DeliveryCapabilities {
        if let refusal { throw refusal }
        switch format {
        case .lines:
            var features: Set<DeliveryCapabilities.Feature> = [.body, .progress, .urgency, .replacing]
            if takesKeys { features.insert(.actions) }
            return DeliveryCapabilities(
                server: "console",
                features: features,
                actionLimit: Self.actionLimit,
                reportsClosing: takesKeys
            )
        case .json:
            // The object contains all of it, for a program to use.
            return DeliveryCapabilities(
                server: "console (json)",
                features: Set(DeliveryCapabilities.Feature.allCases).subtracting([.persistence]),
                reportsClosing: false
            )
        }
    }

    public func deliver(_ delivery: Delivery) async throws(NoticeError) -> DeliveryReceipt {
        if let refusal { throw refusal }
        let handle = state.withLock { $0.open(delivery, server: server) }
        let takesKeys = takesKeys
        do throws(NoticeError) {
            try await writer.write(text(of: delivery, withKeys: takesKeys))
        } catch {
            state.withLock { _ = $0.close(handle) }
            throw error
        }
        var lost = delivery.lost
        // The center has added it already, unless keys were read when it asked.
        let isLost = format == .lines && !takesKeys && !delivery.content.actions.isEmpty
        lost.add(.actions, "nobody reads keys from the terminal", if: isLost)
        return DeliveryReceipt(backend: name, handle: handle, server: server, lost: lost)
    }

    public func withdraw(_ receipt: DeliveryReceipt) async throws(NoticeError) {
        guard receipt.server == server, let notice = state.withLock({ $0.close(receipt.handle) }) else { return }
        let text: String
        switch format {
        case .lines: text = NoticeLines(style: style, words: words).withdrawn(notice.delivery)
        case .json: text = NoticeObject.withdrawn(notice.delivery)
        }
        try await writer.write(text)
        listener.report([.closed(DeliveryReceipt.Reference(receipt), .withdrawn)])
    }

    public func run(reporting report: @escaping @Sendable (BackendEvent) -> Void) async throws(NoticeError) {
        try listener.begin(report)
        let keys = terminal.map { keyReader(of: $0) }
        keys?.begin()
        await untilCancelled()
        await keys?.end()
        listener.end()
    }

    /// Restores the terminal from which a running backend reads keys, for processes that exit without ending the run.
    package static func restoreTerminal() { belfry_console_keys_end() }

    var words: ConsoleTexts { ConsoleTexts.best(for: languages ?? LanguagePreference.current()) }

    private func text(of delivery: Delivery, withKeys: Bool) -> String {
        let zone = zone ?? .system()
        return switch format {
        case .lines: NoticeLines(style: style, words: words).text(of: delivery, in: zone, withKeys: withKeys)
        case .json: NoticeObject.line(delivery, in: zone)
        }
    }
}

extension ConsoleBackend.State {
    /// Adds a notice and returns its handle, which is that of the notice it replaces, if any.
    mutating func open(_ delivery: Delivery, server: String) -> String {
        var handle: String?
        if let old = delivery.replaces, old.server == server, close(old.handle) != nil { handle = old.handle }
        if handle == nil { lastHandle += 1 }
        let name = handle ?? "\(lastHandle)"
        open.append(.init(handle: name, delivery: delivery))
        if open.count > ConsoleBackend.openLimit { open.removeFirst() }
        return name
    }

    mutating func close(_ handle: String) -> ConsoleBackend.OpenNotice? {
        guard let place = open.lastIndex(where: { $0.handle == handle }) else { return nil }
        return open.remove(at: place)
    }
}
