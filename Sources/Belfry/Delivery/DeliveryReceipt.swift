/// The backend's handle on a delivery that it has shown, and what was lost on the way.
///
/// A server's number dies with the server: the receipt names the ``server`` that gave it.
public struct DeliveryReceipt: Sendable, Codable, Hashable {
    /// The name of the backend that delivered.
    public var backend: String
    /// The backend's own name for what it shows, such as the server's number.
    public var handle: String
    /// Which run of which server gave the handle (the owner's unique bus name); nil where there is no server.
    public var server: String?
    /// What the user does not get, in the order in which it was given up.
    public var lost: [LostFeature]

    /// Creates a receipt, as a backend returns it.
    public init(backend: String, handle: String, server: String? = nil, lost: [LostFeature] = []) {
        self.backend = backend
        self.handle = handle
        self.server = server
        self.lost = lost
    }

    /// What an event of the backend names.
    var key: ReceiptKey { ReceiptKey(backend: backend, server: server, handle: handle) }
}

/// A receipt without what was lost: enough to find the delivery.
struct ReceiptKey: Sendable, Hashable {
    let backend: String
    let server: String?
    let handle: String
}

extension DeliveryReceipt {
    /// Something of the content that was not shown.
    public struct LostFeature: Sendable, Codable, Hashable, CustomStringConvertible {
        /// The parts of a content that a desktop may be unable to show.
        public enum Feature: String, Sendable, Codable, Hashable, CaseIterable {
            /// The title was cut or changed.
            case title
            /// The subtitle was cut, changed or put into the body.
            case subtitle
            /// The body was cut or dropped.
            case body
            /// Markup was removed; its text is there.
            case markup
            /// An icon was dropped.
            case icon
            /// The image was dropped.
            case image
            /// The sound was dropped.
            case sound
            /// Buttons were dropped.
            case actions
            /// A reply field became a button.
            case reply
            /// The progress bar was dropped.
            case progress
            /// The number on the app's icon was dropped.
            case badge
            /// The server decides the time on the screen.
            case expiry
            /// The category was dropped.
            case category
            /// Notices of a thread are not grouped.
            case thread
            /// An attachment was dropped or is missing.
            case attachment
            /// A hint was dropped or converted.
            case hint
            /// The notice stands beside the one that it should replace.
            case replacing
            /// The level was lowered or is not known.
            case level
            /// The notice may be kept in the history.
            case transient
            /// The notice goes away after a response.
            case resident
            /// The notice can be closed by hand.
            case persistent
            /// The lock screen may show more of it.
            case privacy
            /// Closing by hand is not reported.
            case dismissal
            /// Characters that may not be shown were removed.
            case controlCharacters
            /// A link is text, with its address behind it.
            case links
            /// The actions are there, but in a menu of the server's and not as buttons.
            case buttons
        }

        /// What was dropped or changed.
        public var feature: Feature
        /// What happened to it: "cut to 2,000 of 1,048,576 characters".
        public var detail: String

        /// Creates an entry of a receipt.
        public init(_ feature: Feature, _ detail: String) {
            self.feature = feature
            self.detail = detail
        }

        public var description: String { "\(feature.rawValue): \(detail)" }
    }
}
