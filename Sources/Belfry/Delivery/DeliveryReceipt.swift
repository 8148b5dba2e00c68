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
    /// What the person does not get, in the order in which it was given up.
    public var lost: [LostFeature]

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
        public enum Feature: String, Sendable, Codable, Hashable, CaseIterable {
            case title, subtitle, body, markup, icon, image, sound, actions, reply, progress, badge, expiry, category
            case thread, attachment, hint, replacing, level, transient, resident, dismissal, controlCharacters
            /// A link is text, with its address behind it.
            case links
            /// The actions are there, but in a menu of the server's and not as buttons.
            case buttons
        }

        public var feature: Feature
        /// What happened to it: "cut to 2,000 of 1,048,576 characters".
        public var detail: String

        public init(_ feature: Feature, _ detail: String) {
            self.feature = feature
            self.detail = detail
        }

        public var description: String { "\(feature.rawValue): \(detail)" }
    }
}
