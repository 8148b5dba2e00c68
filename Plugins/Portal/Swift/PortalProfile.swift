import Belfry
import BelfryBus

/// What one run of the portal can do.
struct PortalProfile: Sendable, Hashable {
    /// What the notification may be made of, 1 or 2: what is newer than Belfry is spoken to as 2.
    ///
    /// Portals before 1.22 claim 2 whatever the desktop's part of them is (xdg-desktop-portal, commit c49af089), and
    /// take out what a part of version 1 doesn't know: a body with markup, all of it. A part of version 2 lists options.
    var version: UInt32
    /// From `SupportedOptions`: what the desktop behind the portal understands.
    var categories: Set<String> = []
    var purposes: Set<String> = []

    init(version: UInt32, options: BusValue? = nil) {
        categories = Set(options?["category"]?.strings ?? [])
        purposes = Set(options?["button-purpose"]?.strings ?? [])
        self.version = version > 1 && !(categories.isEmpty && purposes.isEmpty) ? 2 : 1
    }

    private var hasReply: Bool { purposes.contains(PortalMessage.ButtonPurpose.reply.rawValue) }

    var capabilities: DeliveryCapabilities {
        var features: Set<DeliveryCapabilities.Feature> = [
            .body, .icon, .image, .actions, .replacing, .persistence, .urgency,
        ]
        if version > 1 { features.formUnion([.markup, .links, .sound]) }
        if hasReply { features.insert(.reply) }
        // The same servers stand behind it as behind the D-Bus backend: the same limits are kind to them.
        return DeliveryCapabilities(
            server: "desktop portal, notifications version \(version)",
            features: features,
            titleLimit: 256,
            bodyLimit: 2000,
            reportsClosing: false
        )
    }
}
