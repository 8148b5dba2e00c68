package import Belfry

/// The server of the moment: what it says of itself, put right by what is known of it.
package struct NotificationServer: Sendable, Hashable {
    package var name: String
    package var version: String
    /// As the server listed them.
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

    /// The specification's names, and the ones that servers have added. Icons and images are drawn by servers that
    /// don't list them, such as lxqt's; whether anybody draws a badge is looked at with each one.
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

    /// The hint by which it puts a notice in the place of the last one with the same tag.
    package var tagHint: String? {
        guard !known.mistakesTags else { return nil }
        return ["x-dunst-stack-tag", "x-canonical-private-synchronous"].first(where: listed.contains)
    }

    /// It takes entities apart, also where it doesn't follow the tags.
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
