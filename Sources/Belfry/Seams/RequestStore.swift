/// Keeps everything that must outlive the process.
///
/// The contract, which `BelfryTesting`'s conformance suite tests: a batch is stored whole or not at all, in the order
/// given; ``commit(_:)`` returns when it is durable; a request's content stays readable by its revision until
/// ``StoreChange/dropContent(revision:)``. Errors are ``NoticeError/Code/storeFailed``; the old state is intact.
public protocol RequestStore: Sendable {
    /// Everything that is stored; called once, before anything else. O(n).
    func load() async throws(NoticeError) -> StoredState
    func commit(_ batch: [StoreChange]) async throws(NoticeError)
    /// The request as it was added, or nil where it was dropped.
    func request(revision: Int64) async throws(NoticeError) -> NoticeRequest?
    /// The lines that match, oldest first.
    func ledger(_ query: LedgerQuery) async throws(NoticeError) -> [LedgerEntry]
}

/// Which lines of the ledger.
public struct LedgerQuery: Sendable, Hashable, Codable {
    /// Nil is every request.
    public var requestID: String?
    /// The newest so many; nil is all.
    public var limit: Int?

    public init(requestID: String? = nil, limit: Int? = nil) {
        self.requestID = requestID
        self.limit = limit
    }
}

/// One step of a batch.
///
/// The large ones are kept behind a pointer: a batch of a million steps is copied and grown.
public enum StoreChange: Sendable, Hashable {
    /// A request is pending. One of the same identifier was removed earlier in the batch.
    indirect case putRequest(NoticeRequest, revision: Int64, TriggerProgress)
    /// A pending request fired and goes on, or was planned anew.
    case updateProgress(revision: Int64, TriggerProgress)
    /// A request is no longer pending; its content stays.
    case removeRequest(revision: Int64)
    /// Nothing refers to the content any more.
    case dropContent(revision: Int64)
    /// A delivery was begun, or has come to stand on the screen; in place of the record of the same delivery.
    case putDelivery(DeliveryRecord)
    case removeDelivery(id: String)
    indirect case appendLedger(LedgerEntry)
    /// A response waits for the app's handler.
    indirect case putResponse(NoticeResponse)
    case removeResponse(id: String)
    case putCategories([NoticeCategory])
    case putAuthorization(AuthorizationStatus)
    indirect case putClockMapping(ClockMapping)
}

/// How far a pending request has come. The next firing follows from it, and is not stored.
public struct TriggerProgress: Sendable, Codable, Hashable {
    /// When the request was added, in microseconds: on the boot clock of the ``ClockMapping`` for a trigger that waits on
    /// elapsed time, since 1970 for all others.
    public var anchor: Int64
    /// How many firings there have been, missed ones included.
    public var fired: Int
    /// The last due time, in microseconds since 1970.
    public var lastDue: Int64?
    /// The same as local time of its zone, in seconds, so that a journey west fires nothing twice.
    public var lastLocal: Int64?

    public init(anchor: Int64, fired: Int = 0, lastDue: Int64? = nil, lastLocal: Int64? = nil) {
        self.anchor = anchor
        self.fired = fired
        self.lastDue = lastDue
        self.lastLocal = lastLocal
    }
}

/// Which wall time a boot clock's reading stood for, on which boot of the machine, in which time zone.
public struct ClockMapping: Sendable, Codable, Hashable {
    public var bootID: String
    public var instant: TriggerInstant
    /// The identifier of the system's zone.
    public var zone: String

    public init(bootID: String, instant: TriggerInstant, zone: String) {
        self.bootID = bootID
        self.instant = instant
        self.zone = zone
    }
}

/// What of a request decides the fate of its deliveries.
public struct DeliveryTraits: Sendable, Codable, Hashable {
    public var series: String?
    public var endsWhenAnswered: Bool
    public var dismissalEnds: Bool
    public var misfire: MisfirePolicy
    /// The content stays on the screen after an answer.
    public var isResident: Bool
    /// The category asks for dismissals.
    public var reportsDismissal = false

    public init(_ request: NoticeRequest) {
        series = request.series
        endsWhenAnswered = request.endsWhenAnswered
        dismissalEnds = request.dismissalEnds
        misfire = request.misfire
        isResident = request.content.isResident
    }
}

/// What a store held when it was opened.
public struct StoredState: Sendable {
    public struct Pending: Sendable {
        public var request: NoticeRequest
        public var revision: Int64
        public var progress: TriggerProgress

        public init(request: NoticeRequest, revision: Int64, progress: TriggerProgress) {
            self.request = request
            self.revision = revision
            self.progress = progress
        }
    }

    /// In the order of their revisions.
    public var pending: [Pending]
    public var deliveries: [DeliveryRecord]
    public var responses: [NoticeResponse]
    public var categories: [NoticeCategory]
    public var authorization: AuthorizationStatus?
    public var clockMapping: ClockMapping?
    /// Greater than every revision that was ever stored.
    public var nextRevision: Int64

    public init(
        pending: [Pending] = [],
        deliveries: [DeliveryRecord] = [],
        responses: [NoticeResponse] = [],
        categories: [NoticeCategory] = [],
        authorization: AuthorizationStatus? = nil,
        clockMapping: ClockMapping? = nil,
        nextRevision: Int64 = 1
    ) {
        self.pending = pending
        self.deliveries = deliveries
        self.responses = responses
        self.categories = categories
        self.authorization = authorization
        self.clockMapping = clockMapping
        self.nextRevision = nextRevision
    }
}
