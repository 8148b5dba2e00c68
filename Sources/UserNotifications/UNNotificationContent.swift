import Belfry
public import Foundation

/// How much a notice may interrupt.
public enum UNNotificationInterruptionLevel: UInt, Sendable {
    /// Without a popup, where the server keeps a list.
    case passive
    /// As usual.
    case active
    /// For what can't wait.
    case timeSensitive
    /// Shown whatever else holds.
    case critical
}

/// What could fill in a content: Siri's intents, which are Apple's alone.
public protocol UNNotificationContentProviding: NSObjectProtocol {}

/// What a notice says. Make a ``UNMutableNotificationContent``.
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
    }

    /// The first line; empty shows the app's name.
    open var title: String { values.title }
    /// A second line.
    open var subtitle: String { values.subtitle }
    /// The text.
    open var body: String { values.body }
    /// The number on the app's icon; nil leaves it.
    open var badge: NSNumber? { values.badge }
    /// The sound; nil is silent.
    open var sound: UNNotificationSound? { values.sound }
    /// What the app attaches: strings, numbers, truth values, lists and dictionaries with string keys.
    open var userInfo: [AnyHashable: Any] { values.userInfo }
    /// The category with its actions.
    open var categoryIdentifier: String { values.categoryIdentifier }
    /// What notices are grouped by.
    open var threadIdentifier: String { values.threadIdentifier }
    /// How much it may interrupt.
    open var interruptionLevel: UNNotificationInterruptionLevel { values.interruptionLevel }
    /// Its weight among others, 0 to 1.
    open var relevanceScore: Double { values.relevanceScore }

    /// Files that come with it; the first picture is shown.
    open var attachments: [UNNotificationAttachment] { values.attachments }

    /// Apple's alone: comes back as it was, and has no effect.
    open var launchImageName: String { values.launchImageName }
    /// Apple's alone: comes back as it was, and has no effect.
    open var targetContentIdentifier: String? { values.targetContentIdentifier }
    /// Apple's alone: comes back as it was, and has no effect.
    open var filterCriteria: String? { values.filterCriteria }
    /// Apple's alone: comes back as it was, and has no effect.
    open var summaryArgument: String { values.summaryArgument }
    /// Apple's alone: comes back as it was, and has no effect.
    open var summaryArgumentCount: Int { values.summaryArgumentCount }

    /// Apple's alone, for Siri's intents: throws ``UNError/Code/contentProvidingObjectNotAllowed`` (permanent).
    open func updating(from provider: any UNNotificationContentProviding) throws -> UNNotificationContent {
        throw UNError(
            code: .contentProvidingObjectNotAllowed,
            description: "A content can't be made from a \(type(of: provider)): set its title and body."
        )
    }

    /// A copy that can't change.
    public func copy(with zone: NSZone? = nil) -> Any { snapshot() }
    /// A copy that can change.
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

/// What a notice says, to fill in.
open class UNMutableNotificationContent: UNNotificationContent, @unchecked Sendable {
    /// The first line; empty shows the app's name.
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
    /// The number on the app's icon; nil leaves it.
    open override var badge: NSNumber? {
        get { values.badge }
        set { values.badge = newValue }
    }
    /// The sound; nil is silent.
    open override var sound: UNNotificationSound? {
        get { values.sound }
        set { values.sound = newValue }
    }
    /// What the app attaches.
    open override var userInfo: [AnyHashable: Any] {
        get { values.userInfo }
        set { values.userInfo = newValue }
    }
    /// The category with its actions.
    open override var categoryIdentifier: String {
        get { values.categoryIdentifier }
        set { values.categoryIdentifier = newValue }
    }
    /// What notices are grouped by.
    open override var threadIdentifier: String {
        get { values.threadIdentifier }
        set { values.threadIdentifier = newValue }
    }
    /// How much it may interrupt.
    open override var interruptionLevel: UNNotificationInterruptionLevel {
        get { values.interruptionLevel }
        set { values.interruptionLevel = newValue }
    }
    /// Its weight among others, 0 to 1.
    open override var relevanceScore: Double {
        get { values.relevanceScore }
        set { values.relevanceScore = newValue }
    }
    /// Files that come with it; the first picture is shown.
    open override var attachments: [UNNotificationAttachment] {
        get { values.attachments }
        set { values.attachments = newValue }
    }
    /// Apple's alone: comes back as it was, and has no effect.
    open override var launchImageName: String {
        get { values.launchImageName }
        set { values.launchImageName = newValue }
    }
    /// Apple's alone: comes back as it was, and has no effect.
    open override var targetContentIdentifier: String? {
        get { values.targetContentIdentifier }
        set { values.targetContentIdentifier = newValue }
    }
    /// Apple's alone: comes back as it was, and has no effect.
    open override var filterCriteria: String? {
        get { values.filterCriteria }
        set { values.filterCriteria = newValue }
    }
    /// Apple's alone: comes back as it was, and has no effect.
    open override var summaryArgument: String {
        get { values.summaryArgument }
        set { values.summaryArgument = newValue }
    }
    /// Apple's alone: comes back as it was, and has no effect.
    open override var summaryArgumentCount: Int {
        get { values.summaryArgumentCount }
        set { values.summaryArgumentCount = newValue }
    }
}
