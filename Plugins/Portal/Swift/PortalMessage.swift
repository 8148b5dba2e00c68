import Belfry
import BelfryBus

/// The notification of `AddNotification` for one delivery, and what it costs.
struct PortalMessage {
    let deliveryID: String
    let isResident: Bool
    /// `a{sv}`, with all that the portal may know.
    let full: BusValue
    /// Without what a portal may find fault with; nil where that is the same.
    let plain: BusValue?
    let lost: [DeliveryReceipt.LostFeature]
    /// What goes too where only the plain one is taken; each detail follows the reason.
    let lostWhenPlain: [DeliveryReceipt.LostFeature]

    /// The action of every button: which one it was stands in its target.
    static let action = "belfry-answer"

    init(_ delivery: Delivery, for profile: PortalProfile) {
        let content = delivery.content
        deliveryID = delivery.id
        isResident = content.desktop.isResident
        var lost = delivery.lost
        var base = Self.texts(content, delivery.app, profile, &lost)
        base["priority"] = .string(Self.priority(content.level))
        // A click on the notice is an answer, asked for or not.
        base["default-action"] = .string(Self.action)
        base["default-action-target"] = Self.target(delivery, NoticeAction.defaultID)
        var extras: [String: BusValue] = [:]
        var lostWhenPlain: [DeliveryReceipt.LostFeature] = []
        if let icon = PortalPicture.icon(of: delivery, version: profile.version, &lost) {
            extras["icon"] = icon
            lostWhenPlain.append(DeliveryReceipt.LostFeature(.icon, ""))
        }
        if let sound = PortalPicture.sound(of: content, version: profile.version, &lost) {
            extras["sound"] = sound
            lostWhenPlain.append(DeliveryReceipt.LostFeature(.sound, ""))
        }
        if content.desktop.isTransient {
            if profile.version > 1 {
                extras["display-hint"] = .strings(["transient"])
                lostWhenPlain.append(DeliveryReceipt.LostFeature(.transient, ""))
            } else {
                lost.append(DeliveryReceipt.LostFeature(.transient, "this version of the portal has no such hint"))
            }
        }
        let replies = profile.hasReply && content.actions.contains { $0.isReply }
        if let category = Self.category(content, replies: replies, profile, &lost) {
            extras["category"] = .string(category)
            lostWhenPlain.append(DeliveryReceipt.LostFeature(.category, ""))
        }
        let buttons = content.actions.filter { $0.id != NoticeAction.defaultID }
        let plainButtons = buttons.map { Self.button(delivery, $0) }
        var fullButtons = plainButtons
        if replies, let first = buttons.firstIndex(where: \.isReply) {
            fullButtons[first]["purpose"] = .string(PortalProfile.replyPurpose)
            lostWhenPlain.append(DeliveryReceipt.LostFeature(.reply, ": it is a button"))
            for other in buttons[(first + 1)...] where other.isReply {
                lost.append(
                    DeliveryReceipt.LostFeature(.reply, "'\(other.id)' is a button: there is one reply field")
                )
            }
        }
        Self.noteRest(content, &lost)
        self.lost = lost
        self.lostWhenPlain = lostWhenPlain
        full = .options(base.merging(extras) { $1 }.merging(Self.list(fullButtons)) { $1 })
        plain = lostWhenPlain.isEmpty ? nil : .options(base.merging(Self.list(plainButtons)) { $1 })
    }

    /// The subtitle, which the portal doesn't know, is the body's first line. A title is never empty.
    private static func texts(
        _ content: NoticeContent,
        _ app: AppIdentity,
        _ profile: PortalProfile,
        _ lost: inout [DeliveryReceipt.LostFeature]
    ) -> [String: BusValue] {
        var title = content.title
        var subtitle = content.subtitle
        if title.isEmpty {
            title = subtitle.isEmpty ? app.name : subtitle
            subtitle = ""
        }
        let isMarkup = content.bodyFormat == .markup && profile.version > 1
        let parts = [isMarkup ? escaped(subtitle) : subtitle, content.body].filter { !$0.isEmpty }
        let body = parts.joined(separator: "\n")
        guard isMarkup else { return ["title": .string(title), "body": .string(body)] }
        if body.contains("\n") {
            lost.append(
                DeliveryReceipt.LostFeature(.markup, "the portal makes spaces of the line breaks in a text with markup")
            )
        }
        return ["title": .string(title), "markup-body": .string(body)]
    }

    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            default: result.append(character)
            }
        }
    }

    private static func priority(_ level: InterruptionLevel) -> String {
        switch level {
        case .passive: "low"
        case .active: "normal"
        case .timeSensitive: "high"
        case .critical: "urgent"
        }
    }

    private static func target(_ delivery: Delivery, _ action: String) -> BusValue {
        .string(PortalTarget(delivery.id, action).text)
    }

    private static func button(_ delivery: Delivery, _ action: NoticeAction) -> [String: BusValue] {
        [
            "label": .string(action.title.isEmpty ? action.id : action.title), "action": .string(Self.action),
            "target": target(delivery, action.id),
        ]
    }

    private static func list(_ buttons: [[String: BusValue]]) -> [String: BusValue] {
        guard !buttons.isEmpty else { return [:] }
        let type = BusType.dictionary(key: .string, value: .variant)
        return ["buttons": .array(of: type, buttons.map(BusValue.options))]
    }

    /// The portal refuses the whole notice for a category that it does not know. A reply field belongs to one of them.
    private static func category(
        _ content: NoticeContent,
        replies: Bool,
        _ profile: PortalProfile,
        _ lost: inout [DeliveryReceipt.LostFeature]
    ) -> String? {
        let wanted = content.desktop.category ?? (replies ? "im.received" : nil)
        guard let wanted else { return nil }
        if profile.categories.contains(wanted) { return wanted }
        if content.desktop.category != nil {
            lost.append(DeliveryReceipt.LostFeature(.category, "the portal does not know '\(wanted)'"))
        }
        return nil
    }

    private static func noteRest(_ content: NoticeContent, _ lost: inout [DeliveryReceipt.LostFeature]) {
        if content.desktop.expiry != .serverDefault {
            lost.append(
                DeliveryReceipt.LostFeature(.expiry, "the desktop behind the portal decides how long it shows a notice")
            )
        }
        if content.desktop.isResident {
            lost.append(
                DeliveryReceipt.LostFeature(
                    .resident,
                    "the desktop behind the portal decides what an answer leaves standing"
                )
            )
        }
        if !content.desktop.hints.isEmpty {
            let names = content.desktop.hints.keys.sorted().joined(separator: ", ")
            lost.append(DeliveryReceipt.LostFeature(.hint, "the portal takes no hints: \(names)"))
        }
        for action in content.actions where action.icon != nil {
            lost.append(DeliveryReceipt.LostFeature(.icon, "the portal draws no icon on '\(action.id)'"))
        }
    }
}

extension NoticeAction {
    fileprivate var isReply: Bool {
        if case .reply = kind { true } else { false }
    }
}
