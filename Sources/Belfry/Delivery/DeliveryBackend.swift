/// Shows deliveries, and reports what happens to them.
///
/// The contract, which the conformance suite of `BelfryTesting` tests:
///
/// - ``deliver(_:)`` returns when the server has the notice, or throws; the center retries after a transient error. It
///   never blocks a thread of Swift's pool, and must return within the center's timeout.
/// - It is called during earlier calls, up to 64 of them while the backend returns quickly. Calls begin in the order in
///   which notices have to appear, each when the previous one has reached its first suspension. A backend that sends
///   before it suspends keeps that order.
/// - ``run(reporting:)`` runs as long as the center, and ends when its task is canceled. Nothing is started before. A
///   backend that reports no events may return at once.
/// - Events identify deliveries by the receipt's handle. They may arrive before ``deliver(_:)`` has returned.
/// - Calls are made on an app thread, unless ``mayBlock`` is false, and run there unless an implementation is isolated
///   to an actor.
///
/// ```swift
/// struct LineBackend: DeliveryBackend {
///     let name = "lines"
///     func capabilities() async throws(NoticeError) -> DeliveryCapabilities {
///         DeliveryCapabilities(server: "standard output", features: [.body], reportsClosing: false)
///     }
///     func deliver(_ delivery: Delivery) async throws(NoticeError) -> DeliveryReceipt {
///         print(delivery.content.title, delivery.content.body)
///         return DeliveryReceipt(backend: name, handle: delivery.id)
///     }
///     func withdraw(_ receipt: DeliveryReceipt) async throws(NoticeError) {}
///     func run(reporting report: @escaping @Sendable (BackendEvent) -> Void) async throws(NoticeError) {}
/// }
/// ```
public protocol DeliveryBackend: Sendable {
    /// The name in receipts and in the history; the same for every run.
    var name: String { get }
    /// Whether a call may block its thread, which is the default. False is a promise: calls are then made on the thread
    /// that all centers share, which saves two changes of threads, and one that blocks holds up every center of the
    /// process.
    var mayBlock: Bool { get }
    /// Returns what can be shown right now.
    ///
    /// - Throws: Why nothing can be shown now: the errors of ``deliver(_:)`` that don't depend on the content.
    @concurrent func capabilities() async throws(NoticeError) -> DeliveryCapabilities
    /// Shows a notice. It replaces the one in ``Delivery/replaces`` if that is still on the screen.
    ///
    /// - Throws: A transient error if the delivery may succeed later, such as ``NoticeError/Code/noServer``,
    ///   ``NoticeError/Code/serverTimedOut``, ``NoticeError/Code/serverBusy`` or ``NoticeError/Code/failedForNow``: the
    ///   center tries again. A permanent error if it can't, such as ``NoticeError/Code/rejected`` or
    ///   ``NoticeError/Code/unsupported``: the delivery has failed.
    @concurrent func deliver(_ delivery: Delivery) async throws(NoticeError) -> DeliveryReceipt
    /// Withdraws a notice from the screen. It is no error if the notice is no longer there.
    ///
    /// - Throws: Why the notice could not be withdrawn, transient or permanent. The center reports either as
    ///   ``CenterEvent/error(_:)``, and does not try again.
    @concurrent func withdraw(_ receipt: DeliveryReceipt) async throws(NoticeError)
    /// Reports events until the task is canceled. `report` may be called from any thread.
    ///
    /// - Throws: Why it can't run, transient or permanent. Either ends the run of the center, which throws the same
    ///   error.
    @concurrent func run(reporting report: @escaping @Sendable (BackendEvent) -> Void) async throws(NoticeError)

    /// Returns what ``deliver(_:)`` would show, without showing anything: ``Delivery/lost`` and the backend's own
    /// losses. The default has no losses of its own.
    ///
    /// - Throws: The error that ``deliver(_:)`` would throw for this content, transient or permanent.
    @concurrent func preview(_ delivery: Delivery) async throws(NoticeError) -> Delivery.Preview
    /// Returns within seconds whether do-not-disturb is on; the default is
    /// ``DeliveryCapabilities/DoNotDisturb/unknown``.
    @concurrent func doNotDisturb() async -> DeliveryCapabilities.DoNotDisturb
    /// Returns within two seconds the desktop's own setting for the app; the default is ``DesktopPermission/unknown``,
    /// which changes nothing. The center asks at most every few seconds, while the backend runs. It obeys the setting
    /// whatever the user's response to the app's own prompt was: ``DesktopPermission/off`` counts as denied, and
    /// ``DesktopPermission/quiet`` as provisional.
    @concurrent func desktopPermission(for app: AppIdentity) async -> DesktopPermission
    /// Sets the number on the app's icon, independent of any notice; 0 removes it.
    ///
    /// - Throws: ``NoticeError/Code/unsupported`` if the backend has no badges, which is the default; permanent.
    ///   Otherwise what ``deliver(_:)`` throws if the desktop can't be reached; transient.
    @concurrent func setBadge(_ count: Int, of app: AppIdentity) async throws(NoticeError)
}

extension DeliveryBackend {
    public var mayBlock: Bool { true }

    /// Returns the content of the delivery, with the losses that it lists already.
    ///
    /// - Throws: What ``capabilities()`` throws, transient or permanent.
    public func preview(_ delivery: Delivery) async throws(NoticeError) -> Delivery.Preview {
        preview(of: delivery, on: try await capabilities().server, lost: delivery.lost)
    }

    /// Returns the preview of a delivery by this backend.
    package func preview(
        of delivery: Delivery,
        on server: String,
        lost: [DeliveryReceipt.LostFeature]
    ) -> Delivery.Preview {
        Delivery.Preview(content: delivery.content, backend: name, server: server, lost: lost)
    }

    public func doNotDisturb() async -> DeliveryCapabilities.DoNotDisturb { .unknown }

    public func desktopPermission(for app: AppIdentity) async -> DesktopPermission { .unknown }

    /// Refuses every badge.
    ///
    /// - Throws: ``NoticeError/Code/unsupported``; permanent.
    public func setBadge(_ count: Int, of app: AppIdentity) async throws(NoticeError) {
        throw NoticeError(.unsupported, "The backend '\(name)' puts no number on an app's icon.")
    }
}

/// What a backend can show, as the server reports it.
///
/// ```swift
/// var content = NoticeContent(title: "Anna: Lunch at noon?")
/// if try await center.capabilities().features.contains(.reply) {
///     content.actions = [NoticeAction("reply", title: "Reply", kind: .reply(placeholder: "Your message"))]
/// }
/// ```
public struct DeliveryCapabilities: Sendable, Codable, Hashable {
    /// What a notification server may be able to show.
    public enum Feature: String, Sendable, Codable, Hashable, CaseIterable {
        /// A text below the title.
        case body
        /// Bold, italic and underlined text.
        case markup
        /// Links in the body.
        case links
        /// Pictures in the body.
        case bodyImages
        /// A small picture.
        case icon
        /// A large picture.
        case image
        /// Sounds.
        case sound
        /// Buttons.
        case actions
        /// Icons instead of button titles.
        case actionIcons
        /// A field to type a reply into.
        case reply
        /// A progress bar.
        case progress
        /// A notice that replaces another one.
        case replacing
        /// Notices that are kept after they leave the screen.
        case persistence
        /// Urgency.
        case urgency
        /// The time on the screen that an app requests.
        case expiry
        /// A number on the app's icon.
        case badge
    }

    /// The name and version of the server, for users.
    public var server: String
    /// The features that the server supports.
    public var features: Set<Feature>
    /// The maximum title length in characters; nil is without limit.
    public var titleLimit: Int?
    /// The maximum body length in characters; nil is without limit.
    public var bodyLimit: Int?
    /// The maximum number of buttons, not counting ``NoticeAction/defaultID``; nil is without limit.
    public var actionLimit: Int?
    /// False if the server does not report that a notice was closed or has expired. Then dismissals are never reported,
    /// and a notice counts as on the screen until the user responds, or it is replaced or withdrawn.
    public var reportsClosing: Bool

    /// Creates capabilities, as a backend reports them.
    public init(
        server: String,
        features: Set<Feature>,
        titleLimit: Int? = nil,
        bodyLimit: Int? = nil,
        actionLimit: Int? = nil,
        reportsClosing: Bool = true
    ) {
        self.server = server
        self.features = features
        self.titleLimit = titleLimit
        self.bodyLimit = bodyLimit
        self.actionLimit = actionLimit
        self.reportsClosing = reportsClosing
    }
}

/// An event that a backend reports.
///
/// ```swift
/// func forward(_ number: UInt32, closedFor reason: UInt32, to report: (BackendEvent) -> Void) {
///     report(.closed(DeliveryReceipt.Reference(handle: "\(number)"), NoticeResponse.CloseReason(rawValue: reason)))
/// }
/// ```
public enum BackendEvent: Sendable, Hashable {
    /// The user responded. `action` is ``NoticeAction/defaultID`` for a click on the notice itself.
    case responded(DeliveryReceipt.Reference, action: String, text: String?, activationToken: String?)
    /// A notice left the screen.
    case closed(DeliveryReceipt.Reference, NoticeResponse.CloseReason)
    /// The server and all its notices are gone.
    case serverGone(server: String?)
    /// A server is available: deliveries that wait for one are retried at once.
    case serverCame(server: String?)
    /// An error that concerns no single delivery.
    case error(NoticeError)
    /// An event of a nested backend, such as one of a ``BackendChain``: receipts have that backend's name.
    indirect case from(backend: String, BackendEvent)
}

extension DeliveryReceipt {
    /// How an event identifies a delivery.
    public struct Reference: Sendable, Codable, Hashable {
        /// The ``DeliveryReceipt/handle``.
        public var handle: String
        /// The ``DeliveryReceipt/server``.
        public var server: String?

        /// Creates a reference from the values in an event of the server.
        public init(handle: String, server: String? = nil) {
            self.handle = handle
            self.server = server
        }

        /// Creates the reference to the delivery of a receipt.
        public init(_ receipt: DeliveryReceipt) {
            self.init(handle: receipt.handle, server: receipt.server)
        }
    }
}

extension DeliveryBackend {
    /// The executor of its calls: an app thread if they may block.
    package var executor: any TaskExecutor { mayBlock ? AppThreads.shared : CenterThread.shared }

    /// Performs ``run(reporting:)``, called on ``executor``.
    func performRun(reporting report: @escaping @Sendable (BackendEvent) -> Void) async throws(NoticeError) {
        guard mayBlock else { return try await run(reporting: report) }
        try await AppThreads.shared.performRun { () async throws(NoticeError) in try await run(reporting: report) }
    }
}

extension DeliveryCapabilities {
    /// Whether do-not-disturb is on: then notices are kept, and not shown at once.
    public enum DoNotDisturb: String, Sendable, Codable, Hashable, CaseIterable {
        /// Do-not-disturb is on.
        case on
        /// Notices are shown as usual.
        case off
        /// The desktop doesn't report it.
        case unknown
    }
}
