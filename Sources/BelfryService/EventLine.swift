#if ServiceLifecycle
import Belfry
import Logging

/// The log line of one event.
///
/// It contains no text of a notice. Levels: info or debug for success; notice for events that need no action, such as
/// another attempt; warning or error for notices that the user didn't get, or got late.
struct EventLine: Equatable {
    let level: Logger.Level
    let message: Logger.Message
    private(set) var metadata: Logger.Metadata = [:]

    private init(_ level: Logger.Level, _ message: Logger.Message) {
        self.level = level
        self.message = message
    }

    /// Creates a line; nil for an event that another one reports in more detail.
    init?(_ event: CenterEvent, lateAfter: Duration) {
        switch event {
        case .delivered(let notice):
            self =
                notice.late > lateAfter ? Self(.notice, "Notice delivered late") : Self(.info, "Notice delivered")
            set(.request, notice.requestID)
            set(.delivery, notice.id)
            set(.series, notice.series)
            set(.backend, notice.receipt.backend)
            set(late: notice.late)
        // The event `delivered` has more detail.
        case .history(let entry) where entry.outcome == .delivered: return nil
        case .history(let entry): self.init(entry)
        case .undisplayed(let delivery):
            self.init(.info, "Undisplayed notice given to the app")
            set(.request, delivery.requestID)
            set(.delivery, delivery.id)
            set(.series, delivery.series)
            set(late: delivery.late)
        case .error(let error):
            self.init(error.level, error.isReport ? "The center reports" : "The center met an error")
            set(.request, error.requestID)
            set(.errorCode, error.code.rawValue)
            set(.reason, error.description)
        }
    }

    private init(_ entry: HistoryEntry) {
        let isDeferred = entry.state?.kind == .deferred
        let (level, message): (Logger.Level, Logger.Message) =
            switch entry.outcome {
            case .delivered: (.info, "Notice delivered")
            case .missed: (.warning, "Notice missed")
            case .suppressed: (.info, "Notice suppressed")
            case .closed: (.debug, "Notice closed")
            case .failed: (.error, "Notice failed")
            case .retrying where isDeferred: (.info, "Notice deferred")
            case .retrying: (.notice, "Notice failed and is tried again")
            case .responded: (.debug, "User responded")
            case .removed: (.debug, "Request removed")
            case .replaced: (.debug, "Request replaced")
            case .dropped: (.warning, "Request dropped under the pending limit")
            case .dormant: (.warning, "Request can't be read by this program")
            case .damaged: (.error, "Request lost in a damaged store")
            case .clockReset: (.notice, "The wall clock was set back")
            }
        self.init(level, message)
        set(.request, entry.requestID.isEmpty ? nil : entry.requestID)
        set(.backend, entry.backend)
        set(.errorCode, entry.errorCode?.rawValue)
        set(.reason, entry.detail)
        if let late = entry.late { set(late: late) }
    }

    /// The texts of an event's notice, only for the level trace; nil for an event without a notice.
    init?(textsOf event: CenterEvent) {
        let (id, content): (String, NoticeContent)
        switch event {
        case .delivered(let notice): (id, content) = (notice.requestID, notice.content)
        case .undisplayed(let delivery): (id, content) = (delivery.requestID, delivery.content)
        case .history, .error: return nil
        }
        self.init(.trace, "What the notice says")
        set(.request, id)
        set(.title, content.title)
        set(.body, content.body)
    }

    private mutating func set(_ key: Key, _ value: String?) {
        if let value { metadata[key.rawValue] = .string(value) }
    }

    private mutating func set(late: Duration) {
        metadata[Key.lateness.rawValue] = .stringConvertible(late / .milliseconds(1))
    }

    /// The names of the metadata. They begin with the project's name, since a logger also carries other metadata.
    private enum Key: String {
        case backend = "belfry.backend"
        case body = "belfry.body"
        case delivery = "belfry.delivery.id"
        case errorCode = "belfry.error.code"
        /// The lateness in milliseconds.
        case lateness = "belfry.late.ms"
        case reason = "belfry.reason"
        case request = "belfry.request.id"
        case series = "belfry.series.id"
        case title = "belfry.title"
    }
}

extension NoticeError {
    /// Whether the event only reports, without a failure of its own.
    fileprivate var isReport: Bool {
        [.backendMessage, .clockInDoubt, .positionIgnored, .storeMessage].contains(code)
    }

    fileprivate var level: Logger.Level {
        if isReport { return .notice }
        return isTransient ? .warning : .error
    }
}
#endif
