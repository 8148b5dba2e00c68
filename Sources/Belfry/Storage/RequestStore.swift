/// Stores everything that must outlive the process.
///
/// The suite in `Tests/Support/StoreConformance` tests this contract:
///
/// - A transaction is stored completely or not at all, in the given order. ``commit(_:)`` returns when it is durable.
/// - A request's content stays readable by its revision until ``StoreChange/dropContent(revision:)``.
/// - Loading returns what decides when to fire, without contents.
/// - Errors are ``NoticeError/Code/storeFailed``, and leave the old state intact.
package protocol RequestStore: Sendable {
    /// Whether stored data is available to the next process (the default). Deliveries are then made one at a time, each
    /// stored as shown before the next one, so that a crash repeats at most one.
    var outlivesProcess: Bool { get }
    /// Returns everything that is stored; called once, before anything else. O(n).
    func load() async throws(NoticeError) -> StoredState
    func commit(_ batch: [StoreChange]) async throws(NoticeError)
    /// Returns the request as it was added, or nil if it was dropped.
    ///
    /// Throws ``NoticeError/Code/contentUnreadable`` (permanent) if it exists and can't be read.
    func request(revision: Int64) async throws(NoticeError) -> NoticeRequest?
    /// Returns several requests by their revisions, without those that don't exist or can't be read.
    func requests(revisions: [Int64]) async throws(NoticeError) -> [Int64: NoticeRequest]
    /// Returns the matching history entries, in the order of appending unless the query says otherwise.
    func history(_ query: HistoryQuery) async throws(NoticeError) -> [HistoryEntry]
    /// Returns the requests lost to damage that are not acknowledged yet; none by default.
    func unreadableRequests() async throws(NoticeError) -> [NoticeStore.UnreadableRequest]
    /// Releases the stored data for the next owner; does nothing by default. No other call may follow.
    func close() async throws(NoticeError)
}

extension RequestStore {
    package var outlivesProcess: Bool { true }

    package func unreadableRequests() async throws(NoticeError) -> [NoticeStore.UnreadableRequest] { [] }

    package func close() async throws(NoticeError) {}
}

/// One change of a transaction.
///
/// Large cases are indirect, because a transaction of a million changes is copied as it grows.
package enum StoreChange: Sendable, Hashable {
    /// A request is pending. One with the same identifier was removed earlier in the transaction, unless it has the
    /// same revision: then only its trigger changes.
    indirect case putRequest(NoticeRequest, revision: Int64, TriggerProgress)
    /// A pending request fired and continues, or was replanned.
    case updateProgress(revision: Int64, TriggerProgress)
    /// A request is no longer pending; its content stays.
    case removeRequest(revision: Int64)
    /// Nothing refers to the content any more.
    case dropContent(revision: Int64)
    /// A delivery has begun, or is now on the screen. Replaces the record of the same delivery.
    case putDelivery(DeliveryRecord)
    case removeDelivery(id: String)
    indirect case appendHistory(HistoryEntry)
    /// A response waits for the app's handler.
    indirect case putResponse(NoticeResponse)
    case removeResponse(id: String)
    case putCategories([NoticeCategory])
    case putAuthorization(AuthorizationStatus)
    indirect case putClockMapping(ClockMapping)
    /// Replaces all entries of an owner; an empty list removes the owner.
    indirect case putOwner(String, [OwnedEntry])
    /// Replaces the quiet hours; nil removes them.
    indirect case putQuietHours(QuietHours?)
    /// Replaces the state of a pending request's region; nil means that ``RegionMarks`` implies it. Comes before the
    /// request's ``removeRequest(revision:)`` if there was a state.
    case putPlace(revision: Int64, RegionProgress?)
    indirect case putPlaceMarks(RegionMarks)
    /// Replaces the record of a feed by its name; nil removes it.
    indirect case putFeed(String, RegionFeedRecord?)
}

/// The progress of a pending request. The next firing is computed from it, and is not stored.
package struct TriggerProgress: Sendable, Hashable {
    /// When the request was added, in microseconds: on the boot clock of the ``ClockMapping`` for an elapsed-time
    /// trigger, since 1970 for all others.
    package var anchor: Int64
    /// The number of firings so far, missed ones included.
    package var fired: Int
    /// The last due time, in microseconds since 1970.
    package var lastDue: Int64?
    /// The last due time as local time in seconds, so that a journey west fires nothing twice. Before the first firing,
    /// if the trigger follows the system's zone, the local time of the anchor, so that a journey east loses nothing.
    package var lastLocal: Int64?

    package init(anchor: Int64, fired: Int = 0, lastDue: Int64? = nil, lastLocal: Int64? = nil) {
        self.anchor = anchor
        self.fired = fired
        self.lastDue = lastDue
        self.lastLocal = lastLocal
    }
}

/// The wall time of a boot-clock reading, with the boot and the time zone that it belongs to.
package struct ClockMapping: Sendable, Codable, Hashable {
    package var bootID: String
    package var instant: TriggerInstant
    /// The identifier of the system's zone.
    package var zone: String
    /// Set while the wall clock is in doubt.
    package var doubt: Doubt?

    package init(bootID: String, instant: TriggerInstant, zone: String, doubt: Doubt? = nil) {
        self.bootID = bootID
        self.instant = instant
        self.zone = zone
        self.doubt = doubt
    }

    /// A doubt about the wall clock, which the next process takes up.
    package struct Doubt: Sendable, Codable, Hashable {
        /// How far the clock is ahead of its last trusted time, in microseconds.
        package var ahead: Int64
        /// The latest end, on the boot clock.
        package var until: Int64
        /// Requests and notices of lower revisions were converted from an earlier boot by the doubtful clock.
        package var convertedBelow: Int64
    }
}

extension ClockMapping.Doubt {
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        ahead = try values.decodeMicroseconds(forKey: .ahead)
        until = try values.decodeMicroseconds(forKey: .until)
        convertedBelow = try values.decode(Int64.self, forKey: .convertedBelow)
    }
}

/// The contents of a store when it was opened.
package struct StoredState: Sendable, Equatable {
    /// A pending request without its content, which is read when it is due.
    package struct Pending: Sendable, Equatable {
        package var id: String
        package var revision: Int64
        package var progress: TriggerProgress
        package var stored: StoredTrigger
        package var traits: RequestTraits

        package var trigger: (any NoticeTrigger)? { stored.trigger }

        package init(
            id: String,
            revision: Int64,
            progress: TriggerProgress,
            trigger: StoredTrigger,
            traits: RequestTraits = .usual
        ) {
            self.id = id
            self.revision = revision
            self.progress = progress
            stored = trigger
            self.traits = traits
        }

        package init(request: NoticeRequest, revision: Int64, progress: TriggerProgress) {
            self.init(
                id: request.id,
                revision: revision,
                progress: progress,
                trigger: StoredTrigger(request.trigger),
                traits: .of(request)
            )
        }
    }

    /// A pending request whose trigger this program can't read. It is kept unchanged and never fires here.
    package struct Dormant: Sendable, Hashable, Codable {
        package var requestID: String
        package var revision: Int64
        package var kind: TriggerKind
        /// Why this program can't read the trigger.
        package var reason: String

        package init(requestID: String, revision: Int64, kind: TriggerKind, reason: String) {
            self.requestID = requestID
            self.revision = revision
            self.kind = kind
            self.reason = reason
        }
    }

    /// Ordered by revision.
    package var pending: [Pending] = []
    package var deliveries: [DeliveryRecord] = []
    package var responses: [NoticeResponse] = []
    package var categories: [NoticeCategory] = []
    package var authorization: AuthorizationStatus?
    package var clockMapping: ClockMapping?
    /// The entries of each owner.
    package var owners: [String: [OwnedEntry]] = [:]
    package var quietHours: QuietHours?
    /// Greater than every revision that was ever stored.
    package var nextRevision: Int64 = 1
    /// The pending requests whose trigger can't be read.
    package var dormant: [Dormant] = []
    /// Region states by the revisions of pending requests.
    package var places: [Int64: RegionProgress] = [:]
    package var placeMarks = RegionMarks()
    /// Records by the names of feeds.
    package var feeds: [String: RegionFeedRecord] = [:]
    /// Errors found on opening that the user or the app should know, such as a damaged file that was set aside. The
    /// center reports them as ``CenterEvent/error(_:)``.
    package var errors: [NoticeError] = []

    package init() {}
}
