/// Something that the person can do about a notice.
public struct NoticeAction: Sendable, Codable, Hashable {
    public enum Kind: Sendable, Codable, Hashable {
        /// A button.
        case button
        /// A field to type an answer into; a plain button where the server has no field.
        case reply(placeholder: String)
    }

    /// What comes back in the response. Not empty; `default` is the click on the notice itself.
    public var identifier: String
    public var title: String
    public var kind: Kind
    /// A name from the icon theme, shown instead of the title by servers with `action-icons`.
    public var icon: String?

    public init(_ identifier: String, title: String, kind: Kind = .button, icon: String? = nil) {
        self.identifier = identifier
        self.title = title
        self.kind = kind
        self.icon = icon
    }

    /// The most buttons that a notice, or a category, may have.
    public static let mostButtons = 32

    /// The identifier of the click on the notice itself.
    public static let defaultIdentifier = "default"
}

/// Actions and answering rules that several notices share by naming the category.
public struct NoticeCategory: Sendable, Codable, Hashable {
    public var identifier: String
    /// In the order in which they are shown.
    public var actions: [NoticeAction]
    /// True: closing the notice by hand is a response too.
    public var reportsDismissal: Bool

    public init(_ identifier: String, actions: [NoticeAction] = [], reportsDismissal: Bool = false) {
        self.identifier = identifier
        self.actions = actions
        self.reportsDismissal = reportsDismissal
    }
}
