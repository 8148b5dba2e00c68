public import Belfry
public import BelfryRecurrence
import CBelfryConsole
import FoundationEssentials
public import Glibc
import Synchronization

/// Writes notices as lines, for eyes or for programs; on a terminal a user answers by key.
///
/// ```swift
/// let center = NoticeCenter(app: AppIdentity(id: "org.example.Tea"), backend: ConsoleBackend())
/// ```
///
/// Keys work while the center runs, with ``Format/lines``, where input and output are terminals and this process is in
/// the foreground. They mean the latest notice that is open: 1 to 9 its actions, Enter or o the notice itself, d closes
/// it. The terminal is put back at the end, also when a signal ends the process.
///
/// Nobody can click on a line: where there are no keys, ``Belfry/DeliveryCapabilities/Feature/actions`` is not offered.
/// A line that was written can't be taken back: replacing writes a new one, which the keys mean from then on.
public final class ConsoleBackend: NonblockingBackend {
    /// How notices are written.
    public enum Format: String, Sendable, CaseIterable {
        /// A few lines for each notice.
        case lines
        /// One object for each notice, on a line of its own, with sorted keys; absent where there is nothing.
        ///
        /// `id` is the request's identifier, `at` the instant of showing (RFC 3339 with the offset), `late` seconds,
        /// `lost` what is not in the object. A notice that is taken back is `{"withdrawn": {"id": …}}`.
        case json
    }

    struct State {
        /// What can be answered and taken back, oldest first.
        var open: [OpenNotice] = []
        var lastHandle = 0
        var listener: (@Sendable (BackendEvent) -> Void)?
        /// News of before the run.
        var early: [BackendEvent] = []
    }

    struct OpenNotice {
        let handle: String
        let delivery: Delivery
    }

    public let name = "console"
    /// True where a user can answer by key.
    public let takesKeys: Bool

    let format: Format
    let writer: ConsoleWriter
    let terminal: Int32?
    /// Never held while something is written or reported.
    let state = Mutex(State())
    /// Names this backend in receipts: the handles of an earlier process are not ours.
    let server = UUID().uuidString.lowercased()
    private let style: LineStyle
    private let zone: ZoneRules?
    private let languages: [String]?

    /// How many notices can be answered or taken back at a time; older ones are let go.
    static let openLimit = 1000
    /// One for each of the keys 1 to 9.
    static let actionLimit = 9

    /// - Parameters:
    ///   - format: Lines for readers, or JSON for programs.
    ///   - output: Where to.
    ///   - input: The descriptor of a terminal to take keys from; nil takes none.
    ///   - zone: The zone of what is written; nil follows the system's.
    ///   - languages: Of what lines say beside the notice, best first; nil follows the user's.
    ///   - writeLimit: How long a reader who does not read is waited for.
    public init(
        format: Format = .lines,
        output: ConsoleOutput = .standard,
        input: Int32? = STDIN_FILENO,
        zone: ZoneRules? = nil,
        languages: [String]? = nil,
        writeLimit: Duration = .seconds(10)
    ) {
        self.format = format
        self.zone = zone
        self.languages = languages
        writer = ConsoleWriter(output, limit: writeLimit)
        let isTerminal = output.isTerminal
        style = LineStyle(onTerminal: isTerminal)
        terminal = if format == .lines, isTerminal, let input, isatty(input) == 1 { input } else { nil }
        takesKeys = terminal.map(TerminalReader.isInFront) ?? false
    }

    public func capabilities() async throws(NoticeError) -> DeliveryCapabilities {
        switch format {
        case .lines:
            var features: Set<DeliveryCapabilities.Feature> = [.body, .progress, .urgency, .replacing]
            if takesKeys { features.insert(.actions) }
            return DeliveryCapabilities(server: "console", features: features, actionLimit: Self.actionLimit)
        case .json:
            // All of it stands in the object, for a program to make something of.
            return DeliveryCapabilities(
                server: "console (json)",
                features: Set(DeliveryCapabilities.Feature.allCases).subtracting([.persistence])
            )
        }
    }

    public func deliver(_ delivery: Delivery) async throws(NoticeError) -> DeliveryReceipt {
        let handle = state.withLock { $0.open(delivery, server: server) }
        let lost = losses(of: delivery)
        do throws(NoticeError) {
            try await writer.write(text(of: delivery, lost: delivery.lost + lost))
        } catch {
            state.withLock { _ = $0.close(handle) }
            throw error
        }
        return DeliveryReceipt(backend: name, handle: handle, server: server, lost: delivery.lost + lost)
    }

    public func withdraw(_ receipt: DeliveryReceipt) async throws(NoticeError) {
        guard receipt.server == server, let notice = state.withLock({ $0.close(receipt.handle) }) else { return }
        let text: String
        switch format {
        case .lines: text = NoticeLines(style: style, words: words).withdrawn(notice.delivery)
        case .json: text = NoticeObject.withdrawn(notice.delivery)
        }
        try await writer.write(text)
        report([.closed(DeliveryReceipt.Reference(receipt), .withdrawn)])
    }

    public func run(reporting report: @escaping @Sendable (BackendEvent) -> Void) async throws(NoticeError) {
        let early = state.withLock { state -> [BackendEvent]? in
            guard state.listener == nil else { return nil }
            state.listener = report
            defer { state.early = [] }
            return state.early
        }
        guard let early else {
            throw NoticeError(.unsupported, "This console backend is running already; give each center its own.")
        }
        for event in early { report(event) }
        let keys = (takesKeys ? terminal : nil).map { keyReader(of: $0, reporting: report) }
        if let hindrance = keys?.begin() { report(.error(Self.error(hindrance))) }
        await untilCancelled()
        await keys?.end()
        state.withLock { $0.listener = nil }
    }

    /// Puts the terminal back that a running backend takes keys from, before a process ends without ending its run.
    package static func restoreTerminal() { belfry_console_keys_end() }

    var words: ConsoleWords { ConsoleWords.best(for: languages ?? LanguagePreference.current()) }

    private func text(of delivery: Delivery, lost: [DeliveryReceipt.LostFeature]) -> String {
        let zone = zone ?? .system()
        return switch format {
        case .lines: NoticeLines(style: style, words: words).text(of: delivery, in: zone, withKeys: takesKeys)
        case .json: NoticeObject.line(delivery, lost: lost, in: zone)
        }
    }

    private func losses(of delivery: Delivery) -> [DeliveryReceipt.LostFeature] {
        guard format == .lines else { return [] }
        return NoticeLines.losses(of: delivery.content, withKeys: takesKeys)
    }

    /// Reports to whoever runs the backend, now or when the run begins.
    func report(_ events: [BackendEvent]) {
        let listener = state.withLock { state in
            if state.listener == nil, state.early.count < Self.openLimit { state.early += events }
            return state.listener
        }
        for event in events { listener?(event) }
    }
}

extension ConsoleBackend.State {
    /// The handle of a new notice, or of the one whose place it takes.
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
