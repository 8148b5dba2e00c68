public import Belfry

extension DeliveryCapabilities {
    /// The capabilities of a server that supports every feature.
    public static let everything = DeliveryCapabilities(server: "recorder 1", features: Set(Feature.allCases))

    /// The same server without some of its features.
    public func without(_ missing: Feature...) -> DeliveryCapabilities {
        var rest = self
        rest.features.subtract(missing)
        return rest
    }

    /// The features of a prepared content that this server can't show.
    func losses(of content: NoticeContent) -> [DeliveryReceipt.LostFeature] {
        var lost: [DeliveryReceipt.LostFeature] = []
        let setsExpiry = content.desktop.expiry != .serverDefault
        lost.add(.expiry, "the server has no expiry", if: setsExpiry && !features.contains(.expiry))
        lost.add(.level, "the server has no urgency", if: content.level != .active && !features.contains(.urgency))
        return lost
    }
}
