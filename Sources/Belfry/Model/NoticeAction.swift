/// Something that the user can do about a notice.
public struct NoticeAction: Sendable, Codable, Hashable, Identifiable {
    /// How the user answers by it.
    public enum Kind: Sendable, Codable, Hashable {
        /// A button.
        case button
        /// A field to type an answer into; a plain button where the server has no field.
        case reply(placeholder: String)
    }

    /// What a button of a call does, for desktops that draw it accordingly.
    public enum Purpose: String, Sendable, Codable, Hashable, CaseIterable {
        /// Takes an incoming call.
        case acceptCall
        /// Refuses an incoming call.
        case declineCall
        /// Ends the call that is going on.
        case hangUp
        /// Turns the loudspeaker on during a call.
        case enableSpeakerphone
        /// Turns the loudspeaker off during a call.
        case disableSpeakerphone
    }

    /// What comes back in the response. Not empty; `default` is the click on the notice itself.
    public var id: String
    /// What the button says.
    public var title: String
    /// A button or a reply field.
    public var kind: Kind
    /// A name from the icon theme, shown instead of the title by servers with `action-icons`.
    public var icon: String?
    /// What it does in a call; a plain button where the desktop makes no difference.
    public var purpose: Purpose?

    /// Creates an action; `add` checks that the identifiers of a notice differ.
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

    /// The most buttons that a notice, or a category, may have.
    public static let mostButtons = 32

    /// The ``id`` of the click on the notice itself.
    public static let defaultID = "default"
}

/// Actions and answering rules that several notices share by naming the category.
public struct NoticeCategory: Sendable, Codable, Hashable, Identifiable {
    /// What contents name it by in ``NoticeContent/category``.
    public var id: String
    /// In the order in which they are shown.
    public var actions: [NoticeAction]
    /// True: closing the notice by hand is a response too.
    public var reportsDismissal: Bool

    /// Creates a category; ``NoticeCenter/setCategories(_:)`` makes it known.
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
