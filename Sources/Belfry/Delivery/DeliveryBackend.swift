/// Shows deliveries and brings back what happens to them.
///
/// The contract, which `BelfryTesting`'s conformance suite tests:
///
/// - ``deliver(_:)`` returns when the notice is handed over, or throws: a transient error is retried by the center. It
///   never blocks a thread of Swift's pool, and answers within the center's time limit or is given up.
/// - It is called while earlier calls are under way, up to 64 of them while answers are prompt. Calls begin in the
///   order in which the notices are to appear, each when the one before has come to its first wait: a backend that
///   sends before it waits keeps that order.
/// - ``run(reporting:)`` runs for as long as the center does, and ends when its task is cancelled. Nothing is started
///   before.
/// - Events name deliveries by the receipt's handle. They may arrive before ``deliver(_:)`` has returned.
/// - Calls are made on a thread for apps, and run there unless an implementation is isolated to an actor.
public protocol DeliveryBackend: Sendable {
    /// Stands in receipts and in the history; the same for every run.
    var name: String { get }
    /// What can be shown right now. Throws as ``deliver(_:)`` does.
    @concurrent func capabilities() async throws(NoticeError) -> DeliveryCapabilities
    /// Shows a notice, in place of the one named by ``Delivery/replaces`` if that still stands.
    @concurrent func deliver(_ delivery: Delivery) async throws(NoticeError) -> DeliveryReceipt
    /// Takes a notice off the screen. What is not there any more is no error.
    @concurrent func withdraw(_ receipt: DeliveryReceipt) async throws(NoticeError)
    /// Reports what happens, until the task is cancelled. `report` may be called from any thread.
    @concurrent func run(reporting report: @escaping @Sendable (BackendEvent) -> Void) async throws(NoticeError)

    /// What ``deliver(_:)`` would make of this delivery, without showing anything: ``Delivery/lost`` and the backend's
    /// own losses. Throws where ``deliver(_:)`` would for this content. The default has no losses of its own.
    @concurrent func preview(_ delivery: Delivery) async throws(NoticeError) -> Delivery.Preview
    /// Whether the user wants to be left alone, within seconds; the default is
    /// ``DeliveryCapabilities/DoNotDisturb/unknown``.
    @concurrent func doNotDisturb() async -> DeliveryCapabilities.DoNotDisturb
    /// Puts a number on the app's icon, or takes it off with 0, apart from any notice. The default throws
    /// ``NoticeError/Code/unsupported``.
    @concurrent func setBadge(_ count: Int, of app: AppIdentity) async throws(NoticeError)
}

extension DeliveryBackend {
    public func preview(_ delivery: Delivery) async throws(NoticeError) -> Delivery.Preview {
        Delivery.Preview(
            content: delivery.content,
            backend: name,
            server: try await capabilities().server,
            lost: delivery.lost
        )
    }

    public func doNotDisturb() async -> DeliveryCapabilities.DoNotDisturb { .unknown }

    public func setBadge(_ count: Int, of app: AppIdentity) async throws(NoticeError) {
        throw NoticeError(.unsupported, "The backend '\(name)' puts no number on an app's icon.")
    }
}

/// What a backend can show. Asked, never assumed.
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
        /// Icons in the place of button titles.
        case actionIcons
        /// A field to type a reply into.
        case reply
        /// A progress bar.
        case progress
        /// A notice that takes the place of another.
        case replacing
        /// Notices that are kept when they leave the screen.
        case persistence
        /// Urgency.
        case urgency
        /// The time on the screen that an app asks for.
        case expiry
        /// A number on the app's icon.
        case badge
    }

    /// The name and version of what shows the notices, for people.
    public var server: String
    /// What it can show.
    public var features: Set<Feature>
    /// Longest title in characters; nil is without limit.
    public var titleLimit: Int?
    /// Longest body in characters.
    public var bodyLimit: Int?
    /// Most buttons; the click on the notice itself (``NoticeAction/defaultID``) is none.
    public var actionLimit: Int?
    /// False where nobody is told that a notice was closed or has expired: a dismissal is never reported, and what was
    /// shown counts as standing until it is answered, replaced or withdrawn.
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

/// News from a backend.
public enum BackendEvent: Sendable, Hashable {
    /// The user answered. `action` is ``NoticeAction/defaultID`` for a click on the notice itself.
    case answered(DeliveryReceipt.Reference, action: String, text: String?, activationToken: String?)
    /// A notice left the screen, for this reason.
    case closed(DeliveryReceipt.Reference, NoticeResponse.CloseReason)
    /// The server is gone and all it showed with it.
    case serverGone(server: String?)
    /// A server is there: what waits for one is tried at once.
    case serverCame(server: String?)
    /// Something that concerns no single delivery.
    case error(NoticeError)
    /// An event of a backend that works for the one that reports it, such as one of a ``BackendChain``'s: receipts have
    /// that one's name.
    indirect case from(backend: String, BackendEvent)
}

extension DeliveryReceipt {
    /// How an event names a delivery.
    public struct Reference: Sendable, Codable, Hashable {
        /// The ``DeliveryReceipt/handle``.
        public var handle: String
        /// The ``DeliveryReceipt/server``.
        public var server: String?

        /// Creates a reference from what an event of the server names.
        public init(handle: String, server: String? = nil) {
            self.handle = handle
            self.server = server
        }

        /// The reference of a receipt.
        public init(_ receipt: DeliveryReceipt) {
            self.init(handle: receipt.handle, server: receipt.server)
        }
    }
}

/// A backend whose calls never block the thread that they are made on: they are made on the centers' own.
package protocol NonblockingBackend: DeliveryBackend {}

extension DeliveryBackend {
    /// Where its calls are made: of one that may block, on a thread for apps.
    package var executor: any TaskExecutor {
        self is any NonblockingBackend ? CenterThread.shared : AppThreads.shared
    }
}

extension DeliveryCapabilities {
    /// Whether the user wants to be left alone: notices are then kept, and not shown at once.
    public enum DoNotDisturb: String, Sendable, Codable, Hashable, CaseIterable {
        /// The user wants to be left alone.
        case on
        /// Notices are shown as usual.
        case off
        /// The desktop doesn't say.
        case unknown
    }
}

/// A backend whose desktop may have a switch of its own for each app.
///
/// The center obeys it: what is ``DesktopPermission/off`` counts as denied by the user, whatever was answered to the
/// app's own question, and ``DesktopPermission/quiet`` as provisional. A backend that is none leaves the answer alone.
public protocol DesktopPermissionSource: DeliveryBackend {
    /// Asked at most every few seconds, while the backend runs; answers within two, and ``DesktopPermission/unknown``
    /// where it can't.
    @concurrent func desktopPermission(for app: AppIdentity) async -> DesktopPermission
}
