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

    /// The features of a content that this server can't show, in the order in which they are dropped.
    func losses(of content: NoticeContent) -> [DeliveryReceipt.LostFeature] {
        var lost: [DeliveryReceipt.LostFeature] = []
        func lose(_ feature: DeliveryReceipt.LostFeature.Feature, without needed: Feature, if used: Bool) {
            guard used, !features.contains(needed) else { return }
            lost.append(DeliveryReceipt.LostFeature(feature, "the server has no \(needed.rawValue)"))
        }
        lose(.body, without: .body, if: !content.body.isEmpty)
        lose(.markup, without: .markup, if: content.bodyFormat == .markup)
        lose(.icon, without: .icon, if: content.icon != nil)
        lose(.image, without: .image, if: content.image != nil)
        lose(.sound, without: .sound, if: content.sound != nil)
        lose(.actions, without: .actions, if: !content.actions.isEmpty)
        lose(
            .reply,
            without: .reply,
            if: content.actions.contains { if case .reply = $0.kind { true } else { false } }
        )
        lose(.progress, without: .progress, if: content.progress != nil)
        lose(.badge, without: .badge, if: content.badge != nil)
        lose(.expiry, without: .expiry, if: content.desktop.expiry != .serverDefault)
        lose(.level, without: .urgency, if: content.level != .active)
        if let actionLimit, features.contains(.actions), content.actions.count > actionLimit {
            lost.append(DeliveryReceipt.LostFeature(.actions, "\(actionLimit) of \(content.actions.count) are shown"))
        }
        return lost
    }
}
