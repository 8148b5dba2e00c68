/// Something that the user can do with a notice.
///
/// ```swift
/// let content = NoticeContent(
///     title: "Anna: Lunch at noon?",
///     actions: [
///         NoticeAction("yes", title: "Yes"),
///         NoticeAction("reply", title: "Reply", kind: .reply(placeholder: "Your message")),
///         .snooze(.after(.seconds(300))),
///     ]
/// )
/// ```
public struct NoticeAction: Sendable, Codable, Hashable, Identifiable {
    /// How the user performs the action.
    public enum Kind: Sendable, Codable, Hashable {
        /// A button.
        case button
        /// A field to type a reply into; a button if the server has no reply fields.
        case reply(placeholder: String)
    }

    /// What a button does in a call, for desktops that draw it accordingly.
    public enum Purpose: String, Sendable, Codable, Hashable, CaseIterable {
        /// Accepts an incoming call.
        case acceptCall
        /// Declines an incoming call.
        case declineCall
        /// Ends the current call.
        case hangUp
        /// Turns the loudspeaker on during a call.
        case enableSpeakerphone
        /// Turns the loudspeaker off during a call.
        case disableSpeakerphone
    }

    /// The identifier that the response contains. Not empty; `default` is the click on the notice itself.
    public var id: String
    /// The text of the button.
    public var title: String
    /// A button or a reply field.
    public var kind: Kind
    /// A name from the icon theme, shown instead of the title by servers with `action-icons`.
    public var icon: String?
    /// What the action does in a call; a plain button on desktops without call buttons.
    public var purpose: Purpose?

    /// Creates an action; `add` checks that the identifiers within a notice differ.
    public init(_ id: String, title: String, kind: Kind = .button, icon: String? = nil, purpose: Purpose? = nil) {
        self.id = id
        self.title = title
        self.kind = kind
        self.icon = icon
        self.purpose = purpose
    }

    private enum CodingKeys: String, CodingKey {
        case id = "identifier"
        case title, kind, icon, purpose
    }

    /// The maximum number of buttons of a notice or a category.
    public static let maximumCount = 32

    /// The ``id`` of the click on the notice itself.
    public static let defaultID = "default"
    /// Whether it is the click on the notice itself, which is no button.
    package var isClick: Bool { id == Self.defaultID }
}

extension NoticeContent {
    /// The actions without the click on the notice itself.
    package var buttons: [NoticeAction] { actions.filter { !$0.isClick } }
}

/// Actions and response settings that several notices share by naming the category.
///
/// ```swift
/// let mail = NoticeCategory("mail", actions: [NoticeAction("read", title: "Mark as read")], reportsDismissal: true)
/// try await center.setCategories([mail])
/// var content = NoticeContent(title: "Mail from Anna")
/// content.category = mail.id
/// ```
public struct NoticeCategory: Sendable, Codable, Hashable, Identifiable {
    /// The name that contents use in ``NoticeContent/category``.
    public var id: String
    /// The buttons, in the order in which they are shown.
    public var actions: [NoticeAction]
    /// True: closing the notice by hand is a response, too.
    public var reportsDismissal: Bool

    /// Creates a category; ``NoticeCenter/setCategories(_:)`` registers it.
    public init(_ id: String, actions: [NoticeAction] = [], reportsDismissal: Bool = false) {
        self.id = id
        self.actions = actions
        self.reportsDismissal = reportsDismissal
    }

    private enum CodingKeys: String, CodingKey {
        case id = "identifier"
        case actions, reportsDismissal
    }
}
