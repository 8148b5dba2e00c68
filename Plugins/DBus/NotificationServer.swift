import Belfry

/// One notification server as it is: what it says of itself, put right where it is known to do otherwise.
///
/// Every row of the table was measured, or read in the server's source.
struct NotificationServer: Sendable, Hashable {
    var name: String
    var version: String
    /// As the server listed them.
    var listed: Set<String>
    var features: Set<DeliveryCapabilities.Feature>
    /// Takes actions and draws no buttons for them: they are in a menu of its own.
    var hidesButtons = false
    var titleLimit: Int? = 256
    var bodyLimit: Int? = 2000
    /// More than any popup shows; xfce4-notifyd takes seconds for thousands, mate-notification-daemon hangs.
    var actionLimit: Int? = 32

    init(name: String, vendor: String, version: String, capabilities: [String]) {
        self.name = name
        self.version = version
        listed = Set(capabilities)
        features = Self.features(listed)
        switch (name.lowercased(), vendor.lowercased()) {
        case ("dunst", _):
            // Draws both, and lists neither; colours and the bar are its own.
            features.formUnion([.progress, .icon, .image])
            // Shows the text of a link, and its address nowhere.
            features.remove(.links)
        case ("notification daemon", "gnome"):
            // Lists links, and shows their markup raw.
            features.remove(.links)
        case ("notification daemon", "mate"):
            // Lays unbroken text out in quadratic time: 1 KiB takes 0.4 s, 8 KiB hang it.
            bodyLimit = 1000
        case ("xfce notify daemon", _):
            // With the hint for progress it hides title and body.
            features.remove(.progress)
        case ("mako", _):
            // Lists actions, and draws no buttons; the click on the popup works.
            hidesButtons = true
            features.formUnion([.progress])
        case ("gnome-shell", _):
            // Decides by itself how long a banner stays.
            features.remove(.expiry)
        case ("plasma", _):
            features.formUnion([.progress, .icon, .image])
        case ("notify-osd", _):
            features.formUnion([.progress])
            features.remove(.expiry)
        default: break
        }
    }

    /// The specification's names, and the ones that servers have added.
    private static func features(_ listed: Set<String>) -> Set<DeliveryCapabilities.Feature> {
        var features: Set<DeliveryCapabilities.Feature> = [.replacing, .urgency, .expiry, .icon, .image]
        let known: [String: DeliveryCapabilities.Feature] = [
            "body": .body, "body-markup": .markup, "body-hyperlinks": .links, "body-images": .bodyImages,
            "sound": .sound,
            "actions": .actions, "action-icons": .actionIcons, "inline-reply": .reply, "persistence": .persistence,
        ]
        for name in listed { if let feature = known[name] { features.insert(feature) } }
        return features
    }

    var capabilities: DeliveryCapabilities {
        DeliveryCapabilities(
            server: version.isEmpty ? name : "\(name) \(version)",
            features: features,
            titleLimit: titleLimit,
            bodyLimit: bodyLimit,
            actionLimit: actionLimit
        )
    }
}
