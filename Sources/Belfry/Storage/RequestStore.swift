/// Keeps everything that must outlive the process.
///
/// The contract, which `BelfryTesting`'s conformance suite tests: a batch is stored whole or not at all, in the order
/// given; ``commit(_:)`` returns when it is durable; a request's content stays readable by its revision until
/// ``StoreChange/dropContent(revision:)``. Loading hands over what decides when to fire, and no content. Errors are
/// ``NoticeError/Code/storeFailed``; the old state is intact.
package protocol RequestStore: Sendable {
    /// True (the default) where what is committed is there in the next process. Then deliveries go to the backend one
    /// at a time, each stored as shown before the next: a crash shows one of them twice at most.
    var outlivesProcess: Bool { get }
    /// Everything that is stored; called once, before anything else. O(n).
    func load() async throws(NoticeError) -> StoredState
    func commit(_ batch: [StoreChange]) async throws(NoticeError)
    /// The request as it was added, or nil where it was dropped.
    ///
    /// Throws ``NoticeError/Code/contentUnreadable`` (permanent) where it is there and can't be read.
    func request(revision: Int64) async throws(NoticeError) -> NoticeRequest?
    /// Many at once, by their revisions; what is not there, or can't be read, is left out.
    func requests(revisions: [Int64]) async throws(NoticeError) -> [Int64: NoticeRequest]
    /// The lines that match, in the order in which they were appended unless the query says otherwise.
    func history(_ query: HistoryQuery) async throws(NoticeError) -> [HistoryEntry]
    /// The requests that damage took from the store and that nobody has acknowledged yet; none by default.
    func unreadableRequests() async throws(NoticeError) -> [NoticeStore.UnreadableRequest]
}

extension RequestStore {
    package var outlivesProcess: Bool { true }

    package func unreadableRequests() async throws(NoticeError) -> [NoticeStore.UnreadableRequest] { [] }

    package func requests(revisions: [Int64]) async throws(NoticeError) -> [Int64: NoticeRequest] {
        var found: [Int64: NoticeRequest] = [:]
        for revision in revisions {
            do throws(NoticeError) { found[revision] = try await request(revision: revision) } catch {
                guard error.code == .contentUnreadable else { throw error }
            }
        }
        return found
    }
}

/// One step of a batch.
///
/// The large ones are kept behind a pointer: a batch of a million steps is copied and grown.
package enum StoreChange: Sendable, Hashable {
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
    indirect case appendLedger(HistoryEntry)
    /// A response waits for the app's handler.
    indirect case putResponse(NoticeResponse)
    case removeResponse(id: String)
    case putCategories([NoticeCategory])
    case putAuthorization(AuthorizationStatus)
    indirect case putClockMapping(ClockMapping)
    /// Everything that is kept of an owner's entries; nothing of it where there are none.
    indirect case putOwner(String, [OwnedEntry])
    /// Nil: there are none any more.
    indirect case putQuietHours(QuietHours?)
    /// Where the position is to the region of a pending request; nil: nothing that ``RegionMarks`` doesn't say. Comes
    /// before the request's ``removeRequest(revision:)`` where there was anything.
    case putPlace(revision: Int64, RegionProgress?)
    indirect case putPlaceMarks(RegionMarks)
    /// What is kept of a feed by its name; nil: nothing any more.
    indirect case putFeed(String, RegionFeedRecord?)
}

/// How far a pending request has come. The next firing follows from it, and is not stored.
package struct TriggerProgress: Sendable, Codable, Hashable {
    /// When the request was added, in microseconds: on the boot clock of the ``ClockMapping`` for a trigger that waits
    /// on elapsed time, since 1970 for all others.
    package var anchor: Int64
    /// How many firings there have been, missed ones included.
    package var fired: Int
    /// The last due time, in microseconds since 1970.
    package var lastDue: Int64?
    /// The same as local time of its zone, in seconds, so that a journey west fires nothing twice. While there is none,
    /// and the trigger follows the system's zone, the local time of the anchor, so that a journey east loses nothing.
    package var lastLocal: Int64?

    package init(anchor: Int64, fired: Int = 0, lastDue: Int64? = nil, lastLocal: Int64? = nil) {
        self.anchor = anchor
        self.fired = fired
        self.lastDue = lastDue
        self.lastLocal = lastLocal
    }

    private enum CodingKeys: String, CodingKey { case anchor, fired, lastDue, lastLocal }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        anchor = try values.decodeMicroseconds(forKey: .anchor)
        fired = try values.decode(Int.self, forKey: .fired)
        lastDue = try values.decodeMicrosecondsIfPresent(forKey: .lastDue)
        lastLocal = try values.decodeMicrosecondsIfPresent(forKey: .lastLocal)
    }
}

/// Which wall time a boot clock's reading stood for, on which boot of the machine, in which time zone.
package struct ClockMapping: Sendable, Codable, Hashable {
    package var bootID: String
    package var instant: TriggerInstant
    /// The identifier of the system's zone.
    package var zone: String

    package init(bootID: String, instant: TriggerInstant, zone: String) {
        self.bootID = bootID
        self.instant = instant
        self.zone = zone
    }
}

/// What a store held when it was opened.
package struct StoredState: Sendable {
    /// A pending request without its content, which stays where it is until it is due.
    package struct Pending: Sendable {
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

    /// A pending request whose trigger the program can't read: kept as it is, and never fired here.
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

    /// In the order of their revisions.
    package var pending: [Pending]
    package var deliveries: [DeliveryRecord]
    package var responses: [NoticeResponse]
    package var categories: [NoticeCategory]
    package var authorization: AuthorizationStatus?
    package var clockMapping: ClockMapping?
    /// The entries of each owner.
    package var owners: [String: [OwnedEntry]]
    package var quietHours: QuietHours?
    /// Greater than every revision that was ever stored.
    package var nextRevision: Int64
    /// Those of the pending whose trigger can't be read.
    package var dormant: [Dormant] = []
    /// By the revisions of pending requests.
    package var places: [Int64: RegionProgress] = [:]
    package var placeMarks = RegionMarks()
    /// By their names.
    package var feeds: [String: RegionFeedRecord] = [:]
    /// What opening found that the user or the app should know, such as a damaged file that was set aside. The center
    /// passes it on as ``CenterEvent/error(_:)``.
    package var findings: [NoticeError] = []

    package init(
        pending: [Pending] = [],
        deliveries: [DeliveryRecord] = [],
        responses: [NoticeResponse] = [],
        categories: [NoticeCategory] = [],
        authorization: AuthorizationStatus? = nil,
        clockMapping: ClockMapping? = nil,
        nextRevision: Int64 = 1,
        owners: [String: [OwnedEntry]] = [:],
        quietHours: QuietHours? = nil
    ) {
        self.pending = pending
        self.deliveries = deliveries
        self.responses = responses
        self.categories = categories
        self.authorization = authorization
        self.clockMapping = clockMapping
        self.nextRevision = nextRevision
        self.owners = owners
        self.quietHours = quietHours
    }
}
