/// The backend's handle of a shown delivery, and what was lost.
///
/// A server's number is valid as long as the server runs: the receipt has the ``server`` that assigned it.
///
/// ```swift
/// let notice = try await center.show(content)
/// for loss in notice.receipt.lost { print("\(loss.feature): \(loss.detail)") }
/// ```
public struct DeliveryReceipt: Sendable, Codable, Hashable {
    /// The name of the backend that delivered.
    public var backend: String
    /// The backend's identifier of the notice, such as the server's number.
    public var handle: String
    /// The server instance that assigned the handle (the owner's unique bus name); nil if there is no server.
    public var server: String?
    /// What the user does not get, in the order in which it was dropped.
    public var lost: [LostFeature]

    /// Creates a receipt, as a backend returns it.
    public init(backend: String, handle: String, server: String? = nil, lost: [LostFeature] = []) {
        self.backend = backend
        self.handle = handle
        self.server = server
        self.lost = lost
    }

    /// The key that an event of the backend contains.
    var key: ReceiptKey { ReceiptKey(backend: backend, server: server, handle: handle) }

    /// Returns the receipt with the features lost in preparation first, without those that the backend repeats.
    func adding(_ lostBefore: [LostFeature]) -> DeliveryReceipt {
        guard !lostBefore.isEmpty else { return self }
        var receipt = self
        receipt.lost = lostBefore + lost.filter { !lostBefore.contains($0) }
        return receipt
    }
}

/// A receipt without its losses: enough to find the delivery.
struct ReceiptKey: Sendable, Hashable {
    let backend: String
    let server: String?
    let handle: String
}

extension DeliveryReceipt {
    /// A part of the content that was not shown.
    public struct LostFeature: Sendable, Codable, Hashable, CustomStringConvertible {
        /// The parts of a content that a desktop may be unable to show.
        public enum Feature: String, Sendable, Codable, Hashable, CaseIterable {
            /// The title was cut or changed.
            case title
            /// The subtitle was cut, changed or put into the body.
            case subtitle
            /// The body was cut or dropped.
            case body
            /// Markup was removed; its text remains.
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
            /// The notice is shown next to the one that it should replace.
            case replacing
            /// The level was lowered or is not supported.
            case level
            /// The server may keep the notice after its time on the screen.
            case transient
            /// The notice is closed after a response.
            case resident
            /// The user can close the notice.
            case persistent
            /// The lock screen may show more of the notice.
            case privacy
            /// Closing by hand is not reported.
            case dismissal
            /// Characters that can't be shown were removed.
            case controlCharacters
            /// A link is text, followed by its address.
            case links
            /// The actions are in a menu of the server, not buttons.
            case buttons
        }

        /// What was dropped or changed.
        public var feature: Feature
        /// A description, such as "cut to 2,000 of 1,048,576 characters".
        public var detail: String

        /// Creates an entry of a receipt.
        public init(_ feature: Feature, _ detail: String) {
            self.feature = feature
            self.detail = detail
        }

        public var description: String { "\(feature.rawValue): \(detail)" }
    }
}

extension [DeliveryReceipt.LostFeature] {
    /// Adds a loss, if the content uses the feature.
    package mutating func add(
        _ feature: DeliveryReceipt.LostFeature.Feature,
        _ detail: String,
        if isUsed: Bool = true
    ) {
        if isUsed { append(DeliveryReceipt.LostFeature(feature, detail)) }
    }
}
