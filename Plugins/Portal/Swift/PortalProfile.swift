import Belfry
import BelfryBus

/// What one run of the portal can do.
struct PortalProfile: Sendable, Hashable {
    /// 1 or 2: what is newer than Belfry is spoken to as 2.
    var version: UInt32
    /// From `SupportedOptions`: what the desktop behind the portal understands.
    var categories: Set<String> = []
    var purposes: Set<String> = []

    init(version: UInt32, options: BusValue? = nil) {
        self.version = min(max(version, 1), 2)
        guard self.version > 1 else { return }
        categories = Set(options?["category"]?.strings ?? [])
        purposes = Set(options?["button-purpose"]?.strings ?? [])
    }

    static let replyPurpose = "im.reply-with-text"

    var hasReply: Bool { purposes.contains(Self.replyPurpose) }

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
