import Belfry
public import Foundation

/// How much a notice may interrupt.
///
/// ```swift
/// let content = UNMutableNotificationContent()
/// content.title = "The disk is full"
/// content.interruptionLevel = .timeSensitive
/// ```
public enum UNNotificationInterruptionLevel: UInt, Sendable {
    /// Without a popup, if the server keeps a list.
    case passive
    /// As usual.
    case active
    /// Urgent, but not critical.
    case timeSensitive
    /// Shown regardless of quiet hours and other restrictions.
    case critical
}

/// A provider of content: Siri's intents, which exist only on Apple's systems.
///
/// ```swift
/// func content(of intent: any UNNotificationContentProviding) -> UNNotificationContent {
///     let content = UNMutableNotificationContent()
///     content.title = "Message"
///     return (try? content.updating(from: intent)) ?? content   // here always the content itself
/// }
/// ```
public protocol UNNotificationContentProviding: NSObjectProtocol {}

/// The content of a notice. Create a ``UNMutableNotificationContent``.
///
/// ```swift
/// for request in await UNUserNotificationCenter.current().pendingNotificationRequests() {
///     print(request.content.title, request.content.body)
/// }
/// ```
open class UNNotificationContent: NSObject, NSCopying, NSMutableCopying, @unchecked Sendable {
    // Only the mutable subclass changes it; requests take a copy.
    var values = Values()

    struct Values {
        var title = ""
        var subtitle = ""
        var body = ""
        var badge: NSNumber?
        var sound: UNNotificationSound?
        var userInfo: [AnyHashable: Any] = [:]
        var categoryIdentifier = ""
        var threadIdentifier = ""
        var interruptionLevel = UNNotificationInterruptionLevel.active
        var relevanceScore = 0.0
        var attachments: [UNNotificationAttachment] = []
        var launchImageName = ""
        var targetContentIdentifier: String?
        var filterCriteria: String?
        var summaryArgument = ""
        var summaryArgumentCount = 0

        /// The values by which two contents are equal.
        var parts: [AnyHashable] {
            [
                title, subtitle, body, AnyHashable(badge), AnyHashable(sound), NSDictionary(dictionary: userInfo),
                categoryIdentifier, threadIdentifier, interruptionLevel, relevanceScore, attachments, launchImageName,
                AnyHashable(targetContentIdentifier), AnyHashable(filterCriteria), summaryArgument,
                summaryArgumentCount,
            ]
        }
    }

    /// The first line; if empty, the app's name is shown.
    open var title: String { values.title }
    /// A second line.
    open var subtitle: String { values.subtitle }
    /// The text.
    open var body: String { values.body }
    /// The number on the app's icon; nil leaves it unchanged.
    open var badge: NSNumber? { values.badge }
    /// The sound; nil is silent.
    open var sound: UNNotificationSound? { values.sound }
    /// The app's own values: strings, numbers, Booleans, lists and dictionaries with string keys.
    open var userInfo: [AnyHashable: Any] { values.userInfo }
    /// The category with its actions.
    open var categoryIdentifier: String { values.categoryIdentifier }
    /// The identifier by which notices are grouped.
    open var threadIdentifier: String { values.threadIdentifier }
    /// How much it may interrupt.
    open var interruptionLevel: UNNotificationInterruptionLevel { values.interruptionLevel }
    /// The relevance relative to other notices, 0 to 1.
    open var relevanceScore: Double { values.relevanceScore }

    /// The attached files; the first picture is shown.
    open var attachments: [UNNotificationAttachment] { values.attachments }

    /// No effect outside Apple's systems; stored and returned unchanged.
    open var launchImageName: String { values.launchImageName }
    /// No effect outside Apple's systems; stored and returned unchanged.
    open var targetContentIdentifier: String? { values.targetContentIdentifier }
    /// No effect outside Apple's systems; stored and returned unchanged.
    open var filterCriteria: String? { values.filterCriteria }
    /// No effect outside Apple's systems; stored and returned unchanged.
    open var summaryArgument: String { values.summaryArgument }
    /// No effect outside Apple's systems; stored and returned unchanged.
    open var summaryArgumentCount: Int { values.summaryArgumentCount }

    /// Siri's intents are not available: throws ``UNError/Code/contentProvidingObjectNotAllowed`` (permanent).
    open func updating(from provider: any UNNotificationContentProviding) throws -> UNNotificationContent {
        throw UNError(
            code: .contentProvidingObjectNotAllowed,
            description: "A content can't be made from a \(type(of: provider)): set its title and body."
        )
    }

    /// Whether the other has the same values, mutable or not.
    public override func isEqual(_ object: Any?) -> Bool {
        (object as? UNNotificationContent)?.values.parts == values.parts
    }
    /// The hash of its values.
    public override var hash: Int { values.parts.hashValue }
    /// Returns an immutable copy.
    public func copy(with zone: NSZone? = nil) -> Any { snapshot() }
    /// Returns a mutable copy.
    public func mutableCopy(with zone: NSZone? = nil) -> Any {
        let copy = UNMutableNotificationContent()
        copy.values = values
        return copy
    }

    func snapshot() -> UNNotificationContent {
        let copy = UNNotificationContent()
        copy.values = values
        return copy
    }
}

/// The mutable content of a notice.
///
/// ```swift
/// let content = UNMutableNotificationContent()
/// content.title = "Tea is ready"
/// content.body = "Darjeeling, 3 minutes"
/// content.sound = .default
/// let request = UNNotificationRequest(identifier: "tea", content: content, trigger: nil)
/// ```
open class UNMutableNotificationContent: UNNotificationContent, @unchecked Sendable {
    /// The first line; if empty, the app's name is shown.
    open override var title: String {
        get { values.title }
        set { values.title = newValue }
    }
    /// A second line.
    open override var subtitle: String {
        get { values.subtitle }
        set { values.subtitle = newValue }
    }
    /// The text.
    open override var body: String {
        get { values.body }
        set { values.body = newValue }
    }
    /// The number on the app's icon; nil leaves it unchanged.
    open override var badge: NSNumber? {
        get { values.badge }
        set { values.badge = newValue }
    }
    /// The sound; nil is silent.
    open override var sound: UNNotificationSound? {
        get { values.sound }
        set { values.sound = newValue }
    }
    /// The app's own values.
    open override var userInfo: [AnyHashable: Any] {
        get { values.userInfo }
        set { values.userInfo = newValue }
    }
    /// The category with its actions.
    open override var categoryIdentifier: String {
        get { values.categoryIdentifier }
        set { values.categoryIdentifier = newValue }
    }
    /// The identifier by which notices are grouped.
    open override var threadIdentifier: String {
        get { values.threadIdentifier }
        set { values.threadIdentifier = newValue }
    }
    /// How much it may interrupt.
    open override var interruptionLevel: UNNotificationInterruptionLevel {
        get { values.interruptionLevel }
        set { values.interruptionLevel = newValue }
    }
    /// The relevance relative to other notices, 0 to 1.
    open override var relevanceScore: Double {
        get { values.relevanceScore }
        set { values.relevanceScore = newValue }
    }
    /// The attached files; the first picture is shown.
    open override var attachments: [UNNotificationAttachment] {
        get { values.attachments }
        set { values.attachments = newValue }
    }
    /// No effect outside Apple's systems; stored and returned unchanged.
    open override var launchImageName: String {
        get { values.launchImageName }
        set { values.launchImageName = newValue }
    }
    /// No effect outside Apple's systems; stored and returned unchanged.
    open override var targetContentIdentifier: String? {
        get { values.targetContentIdentifier }
        set { values.targetContentIdentifier = newValue }
    }
    /// No effect outside Apple's systems; stored and returned unchanged.
    open override var filterCriteria: String? {
        get { values.filterCriteria }
        set { values.filterCriteria = newValue }
    }
    /// No effect outside Apple's systems; stored and returned unchanged.
    open override var summaryArgument: String {
        get { values.summaryArgument }
        set { values.summaryArgument = newValue }
    }
    /// No effect outside Apple's systems; stored and returned unchanged.
    open override var summaryArgumentCount: Int {
        get { values.summaryArgumentCount }
        set { values.summaryArgumentCount = newValue }
    }
}
