/// An error of Belfry.
///
/// Compare the ``code`` and show the ``message``: a full sentence with the wrong value and what to do. A code is a
/// pattern, also in closures, where the error has no type:
///
/// ```swift
/// do { try await center.add(request) } catch NoticeError.Code.neverFires { print("This date is past.") }
/// ```
public struct NoticeError: Error, Sendable, Hashable, Codable, CustomStringConvertible {
    /// A stable name for the kind of error; new ones may be added.
    ///
    /// These codes are transient: `agentUnavailable`, ``NoticeError/Code/backendStopped``,
    /// ``NoticeError/Code/failedForNow``, ``NoticeError/Code/feedUnavailable``, ``NoticeError/Code/noBus``,
    /// ``NoticeError/Code/noServer``, `ownerChanged`, ``NoticeError/Code/pendingLimitReached``,
    /// ``NoticeError/Code/serverBusy``, ``NoticeError/Code/serverTimedOut`` and ``NoticeError/Code/storeFailed``. All
    /// others of Belfry are permanent. A backend, a store or an app can declare codes of its own:
    ///
    /// ```swift
    /// extension NoticeError.Code {
    ///     /// The phone is out of reach. Transient.
    ///     static let phoneOffline = Self("org.example.phoneOffline", isTransient: true)
    /// }
    /// ```
    public struct Code: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
        public let rawValue: String
        /// True if the same call may succeed later without any change: the center retries such deliveries.
        public let isTransient: Bool

        /// Creates the code with a name. A code that Belfry's core does not know is permanent.
        public init(rawValue: String) {
            self.init(rawValue, isTransient: Self.transientNames.contains(rawValue))
        }

        /// Creates a custom code, for a backend or a store.
        public init(_ rawValue: String, isTransient: Bool) {
            self.rawValue = rawValue
            self.isTransient = isTransient
        }

        public var description: String { rawValue }

        public static func == (left: Self, right: Self) -> Bool { left.rawValue == right.rawValue }
        public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }

        // By name, because D-Bus, a store and a plug-in transmit only the name.
        private static let transientNames: Set<String> = [
            "agentUnavailable", "backendStopped", "failedForNow", "feedUnavailable", "noBus", "noServer",
            "ownerChanged",
            "pendingLimitReached", "serverBusy", "serverTimedOut", "storeFailed",
        ]
    }

    /// The kind of the error.
    public let code: Code
    /// What is wrong, the value, and what to do.
    public let message: String
    /// The error message of the failing component, if it had one.
    public let cause: String?
    /// The request that the error is about, if several were added together; nil if it is about none or all of them.
    public private(set) var requestID: String?

    /// Creates an error, as a backend or a location provider throws it.
    public init(_ code: Code, _ message: String, cause: String? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    /// True if the same call may succeed later without any change, according to ``code``.
    public var isTransient: Bool { code.isTransient }

    /// Returns the same error with the identifier of the request that it is about.
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
    /// A file that the content names (image, sound, attachment) can't be read, or a path is not absolute. Permanent
    /// until the file or path is corrected.
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
    /// A custom trigger returned a date that is not after the given one. Permanent: correct the trigger.
    public static let triggerNotAdvancing = Self(rawValue: "triggerNotAdvancing")
    /// A trigger kind that this program has not registered. Permanent here; the program that stored it can read it.
    public static let unknownTriggerKind = Self(rawValue: "unknownTriggerKind")
    /// A region's latitude, longitude or radius is out of range. Permanent.
    public static let invalidRegion = Self(rawValue: "invalidRegion")
    /// No location fixes are available: the center has no location provider, or the provider has no source. Permanent
    /// for the call; the center retries by itself. See ``NoticeCenter`` for the intervals.
    public static let locationUnavailable = Self(rawValue: "locationUnavailable")
    /// The user or the system's settings deny this app location fixes. Permanent until they are changed. The center
    /// retries rarely, because no component reports that change.
    public static let locationDenied = Self(rawValue: "locationDenied")
    /// A location fix that can't be true was ignored. No call failed.
    public static let positionIgnored = Self(rawValue: "positionIgnored")
    /// A series with a count below 1 or a spacing under one second. Permanent.
    public static let invalidSeries = Self(rawValue: "invalidSeries")
    /// The pending limit of the center is reached. Transient: firing or removing a request makes room.
    public static let pendingLimitReached = Self(rawValue: "pendingLimitReached")
    /// The user denied notices for this app. Permanent until changed in the settings.
    public static let notAuthorized = Self(rawValue: "notAuthorized")
    /// There is no request, delivery or category with that name. Permanent.
    public static let notFound = Self(rawValue: "notFound")
    /// The center has run already, or was stopped while the call waited. Permanent for this center.
    public static let centerStopped = Self(rawValue: "centerStopped")
    /// The response did not come from a center of this process, or that center is gone. Permanent for this response:
    /// call ``NoticeCenter/snooze(_:for:)`` with it.
    public static let noCenter = Self(rawValue: "noCenter")
    /// The store could not read or write. Transient: the old state is intact.
    public static let storeFailed = Self(rawValue: "storeFailed")
    /// The stored data of a request can't be read by this program. Permanent.
    public static let contentUnreadable = Self(rawValue: "contentUnreadable")
    /// The store's file was damaged: it was moved aside, and the readable part was saved. No call failed.
    public static let storeDamaged = Self(rawValue: "storeDamaged")
    /// A warning of a store, such as about a directory that other users can read. No call failed.
    public static let storeMessage = Self(rawValue: "storeMessage")
    /// There is no session bus. Transient: a bus may appear with the desktop.
    public static let noBus = Self(rawValue: "noBus")
    /// The bus has no notification server. Transient: one may start.
    public static let noServer = Self(rawValue: "noServer")
    /// The server (or the plug-in) did not reply in time. Transient.
    public static let serverTimedOut = Self(rawValue: "serverTimedOut")
    /// The server's queue is full. Transient.
    public static let serverBusy = Self(rawValue: "serverBusy")
    /// The backend could not show the notice, but may later, for a reason without a code of its own. Transient.
    public static let failedForNow = Self(rawValue: "failedForNow")
    /// A warning of a backend. No call failed.
    public static let backendMessage = Self(rawValue: "backendMessage")
    /// The server refused this notice. Permanent for this content.
    public static let rejected = Self(rawValue: "rejected")
    /// The backend can't do this at all. Permanent for this backend.
    public static let unsupported = Self(rawValue: "unsupported")
    /// The backend was stopped during a delivery. Transient: another run may deliver.
    public static let backendStopped = Self(rawValue: "backendStopped")
    /// A plug-in violated its contract. Permanent: correct or remove the plug-in.
    public static let pluginMisbehaved = Self(rawValue: "pluginMisbehaved")
    /// The time of the wall clock is implausible: misfires are deferred until it is confirmed. No call failed.
    public static let clockInDoubt = Self(rawValue: "clockInDoubt")
    /// The system's timer or another kernel facility failed. Permanent: correct the limit that the message names.
    public static let systemFailure = Self(rawValue: "systemFailure")
}
