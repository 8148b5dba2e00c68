package import Belfry

/// The current server: what it reports about itself, corrected by what is known about it.
package struct NotificationServer: Sendable, Hashable {
    package var name: String
    package var version: String
    /// The capabilities that the server listed.
    package var listed: Set<String>
    package var known: KnownServer
    package var features: Set<DeliveryCapabilities.Feature>

    package init(name: String, vendor: String, version: String, capabilities: [String]) {
        self.name = name.isEmpty ? "an unnamed server" : name
        self.version = version
        listed = Set(capabilities)
        known = KnownServer.row(for: name, vendor: vendor)
        if known.silence == .unknown, listed.contains("inhibitions") { known.silence = .inhibited }
        features = Self.features(listed).union(known.does).subtracting(known.doesNot)
    }

    /// Maps the capability names of the specification and of servers' extensions. Some servers draw icons and images
    /// without listing them, such as lxqt's. Whether a desktop draws badges is checked for each one.
    private static func features(_ listed: Set<String>) -> Set<DeliveryCapabilities.Feature> {
        var features: Set<DeliveryCapabilities.Feature> = [.replacing, .urgency, .expiry, .icon, .image, .badge]
        let known: [String: DeliveryCapabilities.Feature] = [
            "body": .body, "body-markup": .markup, "body-hyperlinks": .links, "body-images": .bodyImages,
            "sound": .sound,
            "actions": .actions, "action-icons": .actionIcons, "inline-reply": .reply, "persistence": .persistence,
        ]
        for name in listed { if let feature = known[name] { features.insert(feature) } }
        return features
    }

    /// The hint by which the server replaces the last notice with the same tag; nil if there is none.
    package var tagHint: String? {
        guard !known.mistakesTags else { return nil }
        return ["x-dunst-stack-tag", "x-canonical-private-synchronous"].first(where: listed.contains)
    }

    /// Whether the server decodes entities, even if it doesn't apply tags.
    package var readsMarkup: Bool { features.contains(.markup) || listed.contains("body-markup") }

    package var capabilities: DeliveryCapabilities {
        DeliveryCapabilities(
            server: version.isEmpty ? name : "\(name) \(version)",
            features: features,
            titleLimit: known.titleLimit,
            bodyLimit: known.bodyLimit,
            actionLimit: known.actionLimit
        )
    }
}
