import Belfry
import BelfryBus

/// The capabilities of one run of the portal.
struct PortalProfile: Sendable, Hashable {
    /// The version of the interface to use, 1 or 2; newer versions are used as 2.
    ///
    /// Portals before 1.22 claim version 2 whatever their desktop backend supports (xdg-desktop-portal, commit
    /// c49af089), and remove what a backend of version 1 doesn't know: all of a body with markup. A backend of version
    /// 2 lists options.
    var version: UInt32
    /// The options that the desktop backend supports, from `SupportedOptions`.
    var categories: Set<String> = []
    var purposes: Set<String> = []

    init(version: UInt32, options: BusValue? = nil) {
        categories = Set(options?["category"]?.strings ?? [])
        purposes = Set(options?["button-purpose"]?.strings ?? [])
        self.version = version > 1 && !(categories.isEmpty && purposes.isEmpty) ? 2 : 1
    }

    private var hasReply: Bool { purposes.contains(PortalMessage.ButtonPurpose.reply.name) }

    var capabilities: DeliveryCapabilities {
        var features: Set<DeliveryCapabilities.Feature> = [
            .body, .icon, .image, .actions, .replacing, .persistence, .urgency,
        ]
        if version > 1 { features.formUnion([.markup, .links, .sound]) }
        if hasReply { features.insert(.reply) }
        // The portal uses the same servers as the D-Bus backend, so the limits are the same.
        return DeliveryCapabilities(
            server: "desktop portal, notifications version \(version)",
            features: features,
            titleLimit: 256,
            bodyLimit: 2000,
            reportsClosing: false
        )
    }
}
