/// Why Belfry could not do what was asked.
///
/// Compare the ``code``, show the ``message``: it is a full sentence that names the value at fault and what to do next.
/// Two errors are equal when code and message are. A code is a pattern, also in a closure, where the error has no type:
///
/// ```swift
/// do { try await center.add(request) } catch NoticeError.Code.intervalTooShort { … }
/// ```
public struct NoticeError: Error, Sendable, Hashable, Codable, CustomStringConvertible {
    /// A stable name for the kind of failure; new ones may be added.
    public struct Code: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
        public let rawValue: String
        /// True where the same call may succeed later without any change: the center retries such deliveries.
        public let isTransient: Bool

        /// The code of that name. One that Belfry's core does not know is permanent.
        public init(rawValue: String) {
            self.init(rawValue, isTransient: Self.transientNames.contains(rawValue))
        }

        /// A code of your own, for a backend or a store.
        public init(_ rawValue: String, isTransient: Bool) {
            self.rawValue = rawValue
            self.isTransient = isTransient
        }

        public var description: String { rawValue }

        public static func == (left: Self, right: Self) -> Bool { left.rawValue == right.rawValue }
        public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }

        // By name, since a name is all that comes over the bus, out of a store or from a plug-in.
        private static let transientNames: Set<String> = [
            "agentUnavailable", "backendStopped", "failedForNow", "feedUnavailable", "noBus", "noServer",
            "ownerChanged",
            "pendingLimitReached", "serverBusy", "serverTimedOut", "storeFailed",
        ]
    }

    /// What kind of error it is.
    public let code: Code
    /// What happened, with the bad value, and what to do.
    public let message: String
    /// What the failing part itself said, if it said anything.
    public let cause: String?
    /// Which of the requests that were added together it is about; nil where it is about none, or about all of them.
    public private(set) var requestID: String?

    /// Creates an error, as a backend or a location provider throws it.
    public init(_ code: Code, _ message: String, cause: String? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    /// True where the same call may succeed later without any change; its code says so.
    public var isTransient: Bool { code.isTransient }

    /// The same error, about one of several requests.
    package func naming(_ requestID: String) -> NoticeError {
        var error = self
        error.requestID = requestID
        return error
    }

    public var description: String {
        guard let cause, !cause.isEmpty else { return message }
        return "\(message) (\(cause))"
    }
}

/// Lets a code be a pattern where errors are untyped: `catch NoticeError.Code.neverFires`.
public func ~= (code: NoticeError.Code, error: any Error) -> Bool { (error as? NoticeError)?.code == code }

extension NoticeError.Code {
    /// The request's identifier is empty or longer than 1,024 bytes. Permanent.
    public static let invalidIdentifier = Self(rawValue: "invalidIdentifier")
    /// Title, subtitle and body are all empty. Permanent.
    public static let emptyContent = Self(rawValue: "emptyContent")
    /// A field of the content is out of its range: progress, badge, relevance, an action without identifier. Permanent.
    public static let invalidContent = Self(rawValue: "invalidContent")
    /// A file named by the content (image, sound, attachment) can't be read, or a path is not absolute. Permanent until
    /// that is mended.
    public static let fileUnreadable = Self(rawValue: "fileUnreadable")
    /// An interval of zero or less, or one that is not finite. Permanent.
    public static let invalidInterval = Self(rawValue: "invalidInterval")
    /// A repeating interval under 60 seconds. Permanent.
    public static let intervalTooShort = Self(rawValue: "intervalTooShort")
    /// A calendar component out of its range. Permanent.
    public static let invalidComponent = Self(rawValue: "invalidComponent")
    /// A time zone that the system's zone data does not know. Permanent until the data is updated.
    public static let unknownZone = Self(rawValue: "unknownZone")
    /// The trigger can never fire (again): the date is past, or exists in no year. Permanent.
    public static let neverFires = Self(rawValue: "neverFires")
    /// A text in a notation (a date, a duration, a rule) that can't be read. Permanent.
    public static let invalidNotation = Self(rawValue: "invalidNotation")
    /// A custom trigger answered a date that is not after the one it was asked about. Permanent: mend the trigger.
    public static let triggerNotAdvancing = Self(rawValue: "triggerNotAdvancing")
    /// A trigger kind that this program has not registered. Permanent here; the program that wrote it can read it.
    public static let unknownTriggerKind = Self(rawValue: "unknownTriggerKind")
    /// A region's latitude, longitude or radius is out of range. Permanent.
    public static let invalidRegion = Self(rawValue: "invalidRegion")
    /// Positions can't be had: this center has no location provider, or its provider has no source. Permanent for the
    /// call; a source that comes later is found by the center itself. See ``NoticeCenter`` for when it is tried again.
    public static let locationUnavailable = Self(rawValue: "locationUnavailable")
    /// The user, or the system's settings, refuse positions to this app. Permanent until they are changed: it is tried
    /// again all the same, rarely, since nobody tells of the change.
    public static let locationDenied = Self(rawValue: "locationDenied")
    /// A position that can't be true was ignored; nothing failed by it alone.
    public static let positionIgnored = Self(rawValue: "positionIgnored")
    /// A series with a count below 1 or a spacing under one second. Permanent.
    public static let invalidSeries = Self(rawValue: "invalidSeries")
    /// The center's pending limit is reached. Transient: room comes when something fires, or is removed.
    public static let pendingLimitReached = Self(rawValue: "pendingLimitReached")
    /// The user denied notices for this app. Permanent until changed in the settings.
    public static let notAuthorized = Self(rawValue: "notAuthorized")
    /// No request, delivery or category of that name. Permanent.
    public static let notFound = Self(rawValue: "notFound")
    /// The center was stopped, or never started, while the call waited. Permanent for this center.
    public static let centerStopped = Self(rawValue: "centerStopped")
    /// A response that no center of this process has handed over, or whose center is gone. Permanent for this response:
    /// call ``NoticeCenter/snooze(_:for:)`` with it.
    public static let noCenter = Self(rawValue: "noCenter")
    /// The store could not read or write. Transient: the old state is intact.
    public static let storeFailed = Self(rawValue: "storeFailed")
    /// What is stored of a request can't be read by this program. Permanent.
    public static let contentUnreadable = Self(rawValue: "contentUnreadable")
    /// The store's file was damaged: it was set aside, and what can be read was saved. Nothing failed by it alone.
    public static let storeDamaged = Self(rawValue: "storeDamaged")
    /// What a store wants known, such as a folder that others may read; nothing failed by it alone.
    public static let storeMessage = Self(rawValue: "storeMessage")
    /// There is no session bus. Transient: a bus may appear with the desktop.
    public static let noBus = Self(rawValue: "noBus")
    /// The bus has no notification server. Transient: one may start.
    public static let noServer = Self(rawValue: "noServer")
    /// The server (or the plug-in) did not answer in time. Transient.
    public static let serverTimedOut = Self(rawValue: "serverTimedOut")
    /// The server's queue is full. Transient.
    public static let serverBusy = Self(rawValue: "serverBusy")
    /// The backend could not show the notice and may later, for a reason that has no code of its own. Transient.
    public static let failedForNow = Self(rawValue: "failedForNow")
    /// What a backend wants known; nothing failed by it alone.
    public static let backendMessage = Self(rawValue: "backendMessage")
    /// The server refused this notice. Permanent for this content.
    public static let rejected = Self(rawValue: "rejected")
    /// The backend can't do this at all. Permanent for this backend.
    public static let unsupported = Self(rawValue: "unsupported")
    /// The backend was stopped while it delivered. Transient: another run may deliver.
    public static let backendStopped = Self(rawValue: "backendStopped")
    /// A plug-in broke its contract. Permanent: mend or remove the plug-in.
    public static let pluginMisbehaved = Self(rawValue: "pluginMisbehaved")
    /// The wall clock shows what can hardly be: misfires wait for it. Nothing failed by it alone.
    public static let clockInDoubt = Self(rawValue: "clockInDoubt")
    /// The system's timer or another kernel facility failed. Permanent in most cases.
    public static let systemFailure = Self(rawValue: "systemFailure")
}
